package dev.gannet.transport.netty;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLParameters;

/**
 * One end of a TLS 1.3 connection by the JDK's engine over a plain socket, which decides itself
 * what becomes a record: it can write records of any size, ask for new keys as often as it likes,
 * and cut its handshake into pieces.
 */
final class TlsPeer implements AutoCloseable {
  private static final byte[] NOTHING = {};

  private static final int LONG_MILLIS = 20_000;

  // RFC 8446 §5.1
  private static final int HEADER_BYTES = 5;

  private final Socket socket;
  private final SSLEngine engine;
  private final ByteBuffer plain;
  private final ByteBuffer wire;
  private final ByteBuffer in;
  private final boolean wholeRecords;

  private TlsPeer(Socket socket, SSLEngine engine, boolean wholeRecords) throws IOException {
    socket.setSoTimeout(LONG_MILLIS);
    this.socket = socket;
    this.engine = engine;
    this.wholeRecords = wholeRecords;
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    parameters.setProtocols(new String[] {"TLSv1.3"});
    engine.setSSLParameters(parameters);
    int packetBytes = engine.getSession().getPacketBufferSize();
    wire = ByteBuffer.allocate(packetBytes);
    in = ByteBuffer.allocate(packetBytes).flip();
    plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
  }

  /** A client whose handshake is over. */
  static TlsPeer client(Socket socket) throws IOException, GeneralSecurityException {
    TlsPeer peer = new TlsPeer(socket, clientEngine(), true);
    peer.shakeHands();
    return peer;
  }

  /**
   * A client that has not begun, and cuts each message of its handshake into records of an octet.
   */
  static TlsPeer dribblingClient(Socket socket) throws IOException, GeneralSecurityException {
    return new TlsPeer(socket, clientEngine(), false);
  }

  private static SSLEngine clientEngine() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
    SSLEngine engine = context.createSSLEngine("localhost", 0);
    engine.setUseClientMode(true);
    return engine;
  }

  /** A server whose handshake is over. */
  static TlsPeer server(Socket socket, InputStream certificate, InputStream key)
      throws IOException {
    JdkSslContext context =
        (JdkSslContext)
            SslContextBuilder.forServer(certificate, key).sslProvider(SslProvider.JDK).build();
    SSLEngine engine = context.context().createSSLEngine();
    engine.setUseClientMode(false);
    TlsPeer peer = new TlsPeer(socket, engine, true);
    peer.shakeHands();
    return peer;
  }

  void shakeHands() throws IOException {
    engine.beginHandshake();
    HandshakeStatus next = engine.getHandshakeStatus();
    while (next != HandshakeStatus.NOT_HANDSHAKING && next != HandshakeStatus.FINISHED) {
      switch (next) {
        case NEED_WRAP -> wrap(NOTHING);
        case NEED_TASK -> engine.getDelegatedTask().run();
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> unwrap();
        case NOT_HANDSHAKING, FINISHED -> throw new AssertionError(next);
      }
      next = engine.getHandshakeStatus();
    }
    if (engine.isInboundDone()) {
      throw new IOException("the other end has closed before the handshake was over");
    }
  }

  /** Writes this as records that each have so much of it, in one go. */
  void write(byte[] bytes, int recordBytes) throws IOException {
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    for (int at = 0; at < bytes.length; at += recordBytes) {
      wire.clear();
      engine.wrap(ByteBuffer.wrap(bytes, at, Math.min(bytes.length - at, recordBytes)), wire);
      records.write(wire.array(), 0, wire.position());
    }
    records.writeTo(socket.getOutputStream());
  }

  /** Writes this as one record. */
  void write(byte... bytes) throws IOException {
    wrap(bytes);
  }

  /** Changes the keys, and asks for the other end's to be changed (RFC 8446 §4.6.3). */
  void updateKeys() throws IOException {
    engine.beginHandshake();
    while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      wrap(NOTHING);
    }
  }

  private void wrap(byte[] bytes) throws IOException {
    wire.clear();
    engine.wrap(ByteBuffer.wrap(bytes), wire);
    int end = wire.position();
    if (wholeRecords || end == 0) {
      socket.getOutputStream().write(wire.array(), 0, end);
    } else {
      writeInPieces(end);
    }
  }

  /** One record, in the clear, as one for each of its octets. */
  private void writeInPieces(int end) throws IOException {
    ByteBuffer pieces = ByteBuffer.allocate((HEADER_BYTES + 1) * end);
    for (int at = HEADER_BYTES; at < end; at++) {
      pieces.put(wire.array(), 0, HEADER_BYTES - 2).putShort((short) 1).put(wire.get(at));
    }
    socket.getOutputStream().write(pieces.array(), 0, pieces.position());
  }

  /** All that the other end says until it says no more. */
  byte[] readAll() throws IOException {
    ByteBuffer all = ByteBuffer.allocate(1 << 20);
    byte[] some = read();
    while (some.length > 0) {
      all.put(some);
      some = read();
    }
    return Arrays.copyOf(all.array(), all.position());
  }

  /** Some of it; nothing at its end. */
  byte[] read() throws IOException {
    byte[] some;
    do {
      some = unwrap();
    } while (some.length == 0 && !engine.isInboundDone());
    return some;
  }

  private byte[] unwrap() throws IOException {
    plain.clear();
    SSLEngineResult result = engine.unwrap(in, plain);
    while (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
      in.compact();
      int bytes = socket.getInputStream().read(in.array(), in.position(), in.remaining());
      if (bytes < 0) {
        throw new IOException("the other end has closed without a word");
      }
      in.position(in.position() + bytes).flip();
      result = engine.unwrap(in, plain);
    }
    return Arrays.copyOf(plain.array(), plain.position());
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
