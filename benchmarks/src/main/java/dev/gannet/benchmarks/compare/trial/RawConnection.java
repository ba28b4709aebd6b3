package dev.gannet.benchmarks.compare.trial;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/**
 * A connection that has said and acknowledged SETTINGS, RFC 9113 §3.4, and nothing else. It uses no
 * line of any HTTP/2 implementation.
 */
final class RawConnection implements AutoCloseable {
  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
  private static final int SETTINGS = 4;
  private static final int ACK = 1;
  private static final int AFTER_LENGTH = 3;
  private static final int STREAM_ID_BYTES = 4;
  private static final Duration LONGEST_HANDSHAKE = Duration.ofSeconds(20);

  private final Socket socket;

  private RawConnection(Socket socket) {
    this.socket = socket;
  }

  /** Connects, and waits until both sides have acknowledged the other's SETTINGS. */
  static RawConnection open(InetSocketAddress address) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) LONGEST_HANDSHAKE.toMillis());
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
    out.write(settings(0));
    DataInputStream in = new DataInputStream(socket.getInputStream());
    boolean theirsCame = false;
    boolean oursAcknowledged = false;
    while (!theirsCame || !oursAcknowledged) {
      int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      in.skipNBytes(STREAM_ID_BYTES + (long) length);
      if (type == SETTINGS && (flags & ACK) != 0) {
        oursAcknowledged = true;
      } else if (type == SETTINGS) {
        theirsCame = true;
        out.write(settings(ACK));
      }
    }
  }

  /** A frame without payload, on stream 0. */
  private static byte[] settings(int flags) {
    byte[] frame = new byte[AFTER_LENGTH + 2 + STREAM_ID_BYTES];
    frame[AFTER_LENGTH] = SETTINGS;
    frame[AFTER_LENGTH + 1] = (byte) flags;
    return frame;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
