package dev.gannet.suites;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Role;
import dev.gannet.http2.Violation;
import dev.gannet.http2.connection.ConnectionListener;
import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.RequestFields;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import dev.gannet.transport.pipe.PipeProvider;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A client that keeps to HTTP/2 and to nothing else: it sends what its test says, as far as windows
 * let it.
 */
final class ObedientClient implements PipeProvider.Connecting, PipeListener, ConnectionListener {
  private static final int PREFIX_BYTES = 5;
  private static final byte[] ZEROS = new byte[4 << 20];

  private final Limits limits;
  private final List<Integer> ended = new ArrayList<>();
  private final Map<Integer, ErrorCode> resets = new TreeMap<>();
  private @Nullable Pipe pipe;
  private @Nullable Http2Connection connection;
  private long bytesSent;
  private Optional<ErrorCode> goAway = Optional.empty();
  private boolean closed;

  private ObedientClient(Limits limits) {
    this.limits = limits;
  }

  static ObedientClient connect(Simulation simulation) {
    return connect(simulation, Limits.DEFAULT);
  }

  static ObedientClient connect(Simulation simulation, Limits limits) {
    ObedientClient client = new ObedientClient(limits);
    simulation
        .network()
        .connect(
            new InetSocketAddress("192.0.2.1", Simulation.PORT),
            "",
            ChannelCredentials.insecure(),
            client);
    simulation.run();
    return client;
  }

  /** Begins a call. */
  Http2Stream opens(MethodDescriptor<?, ?> method) {
    return opens(method, new Metadata());
  }

  /** Begins a call with metadata. */
  Http2Stream opens(MethodDescriptor<?, ?> method, Metadata metadata) {
    return opens(method, RequestFields.own(metadata));
  }

  /** Begins a call with fields that no application would send so. */
  Http2Stream opens(MethodDescriptor<?, ?> method, HeaderList own) {
    HeaderList shared =
        RequestFields.shared("http", "host", method.fullMethodName(), MessageEncoding.IDENTITY);
    Http2Stream stream = connection().openStream(shared, own, EndStream.NO);
    onBatchEnd();
    return stream;
  }

  /** Makes a whole call with a single short message. */
  Http2Stream asks(MethodDescriptor<?, ?> method, String message) {
    Http2Stream stream = opens(method);
    byte[] octets = message.getBytes(StandardCharsets.ISO_8859_1);
    ByteBuffer frame = ByteBuffer.allocate(PREFIX_BYTES + octets.length).put((byte) 0);
    frame.putInt(octets.length).put(octets);
    connection().sendData(stream, frame.flip(), EndStream.YES);
    onBatchEnd();
    return stream;
  }

  /** Sends the prefix of a message of that length, and so much of the message itself. */
  void begins(Http2Stream stream, int messageBytes, int partBytes) {
    ByteBuffer prefix = ByteBuffer.allocate(PREFIX_BYTES).put((byte) 0).putInt(messageBytes);
    connection().sendData(stream, prefix.flip(), EndStream.NO);
    goesOn(stream, partBytes);
  }

  void goesOn(Http2Stream stream, int bytes) {
    sends(stream, ByteBuffer.wrap(ZEROS, 0, bytes));
  }

  void sends(Http2Stream stream, ByteBuffer data) {
    connection().sendData(stream, data, EndStream.NO);
    onBatchEnd();
  }

  /** Lets the server send so much more on a stream. */
  void reads(Http2Stream stream, int bytes) {
    connection().consumed(stream, bytes);
    onBatchEnd();
  }

  void resets(Http2Stream stream) {
    connection().reset(stream, ErrorCode.CANCEL);
    onBatchEnd();
  }

  /** Says something that costs the connection. */
  void breaksARule() {
    pipe().reserve(9).put(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0}); // DATA on stream 0
    pipe().flush();
  }

  /** Reads nothing more, whatever comes. */
  void stopsReading() {
    pipe().setReading(false);
  }

  /** What the server lets this client send on a stream that begins now. */
  int streamWindowBytes() {
    return connection().peerInitialWindowBytes();
  }

  /** DATA that has left. */
  long bytesSent() {
    return bytesSent;
  }

  /** The streams that are over, by whichever end. */
  List<Integer> ended() {
    return ended;
  }

  /** The streams that the server has reset. */
  Map<Integer, ErrorCode> resets() {
    return resets;
  }

  Optional<ErrorCode> goAway() {
    return goAway;
  }

  boolean isClosed() {
    return closed;
  }

  private Http2Connection connection() {
    return Objects.requireNonNull(connection, "not connected");
  }

  private Pipe pipe() {
    return Objects.requireNonNull(pipe, "not connected");
  }

  @Override
  public PipeListener onOpen(Pipe opened) {
    pipe = opened;
    connection = new Http2Connection(Role.CLIENT, limits, opened, this, opened.nanoTime());
    connection().start();
    opened.flush();
    return this;
  }

  @Override
  public void onFailed(String why) {
    throw new AssertionError(why);
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      connection().receive(bytes, pipe().nanoTime());
      connection().flush();
    }
  }

  @Override
  public void onBatchEnd() {
    connection().flush();
    pipe().flush();
  }

  @Override
  public void onWritable() {
    onBatchEnd();
  }

  @Override
  public void onWake() {}

  @Override
  public void onClosed(String why) {
    closed = true;
  }

  @Override
  public void onHeaders(Http2Stream stream, HeaderList headers, EndStream end) {
    if (end == EndStream.YES) {
      ended.add(stream.id());
    }
  }

  @Override
  public void onOversizedHeaders(Http2Stream stream, EndStream end) {}

  @Override
  public void onData(Http2Stream stream, ByteBuffer bytes) {
    connection().onProgress();
  }

  @Override
  public void onEndStream(Http2Stream stream) {}

  @Override
  public void onReset(Http2Stream stream, ErrorCode code) {
    resets.put(stream.id(), code);
    if (!ended.contains(stream.id())) {
      ended.add(stream.id());
    }
  }

  @Override
  public void onBroken(Http2Stream stream, Violation.OfStream violation) {
    throw new AssertionError("the server broke a rule: " + violation);
  }

  @Override
  public void onUnprocessed(Http2Stream stream) {}

  @Override
  public void onDataSent(Http2Stream stream, int bytes) {
    bytesSent += bytes;
  }

  @Override
  public void onEndSent(Http2Stream stream) {}

  @Override
  public void onSettings() {}

  @Override
  public void onPingAck(long opaque) {}

  @Override
  public void onGoAway(int lastStreamId, ErrorCode code, String debug) {
    goAway = Optional.of(code);
  }

  @Override
  public void onFailed(Violation violation) {
    throw new AssertionError("the server broke a rule: " + violation);
  }
}
