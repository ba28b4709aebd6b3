package dev.gannet.conformance.gauntlet.wire;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/**
 * The client's end of TLS 1.3 by the JDK's engine; its user decides what becomes a record. Trusts
 * every server. One thread may read while another one writes.
 */
final class TlsChannel implements ByteChannel {
  private static final String VERSION = "TLSv1.3";
  private static final String ALPN = "h2";
  private static final SSLContext CONTEXT = context();

  private final SocketChannel socket;
  private final SSLEngine engine;
  private final ByteBuffer out;
  private final ByteBuffer in;
  private final ByteBuffer plain;

  private TlsChannel(SocketChannel socket) {
    this.socket = socket;
    this.engine = CONTEXT.createSSLEngine();
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {ALPN});
    parameters.setProtocols(new String[] {VERSION});
    engine.setSSLParameters(parameters);
    int packetBytes = engine.getSession().getPacketBufferSize();
    this.out = ByteBuffer.allocate(2 * packetBytes);
    this.in = ByteBuffer.allocate(packetBytes).flip();
    this.plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()).flip();
  }

  private static SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance(VERSION);
      context.init(null, new TrustManager[] {new TrustingAnybody()}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a JDK without TLS 1.3", e);
    }
  }

  /**
   * Connects and completes the handshake.
   *
   * @throws IOException if the connection is not accepted, or the handshake fails
   */
  static TlsChannel open(InetSocketAddress server) throws IOException {
    SocketChannel socket = SocketChannel.open(server);
    try {
      TlsChannel channel = new TlsChannel(socket);
      channel.shakeHands();
      return channel;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private void shakeHands() throws IOException {
    engine.beginHandshake();
    HandshakeStatus next = engine.getHandshakeStatus();
    while (next != HandshakeStatus.NOT_HANDSHAKING && next != HandshakeStatus.FINISHED) {
      switch (next) {
        case NEED_WRAP -> wrapMessages();
        case NEED_TASK -> engine.getDelegatedTask().run();
        default -> unwrapMessages();
      }
      next = engine.getHandshakeStatus();
    }
    if (engine.isInboundDone()) {
      throw new IOException("the server ends the handshake");
    }
  }

  private void unwrapMessages() throws IOException {
    if (!unwrap()) {
      throw new EOFException("the server has closed before the handshake was over");
    }
  }

  private void wrapMessages() throws IOException {
    wrap(ByteBuffer.allocate(0));
    writeGathered();
  }

  /** Gathers a key update (RFC 8446 §4.6.3). */
  void gatherKeyUpdate() throws IOException {
    engine.beginHandshake();
    wrap(ByteBuffer.allocate(0));
  }

  /** Gathers these bytes as one record. */
  void gather(byte... content) throws IOException {
    wrap(ByteBuffer.wrap(content));
  }

  /** The size of what is gathered, in bytes on the wire. */
  int gatheredBytes() {
    return out.position();
  }

  /** Sends what is gathered. */
  void writeGathered() throws IOException {
    out.flip();
    try {
      while (out.hasRemaining()) {
        socket.write(out);
      }
    } finally {
      out.clear();
    }
  }

  private void wrap(ByteBuffer content) throws IOException {
    if (engine.wrap(content, out).getStatus() != SSLEngineResult.Status.OK) {
      throw new IOException("TLS is closed");
    }
  }

  /** Sends these bytes after what is gathered. */
  @Override
  public int write(ByteBuffer content) throws IOException {
    int bytes = content.remaining();
    while (content.hasRemaining()) {
      wrap(content);
      writeGathered();
    }
    return bytes;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    while (!plain.hasRemaining()) {
      if (engine.isInboundDone() || !unwrap()) {
        return -1;
      }
    }
    int bytes = Math.min(plain.remaining(), into.remaining());
    into.put(into.position(), plain, plain.position(), bytes);
    into.position(into.position() + bytes);
    plain.position(plain.position() + bytes);
    return bytes;
  }

  /** Reads one record; false at the end of the connection. */
  private boolean unwrap() throws IOException {
    plain.clear();
    SSLEngineResult.Status status = engine.unwrap(in, plain).getStatus();
    plain.flip();
    if (status != SSLEngineResult.Status.BUFFER_UNDERFLOW) {
      return true;
    }
    in.compact();
    int bytes = socket.read(in);
    in.flip();
    return bytes >= 0;
  }

  @Override
  public boolean isOpen() {
    return socket.isOpen();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
