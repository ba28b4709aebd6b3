package dev.gannet.conformance.interop;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.grpc.testing.integration.Messages.SimpleResponse;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server of raw frames that answers each whole request as one of the negative cases says. A
 * thread for each connection, which ends with it.
 */
final class Http2Script implements AutoCloseable {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final int ACK = 1;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int PREFACE_BYTES = 24;
  private static final int FRAME_BYTES = 16_384;

  /** MAX_CONCURRENT_STREAMS 1, and INITIAL_WINDOW_SIZE of 1 MiB. */
  private static final byte[] ONE_STREAM = {0, 3, 0, 0, 0, 1, 0, 4, 0, 16, 0, 0};

  private static final byte[] ANY_STREAMS = {0, 4, 0, 16, 0, 0};

  private final String testCase;
  private final ServerSocket listening;
  private final List<Socket> accepted = new CopyOnWriteArrayList<>();
  final AtomicInteger connections = new AtomicInteger();
  final AtomicInteger pingAcks = new AtomicInteger();
  final AtomicInteger mostStreams = new AtomicInteger();

  Http2Script(String testCase) throws IOException {
    this.testCase = testCase;
    this.listening = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket socket = listening.accept();
        accepted.add(socket);
        connections.incrementAndGet();
        Thread.startVirtualThread(() -> serve(socket));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      new Connection(socket).run();
    } catch (IOException e) {
      // the client has gone
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : accepted) {
      socket.close();
    }
  }

  private final class Connection {
    private final DataInputStream in;
    private final DataOutputStream out;
    private final Set<Integer> open = new HashSet<>();
    private int sent;

    Connection(Socket socket) throws IOException {
      this.in = new DataInputStream(socket.getInputStream());
      this.out = new DataOutputStream(socket.getOutputStream());
    }

    void run() throws IOException {
      in.readFully(new byte[PREFACE_BYTES]);
      frame(SETTINGS, 0, 0, testCase.equals("max_streams") ? ONE_STREAM : ANY_STREAMS);
      frame(WINDOW_UPDATE, 0, 0, ByteBuffer.allocate(4).putInt(1 << 24).array());
      while (true) {
        receive();
      }
    }

    private void receive() throws IOException {
      int length = (in.readUnsignedShort() << 8) | in.readUnsignedByte();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      in.readFully(new byte[length]);
      if (type == SETTINGS && (flags & ACK) == 0) {
        frame(SETTINGS, ACK, 0, new byte[0]);
      } else if (type == PING && (flags & ACK) != 0) {
        pingAcks.incrementAndGet();
      } else if (type == HEADERS) {
        open.add(stream);
        mostStreams.accumulateAndGet(open.size(), Math::max);
      }
      if ((type == DATA || type == HEADERS) && (flags & END_STREAM) != 0) {
        answer(stream);
        open.remove(stream);
      }
    }

    private void answer(int stream) throws IOException {
      byte[] message = message();
      switch (testCase) {
        case "rst_after_header" -> headers(stream);
        case "rst_during_data" -> {
          headers(stream);
          data(stream, message, message.length / 2);
        }
        case "rst_after_data" -> {
          headers(stream);
          data(stream, message, message.length);
        }
        case "ping" -> {
          ping();
          headers(stream);
          ping();
          data(stream, message, message.length / 2);
          ping();
          data(stream, message, message.length - message.length / 2);
          ping();
          trailers(stream);
        }
        default -> {
          headers(stream);
          data(stream, message, message.length);
          trailers(stream);
        }
      }
      if (testCase.startsWith("rst")) {
        frame(RST_STREAM, 0, stream, new byte[4]);
      } else if (testCase.equals("goaway")) {
        frame(GOAWAY, 0, 0, ByteBuffer.allocate(8).putInt(stream).putInt(0).array());
      }
    }

    private void ping() throws IOException {
      frame(PING, 0, 0, new byte[8]);
    }

    private void headers(int stream) throws IOException {
      ByteArrayOutputStream block = new ByteArrayOutputStream();
      block.write(0x88); // :status 200
      block.write(new byte[] {0x0f, 0x10}); // content-type, not indexed
      text(block, "application/grpc");
      frame(HEADERS, END_HEADERS, stream, block.toByteArray());
    }

    private void trailers(int stream) throws IOException {
      ByteArrayOutputStream block = new ByteArrayOutputStream();
      block.write(0);
      text(block, "grpc-status");
      text(block, "0");
      frame(HEADERS, END_HEADERS | END_STREAM, stream, block.toByteArray());
    }

    private static void text(ByteArrayOutputStream block, String text) throws IOException {
      block.write(text.length());
      block.write(text.getBytes(US_ASCII));
    }

    /** The next so many bytes of the message. */
    private void data(int stream, byte[] message, int bytes) throws IOException {
      int end = sent + bytes;
      while (sent < end) {
        int length = Math.min(FRAME_BYTES, end - sent);
        frame(DATA, 0, stream, ByteBuffer.wrap(message, sent, length));
        sent += length;
      }
      if (sent == message.length) {
        sent = 0;
      }
    }

    private void frame(int type, int flags, int stream, byte[] payload) throws IOException {
      frame(type, flags, stream, ByteBuffer.wrap(payload));
    }

    private void frame(int type, int flags, int stream, ByteBuffer payload) throws IOException {
      ByteBuffer frame = ByteBuffer.allocate(9 + payload.remaining());
      frame.putInt((payload.remaining() << 8) | type).put((byte) flags).putInt(stream);
      out.write(frame.put(payload).array());
      out.flush();
    }
  }

  /** The response of large_unary, framed. */
  private static byte[] message() {
    byte[] message =
        SimpleResponse.newBuilder()
            .setPayload(Payloads.zeros(UnaryCases.RESPONSE_BYTES))
            .build()
            .toByteArray();
    return ByteBuffer.allocate(5 + message.length)
        .put((byte) 0)
        .putInt(message.length)
        .put(message)
        .array();
  }
}
