package dev.gannet.http2.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.stream.StreamState;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every frame does to a stream in every state (RFC 9113 §5.1), in both roles.
 *
 * <p>A cell of the tables holds the state behind the frame, which is the state before it where the
 * frame is ignored; or what else it costs: {@code stream} an RST_STREAM with that code, {@code
 * connection} a GOAWAY. What §5.1 would have us answer with a stream error costs the connection
 * here, which §5.4 allows: nobody can make us reset streams in a loop.
 *
 * <p>"Reserved" is no state of ours, because push is off.
 */
final class FramesOnStreamsTest {
  private static final int STREAM_ID = 1;
  private static final int UNKNOWN_TYPE = 0x42;
  private static final int UNKNOWN_FLAGS = 0xff;

  /** The frames that come on streams. */
  enum Frame {
    DATA,
    DATA_WITH_END,
    HEADERS,
    HEADERS_WITH_END,
    PRIORITY,
    RST_STREAM,
    WINDOW_UPDATE,
    CONTINUATION,
    PUSH_PROMISE,
    SETTINGS,
    PING,
    GOAWAY,
    UNKNOWN;

    /** Of these the stream's state decides nothing. */
    private static final Set<Frame> WHATEVER_THE_STATE = EnumSet.range(SETTINGS, UNKNOWN);

    WireFrame of(HeaderList list, HeaderList lastList) {
      return switch (this) {
        case DATA -> WireFrame.data(STREAM_ID, "d", EndStream.NO);
        case DATA_WITH_END -> WireFrame.data(STREAM_ID, "d", EndStream.YES);
        case HEADERS -> WireFrame.headers(STREAM_ID, list, EndStream.NO);
        case HEADERS_WITH_END -> WireFrame.headers(STREAM_ID, lastList, EndStream.YES);
        case PRIORITY -> WireFrame.priority(STREAM_ID);
        case RST_STREAM -> WireFrame.rstStream(STREAM_ID, ErrorCode.CANCEL);
        case WINDOW_UPDATE -> WireFrame.windowUpdate(STREAM_ID, 1);
        case CONTINUATION ->
            WireFrame.raw(WireFrame.CONTINUATION, WireFrame.END_HEADERS, STREAM_ID, 1);
        case PUSH_PROMISE -> WireFrame.raw(WireFrame.PUSH_PROMISE, 0, STREAM_ID, 4);
        case SETTINGS -> WireFrame.raw(WireFrame.SETTINGS, 0, STREAM_ID, 0);
        case PING -> WireFrame.raw(WireFrame.PING, 0, STREAM_ID, Long.BYTES);
        case GOAWAY -> WireFrame.raw(WireFrame.GOAWAY, 0, STREAM_ID, Long.BYTES);
        case UNKNOWN -> WireFrame.raw(UNKNOWN_TYPE, UNKNOWN_FLAGS, STREAM_ID, 1);
      };
    }
  }

  private static final String OFFENDED = "connection PROTOCOL_ERROR";
  private static final String CLOSED = "connection STREAM_CLOSED";
  private static final String MALFORMED = "stream PROTOCOL_ERROR";

  /** A column for each frame whose outcome depends on the state. */
  private static Map<Frame, String> row(String... cells) {
    Set<Frame> columns = EnumSet.complementOf(EnumSet.copyOf(Frame.WHATEVER_THE_STATE));
    assertThat(cells).hasSameSizeAs(columns);
    Map<Frame, String> row = new EnumMap<>(Frame.class);
    int column = 0;
    for (Frame frame : columns) {
      row.put(frame, cells[column++]);
    }
    return row;
  }

  /** Behind its end in the peer's direction a stream takes RST_STREAM and WINDOW_UPDATE alone. */
  private static Map<Frame, String> endedRow(String state, String whenReset) {
    return row(CLOSED, CLOSED, CLOSED, CLOSED, state, whenReset, state, OFFENDED, OFFENDED);
  }

  /** Frames that were under way when we reset the stream are no offence. */
  private static Map<Frame, String> lateRow(String state) {
    return row(state, state, state, state, state, state, state, OFFENDED, OFFENDED);
  }

  private static final Map<StreamState, Map<Frame, String>> AT_A_SERVER =
      Map.of(
          StreamState.IDLE,
          row(
              OFFENDED,
              OFFENDED,
              "OPEN",
              "HALF_CLOSED_REMOTE",
              "IDLE",
              OFFENDED,
              OFFENDED,
              OFFENDED,
              OFFENDED),
          StreamState.OPEN,
          row(
              "OPEN",
              "HALF_CLOSED_REMOTE",
              MALFORMED, // trailers that end nothing
              "HALF_CLOSED_REMOTE",
              "OPEN",
              "RESET_BY_PEER",
              "OPEN",
              OFFENDED,
              OFFENDED),
          StreamState.HALF_CLOSED_LOCAL,
          row(
              "HALF_CLOSED_LOCAL",
              "ENDED",
              MALFORMED,
              "ENDED",
              "HALF_CLOSED_LOCAL",
              "RESET_BY_PEER",
              "HALF_CLOSED_LOCAL",
              OFFENDED,
              OFFENDED),
          StreamState.HALF_CLOSED_REMOTE,
          endedRow("HALF_CLOSED_REMOTE", "RESET_BY_PEER"),
          StreamState.ENDED,
          endedRow("ENDED", "ENDED"),
          StreamState.RESET_BY_US,
          lateRow("RESET_BY_US"),
          StreamState.RESET_BY_PEER,
          endedRow("RESET_BY_PEER", "RESET_BY_PEER"));

  /**
   * Where the response's head came already, but for IDLE. Frames on streams that are gone are read
   * over: clients reset more streams at once than they could remember.
   */
  private static final Map<StreamState, Map<Frame, String>> AT_A_CLIENT = atAClient();

  private static Map<StreamState, Map<Frame, String>> atAClient() {
    Map<StreamState, Map<Frame, String>> table = new EnumMap<>(AT_A_SERVER);
    Map<Frame, String> idle = new EnumMap<>(Objects.requireNonNull(table.get(StreamState.IDLE)));
    idle.put(Frame.HEADERS, OFFENDED); // a server opens no streams
    idle.put(Frame.HEADERS_WITH_END, OFFENDED);
    table.put(StreamState.IDLE, idle);
    table.put(StreamState.ENDED, lateRow("ENDED"));
    table.put(StreamState.RESET_BY_PEER, lateRow("RESET_BY_PEER"));
    return table;
  }

  static Stream<Arguments> cellsAtAServer() {
    return cells(AT_A_SERVER);
  }

  static Stream<Arguments> cellsAtAClient() {
    return cells(AT_A_CLIENT);
  }

  private static Stream<Arguments> cells(Map<StreamState, Map<Frame, String>> table) {
    return table.entrySet().stream().flatMap(row -> cells(row.getKey(), row.getValue()));
  }

  private static Stream<Arguments> cells(StreamState state, Map<Frame, String> row) {
    return EnumSet.allOf(Frame.class).stream()
        .map(frame -> Arguments.of(state, frame, row.getOrDefault(frame, always(state, frame))));
  }

  /** The connection's own frames offend (§6.5, §6.7, §6.8); unknown ones are read over (§5.5). */
  private static String always(StreamState state, Frame frame) {
    return frame == Frame.UNKNOWN ? state.name() : OFFENDED;
  }

  @ParameterizedTest(name = "{0}: {1} leads to {2}")
  @MethodSource("cellsAtAServer")
  void aServerHandlesEachFrameInEachStreamState(StreamState state, Frame frame, String outcome) {
    ScriptedPeer peer = ScriptedPeer.ofServers().findFirst().orElseThrow();
    peer.connects();
    bringServerTo(state, peer);
    boolean first = state == StreamState.IDLE;
    HeaderList list = first ? Fields.REQUEST : Fields.TRAILERS;
    assertThat(outcomeOf(frame.of(list, list), peer)).isEqualTo(outcome);
  }

  private static void bringServerTo(StreamState state, ScriptedPeer peer) {
    EndStream end =
        EndStream.of(state == StreamState.HALF_CLOSED_REMOTE || state == StreamState.ENDED);
    if (state != StreamState.IDLE) {
      peer.sends(WireFrame.request(STREAM_ID, end));
    }
    switch (state) {
      case HALF_CLOSED_LOCAL, ENDED -> peer.connectionResponds(STREAM_ID, EndStream.YES);
      case RESET_BY_US -> peer.connection().reset(peer.stream(STREAM_ID), ErrorCode.CANCEL);
      case RESET_BY_PEER -> peer.sends(WireFrame.rstStream(STREAM_ID, ErrorCode.CANCEL));
      case IDLE, OPEN, HALF_CLOSED_REMOTE -> {}
    }
    assertIsIn(state, peer);
  }

  @ParameterizedTest(name = "{0}: {1} leads to {2}")
  @MethodSource("cellsAtAClient")
  void aClientHandlesEachFrameInEachStreamState(StreamState state, Frame frame, String outcome) {
    ScriptedPeer peer = ScriptedPeer.ofClients().findFirst().orElseThrow();
    peer.connects();
    bringClientTo(state, peer);
    assertThat(outcomeOf(frame.of(Fields.TRAILERS, Fields.TRAILERS), peer)).isEqualTo(outcome);
  }

  private static void bringClientTo(StreamState state, ScriptedPeer peer) {
    EndStream own =
        EndStream.of(state == StreamState.HALF_CLOSED_LOCAL || state == StreamState.ENDED);
    EndStream end =
        EndStream.of(state == StreamState.HALF_CLOSED_REMOTE || state == StreamState.ENDED);
    if (state != StreamState.IDLE) {
      peer.asksForStream(own);
      peer.sends(WireFrame.response(STREAM_ID, end));
    }
    switch (state) {
      case RESET_BY_US -> peer.connection().reset(peer.stream(STREAM_ID), ErrorCode.CANCEL);
      case RESET_BY_PEER -> peer.sends(WireFrame.rstStream(STREAM_ID, ErrorCode.CANCEL));
      case IDLE, OPEN, HALF_CLOSED_LOCAL, HALF_CLOSED_REMOTE, ENDED -> {}
    }
    assertIsIn(state, peer);
  }

  private static void assertIsIn(StreamState state, ScriptedPeer peer) {
    if (state != StreamState.IDLE) {
      assertThat(peer.stream(STREAM_ID).state).isEqualTo(state);
    }
    peer.rawFrames();
    peer.connectionHasTold();
  }

  private static String outcomeOf(WireFrame frame, ScriptedPeer peer) {
    peer.sends(frame);
    List<WireFrame> written = peer.rawFrames();
    for (WireFrame answer : written) {
      if (answer.type() == WireFrame.GOAWAY) {
        return "connection " + ErrorCode.of(answer.intAt(Integer.BYTES));
      } else if (answer.type() == WireFrame.RST_STREAM) {
        return "stream " + ErrorCode.of(answer.intAt(0));
      }
    }
    return peer.knowsStream(STREAM_ID) ? peer.stream(STREAM_ID).state.name() : "IDLE";
  }

  @Test
  void theTablesHaveARowForEachState() {
    assertThat(AT_A_SERVER.keySet()).containsExactlyInAnyOrder(StreamState.values());
    assertThat(AT_A_CLIENT.keySet()).containsExactlyInAnyOrder(StreamState.values());
  }

  @ClientScript
  void aServerHasNoStreamsOfItsOwn(ScriptedPeer peer) {
    peer.connects();
    peer.sends(WireFrame.response(2, EndStream.NO));
    peer.isCutOff(ErrorCode.PROTOCOL_ERROR);
  }

  @ServerScript
  void aClientHasNoEvenStreams(ScriptedPeer peer) {
    peer.connects();
    peer.sends(WireFrame.request(2, EndStream.NO));
    peer.isCutOff(ErrorCode.PROTOCOL_ERROR);
  }

  @ClientScript
  void aResponseBeginsWithItsHead(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.NO);
    peer.rawFrames();
    peer.sends(WireFrame.data(STREAM_ID, "d", EndStream.NO));
    peer.receives(WireFrame.rstStream(STREAM_ID, ErrorCode.PROTOCOL_ERROR));
  }
}
