package dev.gannet.benchmarks.compare.trial;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/**
 * A connection that has exchanged and acknowledged SETTINGS (RFC 9113 §3.4), and then does nothing
 * until it is asked whether it is alive. It does not use any HTTP/2 implementation.
 */
final class RawConnection implements AutoCloseable {
  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int PING_BYTES = 8;
  private static final int ACK = 1;
  private static final int AFTER_LENGTH = 3;
  private static final int STREAM_ID_BYTES = 4;
  private static final Duration MAX_HANDSHAKE = Duration.ofSeconds(20);

  private final Socket socket;

  private RawConnection(Socket socket) {
    this.socket = socket;
  }

  /** Connects, and waits until both sides have acknowledged the other's SETTINGS. */
  static RawConnection open(InetSocketAddress address) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) MAX_HANDSHAKE.toMillis());
      socket.connect(address);
      shakeHands(socket);
      return new RawConnection(socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static void shakeHands(Socket socket) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(PREFACE);
    out.write(frame(SETTINGS, 0, 0));
    boolean theirsCame = false;
    boolean oursAcknowledged = false;
    while (!theirsCame || !oursAcknowledged) {
      Head next = readFrame(socket);
      if (next.isAcknowledged(SETTINGS)) {
        oursAcknowledged = true;
      } else if (next.type == SETTINGS) {
        theirsCame = true;
        out.write(frame(SETTINGS, ACK, 0));
      }
    }
  }

  /**
   * Checks by a PING whether the other side still answers.
   *
   * @throws IOException if the connection has ended, or is about to
   */
  void check() throws IOException {
    socket.getOutputStream().write(frame(PING, 0, PING_BYTES));
    Head next = readFrame(socket);
    while (!next.isAcknowledged(PING)) {
      if (next.type == GOAWAY) {
        throw new IOException("the server wants an idle connection to end");
      }
      next = readFrame(socket);
    }
  }

  /** The header of a frame; its payload is skipped. */
  private record Head(int type, int flags) {
    boolean isAcknowledged(int what) {
      return type == what && (flags & ACK) != 0;
    }
  }

  private static Head readFrame(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
    Head head = new Head(in.readUnsignedByte(), in.readUnsignedByte());
    in.skipNBytes(STREAM_ID_BYTES + (long) length);
    return head;
  }

  /** A frame on stream 0 whose payload is zeros. */
  private static byte[] frame(int type, int flags, int payloadBytes) {
    byte[] frame = new byte[AFTER_LENGTH + 2 + STREAM_ID_BYTES + payloadBytes];
    frame[AFTER_LENGTH - 1] = (byte) payloadBytes;
    frame[AFTER_LENGTH] = (byte) type;
    frame[AFTER_LENGTH + 1] = (byte) flags;
    return frame;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
