package dev.gannet.http2.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Role;
import dev.gannet.http2.Violation;
import dev.gannet.http2.WindowLimits;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.stream.ReceiveWindow;
import dev.gannet.http2.stream.SharedWindow;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** One end of a simulated connection: talks at random and checks all that it hears. */
final class SimulatedEnd implements ConnectionListener {
  private static final int MAX_RESETS = 15;
  private static final int MAX_BYTES_LOG = 18;
  private static final int ROUNDS_OF_A_WINDOW = 20;

  final Role role;
  final SimulatedWire out;
  final Http2Connection connection;
  final Map<Integer, SimulatedStream> streams = new TreeMap<>();
  final Limits limits;
  int pingsUnanswered;
  Optional<Told.GoAway> goAway = Optional.empty();

  private final Random random;
  private Optional<SimulatedEnd> peer = Optional.empty();
  private ByteBuffer unread = ByteBuffer.allocate(0);
  private int resets;
  private long nowNanos;

  SimulatedEnd(Role role, Limits limits, Random random) {
    this.role = role;
    this.limits = limits;
    this.random = random;
    this.nowNanos = random.nextLong();
    this.out = new SimulatedWire(1 << random.nextInt(MAX_BYTES_LOG), role);
    this.connection = new Http2Connection(role, limits, out, this, nowNanos);
  }

  void meets(SimulatedEnd other) {
    peer = Optional.of(other);
    connection.start();
    out.collect();
  }

  /** Some of what the peer wrote arrives. */
  void receiveSome() {
    if (!unread.hasRemaining()) {
      unread = ByteBuffer.wrap(peer().out.arrive(random));
    }
    nowNanos += random.nextInt(1_000_000);
    int from = unread.position();
    connection.receive(unread, nowNanos);
    out.learn(Arrays.copyOfRange(unread.array(), from, unread.position()));
    out.collect();
  }

  /**
   * No credit is lost or made: what may come, what waits to be read and what is still to be given
   * back make up a stream's window; the connection's is what the frames say; and what may be sent
   * is what the frames of both ends say.
   */
  void checkCredit() {
    SharedWindow shared = connection.arriving();
    assertThat(shared.held()).as("bytes held").isEqualTo(bytesHeld());
    assertThat(shared.left()).as("what may come").isBetween(0L, (long) shared.size());
    assertThat(shared.left() + shared.held())
        .as("what may come, and what is held")
        .isLessThanOrEqualTo(mostHeld(shared.size()) + shared.size());
    if (hasUnread() || !out.hasLearnedWholeFrames()) {
      return; // in the middle of a frame
    }
    assertThat(shared.left())
        .as("what frames leave of the connection's window")
        .isEqualTo(Limits.INITIAL_WINDOW_BYTES - out.notGivenBack(SimulatedWire.CONNECTION));
    for (SimulatedStream stream : streams.values()) {
      if (stream.stream.state.isReadable()) {
        checkReceiveWindow(stream);
      }
      if (stream.stream.state.isWritable()) {
        checkSendWindow(stream.stream);
      }
    }
  }

  int bytesHeld() {
    return streams.values().stream().mapToInt(stream -> stream.bytesUnread).sum();
  }

  private long mostHeld(long windowBytes) {
    WindowLimits windows = limits.windows();
    return windows.heldBytes() * windowBytes / windows.connectionBytes();
  }

  private void checkReceiveWindow(SimulatedStream stream) {
    ReceiveWindow window = stream.stream.receiveWindow;
    long credit = (long) window.left() + stream.bytesUnread + window.owed();
    if (credit != window.size()) {
      throw new AssertionError(role + " has a credit of " + credit + " on " + stream.stream);
    }
  }

  private void checkSendWindow(Http2Stream stream) {
    long credit = out.streamCredit(stream.id());
    if (stream.sendWindow.available() != Math.max(0, credit)) {
      throw new AssertionError(role + " may send " + credit + " but thinks otherwise on " + stream);
    }
  }

  boolean hasUnread() {
    return unread.hasRemaining();
  }

  void flush() {
    connection.flush();
    out.collect();
  }

  void openStream() {
    boolean alone = random.nextInt(8) == 0;
    HeaderList list = Fields.joined(Fields.REQUEST, someList());
    list = alone ? withSomeLength(list, 0) : list;
    Http2Stream opened = connection.openStream(list, HeaderList.EMPTY, EndStream.of(alone));
    SimulatedStream stream = streams.get(opened.id());
    if (stream == null) {
      stream = newStream(opened);
    }
    stream.saidLists.add(list);
    stream.headersSaid = true;
    stream.endSaid = alone;
  }

  void ping() {
    pingsUnanswered++;
    connection.ping(random.nextLong());
  }

  /** Says the next thing on the stream: headers, some data, or the end in one of its forms. */
  void say(SimulatedStream stream) {
    int left = stream.bytesToSay - stream.bytesSaid;
    if (!stream.headersSaid) {
      stream.headersSaid = true;
      stream.endSaid = stream.bytesToSay == 0 && random.nextBoolean();
      HeaderList list = Fields.joined(Fields.RESPONSE, someList());
      list = withSomeLength(list, stream.bytesToSay);
      stream.saidLists.add(list);
      connection.sendHeaders(stream.stream, list, HeaderList.EMPTY, EndStream.of(stream.endSaid));
    } else if (left > 0) {
      int bytes = random.nextInt(4) == 0 ? left : random.nextInt(left + 1);
      stream.endSaid = bytes == left && random.nextBoolean();
      connection.sendData(stream.stream, stream.say(bytes), EndStream.of(stream.endSaid));
    } else {
      sayEnd(stream);
    }
  }

  private void sayEnd(SimulatedStream stream) {
    stream.endSaid = true;
    if (random.nextBoolean()) {
      HeaderList list = someList();
      stream.saidLists.add(list);
      connection.sendTrailers(stream.stream, HeaderList.EMPTY, list);
    } else {
      connection.sendData(stream.stream, ByteBuffer.allocate(0), EndStream.YES);
    }
  }

  /** Reads some of what was heard, even of a stream that is over. */
  void read(SimulatedStream stream, int bytes) {
    stream.bytesUnread -= bytes;
    connection.hold(-bytes);
    connection.consumed(stream.stream, bytes);
  }

  void reset(SimulatedStream stream) {
    if (resets < MAX_RESETS && !stream.stream.isClosed()) {
      resets++;
      stream.resetByThisEnd = true;
      connection.reset(stream.stream, ErrorCode.CANCEL);
    }
  }

  /** The service of a stream is done, some time after the stream. */
  void release(SimulatedStream stream) {
    if (role == Role.SERVER && stream.stream.isClosed() && !stream.released) {
      stream.released = true;
      connection.release(stream.stream);
    }
  }

  @Override
  public void onHeaders(Http2Stream stream, HeaderList headers, EndStream end) {
    SimulatedStream own =
        role == Role.SERVER && !streams.containsKey(stream.id())
            ? newStream(stream)
            : known(stream);
    own.hear(headers, peerOf(stream));
    if (end == EndStream.YES) {
      own.hearEnd(peerOf(stream));
    }
  }

  @Override
  public void onOversizedHeaders(Http2Stream stream, EndStream end) {
    throw new AssertionError("oversized headers on " + stream);
  }

  @Override
  public void onData(Http2Stream stream, ByteBuffer bytes) {
    connection.hold(bytes.remaining());
    known(stream).hear(bytes, peerOf(stream));
    connection.onProgress();
  }

  @Override
  public void onEndStream(Http2Stream stream) {
    known(stream).hearEnd(peerOf(stream));
  }

  @Override
  public void onReset(Http2Stream stream, ErrorCode code) {
    SimulatedStream own = known(stream);
    assertThat(own.resetHeard || own.resetByThisEnd).as("a second end of " + stream).isFalse();
    own.resetHeard = true;
    if (code == ErrorCode.REFUSED_STREAM) {
      assertThat(peer().streams).doesNotContainKey(stream.id());
    } else {
      assertThat(peerOf(stream).resetByThisEnd).as("the peer reset " + stream).isTrue();
    }
  }

  @Override
  public void onBroken(Http2Stream stream, Violation.OfStream violation) {
    throw new AssertionError(role + " found " + violation);
  }

  @Override
  public void onUnprocessed(Http2Stream stream) {
    throw new AssertionError("unprocessed: " + stream);
  }

  @Override
  public void onDataSent(Http2Stream stream, int bytes) {
    SimulatedStream own = known(stream);
    own.bytesWritten += bytes;
    assertThat(own.bytesWritten).isLessThanOrEqualTo(own.bytesSaid);
  }

  @Override
  public void onEndSent(Http2Stream stream) {
    SimulatedStream own = streams.get(stream.id());
    if (own == null) {
      own = newStream(stream); // told from inside openStream
    }
    assertThat(own.endWritten).as("a second end written on " + stream).isFalse();
    assertThat(own.bytesWritten).isEqualTo(own.bytesSaid);
    own.endWritten = true;
  }

  @Override
  public void onSettings() {}

  @Override
  public void onPingAck(long opaque) {
    pingsUnanswered--;
  }

  @Override
  public void onGoAway(int lastStreamId, ErrorCode code, String debug) {
    goAway = Optional.of(new Told.GoAway(lastStreamId, code, debug));
  }

  @Override
  public void onFailed(Violation violation) {
    throw new AssertionError(role + " failed: " + violation);
  }

  private SimulatedEnd peer() {
    return peer.orElseThrow();
  }

  private SimulatedStream peerOf(Http2Stream stream) {
    return peer().known(stream);
  }

  private SimulatedStream known(Http2Stream stream) {
    SimulatedStream known = streams.get(stream.id());
    if (known == null) {
      throw new AssertionError(role + " does not know " + stream);
    }
    return known;
  }

  private SimulatedStream newStream(Http2Stream stream) {
    SimulatedStream made = new SimulatedStream(stream, role == Role.CLIENT ? 1 : 2);
    int window = peer().limits.windows().streamBytes();
    int most = Math.min(ROUNDS_OF_A_WINDOW * window, 1 << random.nextInt(MAX_BYTES_LOG));
    made.bytesToSay = random.nextInt(5) == 0 ? 0 : random.nextInt(most);
    streams.put(stream.id(), made);
    return made;
  }

  private HeaderList withSomeLength(HeaderList list, int bytes) {
    return random.nextBoolean()
        ? Fields.joined(list, Fields.of("content-length", Integer.toString(bytes)))
        : list;
  }

  private HeaderList someList() {
    int fields = 1 + random.nextInt(6);
    HeaderField[] list = new HeaderField[fields];
    for (int i = 0; i < fields; i++) {
      int octets = random.nextInt(60) == 0 ? random.nextInt(20_000) : random.nextInt(20);
      list[i] = HeaderField.of("name" + random.nextInt(9), "v".repeat(octets));
    }
    return HeaderList.of(list);
  }
}
