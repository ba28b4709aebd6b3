package dev.gannet.suites;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import dev.gannet.transport.pipe.PipeProvider;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A client that says exactly what the test says: frames as octets, on a pipe of its own. */
final class RawClient implements PipeProvider.Connecting, PipeListener {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int ACK = 1;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;
  static final int LARGEST_STREAM_ID = Integer.MAX_VALUE;

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final int HEADER_BYTES = 9;

  /** A frame from the server. */
  record Frame(int type, int flags, int streamId, ByteBuffer payload) {
    /** The last stream that a GOAWAY names. */
    int lastStreamId() {
      return payload.getInt(0);
    }

    /** The error code of a GOAWAY. */
    int code() {
      return payload.getInt(Integer.BYTES);
    }

    /** The words of a GOAWAY. */
    String words() {
      return UTF_8.decode(payload.duplicate().position(2 * Integer.BYTES)).toString();
    }

    boolean isAck() {
      return (flags & ACK) != 0;
    }
  }

  private final ByteArrayOutputStream unread = new ByteArrayOutputStream();
  private final List<Frame> frames = new ArrayList<>();
  private Optional<Pipe> pipe = Optional.empty();
  private boolean closed;

  /** Connects; says nothing. */
  static RawClient connect(Simulation simulation) {
    RawClient client = new RawClient();
    simulation
        .network()
        .connect(
            InetSocketAddress.createUnresolved("server", Simulation.PORT),
            "server",
            ChannelCredentials.insecure(),
            client);
    simulation.run();
    assertThat(client.pipe).as("a connection").isPresent();
    return client;
  }

  /** Connects and says what every client says first. */
  static RawClient introduced(Simulation simulation) {
    RawClient client = connect(simulation);
    client.saysPreface().says(SETTINGS, 0, 0).says(SETTINGS, ACK, 0);
    simulation.run();
    client.frames.clear();
    return client;
  }

  RawClient saysPreface() {
    return says(PREFACE.getBytes(US_ASCII));
  }

  RawClient says(int type, int flags, int streamId, byte... payload) {
    ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + payload.length);
    frame.putInt(payload.length << 8 | type).put((byte) flags).putInt(streamId).put(payload);
    return says(frame.array());
  }

  /** Octets as they are. */
  RawClient says(byte[] octets) {
    Pipe to = pipe.orElseThrow();
    to.reserve(octets.length).put(octets);
    to.flush();
    return this;
  }

  RawClient pings() {
    return says(PING, 0, 0, new byte[8]);
  }

  /** A request of that method, by HPACK's static table and literals alone. */
  RawClient asks(int streamId, String path) {
    return says(HEADERS, END_HEADERS | END_STREAM, streamId, request(path));
  }

  static byte[] request(String path) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    literal(block, 4, path); // :path
    literal(block, 1, "server"); // :authority
    return request(block.toByteArray());
  }

  /** A request with those fields of HPACK between the first and the last that it must have. */
  static byte[] request(byte[] fields) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(0x83); // :method POST
    block.write(0x86); // :scheme http
    block.writeBytes(fields);
    block.write(0x0f); // content-type, the 31st of the table
    block.write(31 - 15);
    value(block, "application/grpc");
    block.write(0);
    value(block, "te");
    value(block, "trailers");
    return block.toByteArray();
  }

  /** A field whose name is that of the static table; its octets are those of ISO 8859-1. */
  static void literal(ByteArrayOutputStream block, int index, String value) {
    block.write(index);
    value(block, value);
  }

  /** {@code host}, whose number in the static table takes two octets. */
  static void hostField(ByteArrayOutputStream block, String value) {
    block.write(0x0f);
    block.write(38 - 15);
    value(block, value);
  }

  private static void value(ByteArrayOutputStream block, String value) {
    if (value.length() < 127) {
      block.write(value.length());
    } else {
      block.write(127);
      block.write(((value.length() - 127) & 0x7f) | 0x80); // below 127 + 2^14
      block.write((value.length() - 127) >> 7);
    }
    block.writeBytes(value.getBytes(ISO_8859_1));
  }

  void stopsReading() {
    pipe.orElseThrow().setReading(false);
  }

  /** What came since the last time it was looked at. */
  List<Frame> heard() {
    List<Frame> all = List.copyOf(frames);
    frames.clear();
    return all;
  }

  /** All frames of that type since the last look. */
  List<Frame> heard(int type) {
    return heard().stream().filter(frame -> frame.type() == type).toList();
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public PipeListener onOpen(Pipe opened) {
    pipe = Optional.of(opened);
    return this;
  }

  @Override
  public void onFailed(String why) {
    throw new AssertionError(why);
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    byte[] octets = new byte[bytes.remaining()];
    bytes.get(octets);
    unread.writeBytes(octets);
    cut();
  }

  private void cut() {
    ByteBuffer all = ByteBuffer.wrap(unread.toByteArray());
    while (all.remaining() >= HEADER_BYTES
        && all.remaining() >= HEADER_BYTES + (all.getInt(all.position()) >>> 8)) {
      int lengthAndType = all.getInt();
      int flags = all.get();
      int streamId = all.getInt();
      byte[] payload = new byte[lengthAndType >>> 8];
      all.get(payload);
      frames.add(new Frame(lengthAndType & 0xff, flags, streamId, ByteBuffer.wrap(payload)));
    }
    unread.reset();
    unread.write(all.array(), all.position(), all.remaining());
  }

  @Override
  public void onBatchEnd() {}

  @Override
  public void onWritable() {}

  @Override
  public void onWake() {}

  @Override
  public void onClosed(String why) {
    closed = true;
  }
}
