package dev.gannet.http2.connection;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.AbuseKind;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Role;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.HpackDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The other end of the tested connection: it sends and expects frames as the script says, and holds
 * what the connection tells its driver. Frames and octets are its own; HPACK is borrowed.
 */
final class ScriptedPeer {
  static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final long SEED = Long.getLong("gannet.seed", 20_220_601L);
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long FIRST_NANOS = -3 * SECOND_NANOS; // steady clocks may stand below zero
  private static final int BEFORE = 1;
  private static final int MAX_WAKES = 1000;
  private static final int GOAWAY_WORDS_AT = 8;
  private static final byte USED = (byte) 0xee;

  private final Role role;
  private final Feeding feeding;
  private final Random random = new Random(SEED);
  private final FrameCutter cutter = new FrameCutter();
  private final HpackDecoder blocks = new HpackDecoder(1 << 16, 1 << 24, 1 << 16);
  private final List<WireFrame> rawFrames = new ArrayList<>();
  private final List<WireFrame> frames = new ArrayList<>();
  private WrittenBytes written = new WrittenBytes();
  private RecordingListener events = new RecordingListener();
  private Http2Connection connection;
  private long nowNanos = FIRST_NANOS;
  private int newStreamId = 1001;

  ScriptedPeer(Role role, Feeding feeding) {
    this.role = role;
    this.feeding = feeding;
    this.connection = new Http2Connection(role, Limits.DEFAULT, written, events, nowNanos);
  }

  static Stream<ScriptedPeer> ofServers() {
    return Arrays.stream(Feeding.values()).map(way -> new ScriptedPeer(Role.SERVER, way));
  }

  static Stream<ScriptedPeer> ofClients() {
    return Arrays.stream(Feeding.values()).map(way -> new ScriptedPeer(Role.CLIENT, way));
  }

  /** Connects with default limits; what both say first is said and answered. */
  ScriptedPeer connects() {
    return connects(Limits.DEFAULT);
  }

  ScriptedPeer connects(Limits limits, int... ownSettings) {
    starts(limits);
    written.take();
    sendsPreface();
    sends(WireFrame.settings(ownSettings));
    receives(WireFrame.settingsAck());
    sends(WireFrame.settingsAck());
    connectionTells(new Told.Settings());
    return this;
  }

  /** Connects, but has said nothing yet. */
  ScriptedPeer starts(Limits limits) {
    written = new WrittenBytes();
    events = new RecordingListener();
    connection = new Http2Connection(role, limits, written, events, nowNanos);
    connection.start();
    return this;
  }

  /** What this end says before its first frame: the preface, if it is the client. */
  void sendsPreface() {
    if (role == Role.SERVER) {
      sendsOctets(PREFACE);
    }
  }

  void sends(WireFrame... sent) {
    sendsOctets(WireFrame.octets(sent));
  }

  void sendsOctets(byte[] octets) {
    for (int at = 0; at < octets.length; ) {
      int some = feeding.next(octets.length - at, random);
      byte[] memory = new byte[some + 3 * BEFORE];
      System.arraycopy(octets, at, memory, 2 * BEFORE, some);
      ByteBuffer in = ByteBuffer.wrap(memory, BEFORE, some + BEFORE).slice().position(BEFORE);
      while (in.hasRemaining()) {
        int left = in.remaining();
        connection.receive(in, nowNanos);
        connection.flush();
        assertThat(in.remaining()).as("bytes left").isLessThan(left);
      }
      Arrays.fill(memory, USED);
      at += some;
    }
    connection.flush();
  }

  /** The next frames from the connection are these; debug text and compression do not count. */
  ScriptedPeer receives(WireFrame... expected) {
    connection.flush();
    collect();
    List<WireFrame> next = frames.subList(0, Math.min(expected.length, frames.size()));
    assertThat(next).as("frames written by a %s", this).containsExactly(expected);
    next.clear();
    return this;
  }

  void receivesNothingElse() {
    connection.flush();
    collect();
    assertThat(frames).as("frames written beyond the script by a %s", this).isEmpty();
  }

  /** The frames as they were on the wire, since the last call. */
  List<WireFrame> rawFrames() {
    connection.flush();
    collect();
    frames.clear();
    List<WireFrame> taken = List.copyOf(rawFrames);
    rawFrames.clear();
    return taken;
  }

  /** All octets not looked at yet. */
  byte[] rawOctets() {
    return written.take();
  }

  /** The next events for the connection's driver are these. */
  void connectionTells(Told... expected) {
    List<Told> next = events.told().subList(0, Math.min(expected.length, events.told().size()));
    assertThat(next).as("events told by a %s", this).containsExactly(expected);
    next.clear();
  }

  void connectionTellsNothingElse() {
    assertThat(events.told()).as("events told beyond the script by a %s", this).isEmpty();
  }

  /** What has been told so far is of no interest. */
  void connectionHasTold() {
    events.told().clear();
  }

  /** The connection says why it fails, and from then on neither reads nor writes nor tells. */
  void isCutOff(int lastStreamId, ErrorCode code) {
    receives(WireFrame.goAway(lastStreamId, code));
    connectionTells(new Told.Failed(code));
    staysSilent();
  }

  /** The same for an offence, which the connection names. */
  void isCutOff(AbuseKind offence) {
    assertThat(isOver()).as("the connection is over for too many %s", offence).isTrue();
    assertThat(lastWords())
        .as("the reason that GOAWAY gives")
        .startsWith("too many " + offence + ":");
    isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  /** As above, after much else that does not count. */
  void isCutOff(ErrorCode code) {
    assertThat(isOver()).as("the connection is over").isTrue();
    collect();
    assertThat(frames.getLast().type()).isEqualTo(WireFrame.GOAWAY);
    assertThat(frames.getLast().intAt(Integer.BYTES)).isEqualTo(code.value());
    assertThat(events.told().getLast()).isEqualTo(new Told.Failed(code));
    frames.clear();
    events.told().clear();
    staysSilent();
  }

  boolean isOver() {
    return events.failed;
  }

  private void staysSilent() {
    isIgnored();
    for (Http2Stream stream : events.streams.values()) {
      connection.sendHeaders(stream, Fields.RESPONSE, HeaderList.EMPTY, EndStream.NO);
      connection.sendData(stream, ByteBuffer.allocate(5), EndStream.NO);
      connection.sendTrailers(stream, Fields.TRAILERS, HeaderList.EMPTY);
      connection.consumed(stream, 1 << 20);
      connection.reset(stream, ErrorCode.CANCEL);
    }
    connection.ping(1);
    connection.announceGoAway("late");
    connection.goAway(ErrorCode.NO_ERROR, "late");
    assertThat(connection.canOpenStream()).isFalse();
    isIgnored();
  }

  private void isIgnored() {
    sends(
        WireFrame.settings(),
        WireFrame.ping(5),
        WireFrame.request(101, EndStream.NO),
        WireFrame.data(101, "late", EndStream.YES),
        WireFrame.windowUpdate(0, 1),
        WireFrame.goAway(0, ErrorCode.NO_ERROR));
    receivesNothingElse();
    connectionTellsNothingElse();
  }

  /** The client under test opens a stream with the usual request. */
  Http2Stream asksForStream(EndStream end) {
    Http2Stream stream = connection.openStream(Fields.REQUEST, HeaderList.EMPTY, end);
    events.streams.put(stream.id(), stream);
    return stream;
  }

  /** The id of a stream that no script names: those count from 1001 on. */
  int newStreamId() {
    newStreamId += 2;
    return newStreamId;
  }

  boolean knowsStream(int streamId) {
    return events.streams.containsKey(streamId);
  }

  Http2Stream stream(int streamId) {
    return Objects.requireNonNull(events.streams.get(streamId), "no stream " + streamId);
  }

  void connectionSends(int streamId, String content, EndStream end) {
    byte[] octets = content.getBytes(StandardCharsets.ISO_8859_1);
    connection.sendData(stream(streamId), ByteBuffer.wrap(octets), end);
  }

  void connectionResponds(int streamId, EndStream end) {
    connection.sendHeaders(stream(streamId), Fields.RESPONSE, HeaderList.EMPTY, end);
  }

  void connectionSendsTrailers(int streamId) {
    connection.sendTrailers(stream(streamId), Fields.TRAILERS, HeaderList.EMPTY);
  }

  /** From now on, the driver of the connection treats all data that arrives as progress. */
  void completesMessagesWithEachFrame() {
    events.onEachData = connection::onProgress;
  }

  void completesNothing() {
    events.onEachData = () -> {};
  }

  Http2Connection connection() {
    return connection;
  }

  WrittenBytes sink() {
    return written;
  }

  void waitsSeconds(int seconds) {
    nowNanos += seconds * SECOND_NANOS;
  }

  /**
   * The program of the connection is stopped for so long. What the script sends next has piled up
   * meanwhile, and the connection is not woken before that is read.
   */
  void findsTheConnectionStopped(Duration duration) {
    findsTheConnectionStopped(duration, duration);
  }

  /** The same, where what the script sends next came only after the pause. */
  void findsTheConnectionStopped(Duration duration, Duration backlog) {
    nowNanos += duration.toNanos();
    connection.onPause(duration.toNanos(), backlog.toNanos(), nowNanos);
  }

  /** The connection is woken late, if it has asked to be by now. */
  void wakes() {
    connection.onTime(nowNanos);
    connection.flush();
  }

  /**
   * Time passes, and the connection is woken whenever it has asked to be. A connection that asks
   * without end fails the test.
   */
  void waits(Duration duration) {
    long endNanos = nowNanos + duration.toNanos();
    connection.flush();
    long due = connection.nextDueNanos(nowNanos);
    for (int wakes = 0; due != Timeouts.NEVER && due - endNanos <= 0; wakes++) {
      assertThat(wakes).as("times the connection was woken").isLessThan(MAX_WAKES);
      assertThat(due - nowNanos).as("nanoseconds to the next wake").isPositive();
      nowNanos = due;
      connection.onTime(nowNanos);
      connection.flush();
      due = connection.nextDueNanos(nowNanos);
    }
    nowNanos = endNanos;
  }

  /** How long the connection lets itself wait for the next wake, if nothing happens before. */
  Duration nextWake() {
    return Duration.ofNanos(connection.nextDueNanos(nowNanos) - nowNanos);
  }

  /** Whether the connection wants to be woken at all. */
  boolean isWakeAskedFor() {
    return connection.nextDueNanos(nowNanos) != Timeouts.NEVER;
  }

  /** The words in the last GOAWAY, which ends the script. */
  String lastWords() {
    collect();
    byte[] payload = rawFrames.getLast().payloadOctets();
    assertThat(rawFrames.getLast().type()).isEqualTo(WireFrame.GOAWAY);
    return new String(payload, GOAWAY_WORDS_AT, payload.length - GOAWAY_WORDS_AT, UTF_8);
  }

  private void collect() {
    List<WireFrame> cut = cutter.cut(written.take());
    assertThat(cutter.keptBytes()).as("octets of a torn frame").isZero();
    rawFrames.addAll(cut);
    for (int i = 0; i < cut.size(); i++) {
      WireFrame frame = cut.get(i);
      if (frame.type() == WireFrame.HEADERS) {
        List<WireFrame> block = new ArrayList<>(List.of(frame));
        while (!block.getLast().has(WireFrame.END_HEADERS)) {
          block.add(cut.get(++i));
        }
        frames.add(plain(block));
      } else {
        frames.add(frame.type() == WireFrame.GOAWAY ? withoutDebug(frame) : frame);
      }
    }
  }

  private WireFrame plain(List<WireFrame> block) {
    ByteBuffer octets = ByteBuffer.allocate(block.stream().mapToInt(WireFrame::payloadBytes).sum());
    for (WireFrame fragment : block) {
      assertThat(fragment.streamId()).isEqualTo(block.getFirst().streamId());
      octets.put(fragment.payload().duplicate());
    }
    HeaderList list = (HeaderList) blocks.decode(octets.flip());
    EndStream end = EndStream.of(block.getFirst().has(WireFrame.END_STREAM));
    return WireFrame.headers(block.getFirst().streamId(), list, end);
  }

  private static WireFrame withoutDebug(WireFrame goAway) {
    return WireFrame.raw(
        WireFrame.GOAWAY, 0, 0, Arrays.copyOf(goAway.payloadOctets(), 2 * Integer.BYTES));
  }

  @Override
  public String toString() {
    String seed = feeding == Feeding.RANDOM_SPLITS ? " with seed " + SEED : "";
    return role + " fed " + feeding + seed;
  }
}
