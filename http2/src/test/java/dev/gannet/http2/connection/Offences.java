package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.END_HEADERS;
import static dev.gannet.http2.connection.WireFrame.END_STREAM;
import static dev.gannet.http2.connection.WireFrame.HEADERS;
import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.goAway;
import static dev.gannet.http2.connection.WireFrame.ping;
import static dev.gannet.http2.connection.WireFrame.priority;
import static dev.gannet.http2.connection.WireFrame.raw;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.rstStream;
import static dev.gannet.http2.connection.WireFrame.settings;
import static dev.gannet.http2.connection.WireFrame.windowUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.AbuseKind;
import dev.gannet.http2.AbuseLimits;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.HeaderLimits;
import dev.gannet.http2.Limits;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A peer that commits one kind of offence, on a connection that allows {@link #AT_ONCE} of them at
 * once and {@link #A_SECOND} per second. Tests that take {@link #all} try each kind with each role
 * that can commit it.
 */
final class Offences {
  static final int AT_ONCE = 10;
  static final int A_SECOND = 1;

  /** The largest number of WINDOW_UPDATE frames that need no explanation. */
  private static final int FREE_UPDATES = 16;

  /** {@code :method: GET} as HPACK's static table has it. */
  private static final byte INDEXED_METHOD = (byte) 0x82;

  private final ScriptedPeer peer;
  private final AbuseKind kind;

  Offences(ScriptedPeer peer, AbuseKind kind) {
    this.peer = peer;
    this.kind = kind;
  }

  /** The offences of clients, then those of servers, once for each {@link Feeding}. */
  static Stream<Offences> all() {
    Stream<Offences> ofClients =
        kindsOfClients().stream()
            .flatMap(kind -> ScriptedPeer.ofServers().map(peer -> new Offences(peer, kind)));
    Stream<Offences> ofServers =
        kindsOfServers().stream()
            .flatMap(kind -> ScriptedPeer.ofClients().map(peer -> new Offences(peer, kind)));
    return Stream.concat(ofClients, ofServers);
  }

  private static Set<AbuseKind> kindsOfClients() {
    Set<AbuseKind> all = kindsOfHttp2();
    all.remove(AbuseKind.LATE_FRAME);
    return all;
  }

  private static Set<AbuseKind> kindsOfServers() {
    Set<AbuseKind> all = kindsOfHttp2();
    all.removeAll(
        EnumSet.of(
            AbuseKind.RESET_STREAM,
            AbuseKind.UNSERVED_STREAM,
            AbuseKind.OVERSIZED_HEADERS,
            AbuseKind.EMPTY_DATA,
            AbuseKind.TINY_DATA));
    return all;
  }

  /** Those of TLS are counted below HTTP/2, and no honest peer sends as many in any pause. */
  private static Set<AbuseKind> kindsOfHttp2() {
    return EnumSet.complementOf(EnumSet.of(AbuseKind.EMPTY_TLS_RECORD, AbuseKind.TINY_TLS_RECORD));
  }

  ScriptedPeer peer() {
    return peer;
  }

  /** Connects, and spends all that is free, so that each further offence counts. */
  void prepares() {
    AbuseKind.Rate rate = new AbuseKind.Rate(AT_ONCE, A_SECOND * 60);
    peer.connects(
        Limits.DEFAULT
            .withAbuse(AbuseLimits.DEFAULT.with(kind, rate))
            .withMaxConcurrentStreams(kind == AbuseKind.UNSERVED_STREAM ? 1 : 256)
            .withHeaders(HeaderLimits.DEFAULT.withMaxListBytes(1000)));
    if (kind == AbuseKind.LATE_FRAME) {
      peer.asksForStream(EndStream.YES);
    }
    peer.sends(preparation());
    peer.waitsSeconds(60);
  }

  private WireFrame[] preparation() {
    return switch (kind) {
      case EMPTY_DATA, TINY_DATA -> frames(request(1, EndStream.NO));
      case UNSERVED_STREAM ->
          frames(
              request(1, EndStream.NO),
              rstStream(1, ErrorCode.CANCEL),
              request(3, EndStream.NO),
              rstStream(3, ErrorCode.CANCEL));
      case LATE_FRAME -> frames(rstStream(1, ErrorCode.CANCEL));
      case WINDOW_UPDATE -> {
        WireFrame[] updates = new WireFrame[FREE_UPDATES];
        Arrays.fill(updates, windowUpdate(0, 1));
        yield updates;
      }
      case RESET_STREAM,
          OVERSIZED_HEADERS,
          SETTINGS,
          PING,
          GOAWAY,
          PRIORITY,
          WITHOUT_EFFECT,
          EMPTY_TLS_RECORD,
          TINY_TLS_RECORD ->
          frames();
    };
  }

  /** So many offences end nothing, and the next one ends the connection. */
  void areLimitedTo(int times) {
    areAllowed(times);
    commitOne();
    peer.isCutOff(kind);
  }

  /** So many offences end nothing. */
  void areAllowed(int times) {
    for (int i = 1; i <= times; i++) {
      commitOne();
      assertThat(peer.isOver()).as("over after %d of %d allowed: %s", i, times, this).isFalse();
    }
  }

  private void commitOne() {
    int streamId = peer.newStreamId();
    peer.sends(one(streamId));
    if (kind == AbuseKind.RESET_STREAM) {
      peer.connection().release(peer.stream(streamId));
    }
  }

  /** The frames of one offence. */
  private WireFrame[] one(int streamId) {
    return switch (kind) {
      case RESET_STREAM ->
          frames(request(streamId, EndStream.YES), rstStream(streamId, ErrorCode.CANCEL));
      case UNSERVED_STREAM -> frames(request(streamId, EndStream.YES));
      case OVERSIZED_HEADERS ->
          frames(raw(HEADERS, END_HEADERS | END_STREAM, streamId, manyFields()));
      case EMPTY_DATA -> frames(data(1, "", EndStream.NO));
      case TINY_DATA -> frames(data(1, "c", EndStream.NO));
      case WINDOW_UPDATE -> frames(windowUpdate(0, 1));
      case SETTINGS -> frames(settings());
      case PING -> frames(ping(1));
      case LATE_FRAME -> frames(rstStream(1, ErrorCode.CANCEL));
      case GOAWAY -> frames(goAway(0, ErrorCode.NO_ERROR));
      case PRIORITY -> frames(priority(1));
      case WITHOUT_EFFECT -> frames(raw(99, 0, 0, 0));
      case EMPTY_TLS_RECORD, TINY_TLS_RECORD -> throw new AssertionError("counted below HTTP/2");
    };
  }

  private static byte[] manyFields() {
    byte[] list = new byte[30];
    Arrays.fill(list, INDEXED_METHOD);
    return list;
  }

  private static WireFrame[] frames(WireFrame... frames) {
    return frames;
  }

  @Override
  public String toString() {
    return kind + " to a " + peer;
  }
}
