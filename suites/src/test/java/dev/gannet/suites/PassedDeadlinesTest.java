package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.WindowLimits;
import dev.gannet.http2.connection.Http2Stream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a server writes on a call whose deadline has passed: the status, wherever it can follow what
 * was written before. Clients in C++ and Python report a reset as CANCELLED if it comes before they
 * have seen by themselves that they are late.
 */
final class PassedDeadlinesTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int LARGE_WINDOW_BYTES = 65_535;
  private static final String LATE = "4";
  private static final String THREE = "\0\0\0\0\3"; // the prefix of a message of three bytes

  private final HeldCalls held = new HeldCalls();
  private final Simulation simulation =
      new Simulation().with(Texts.UNARY, held).with(Texts.BIDI, held);

  private RawPeer clientWithWindowsOf(int bytes) {
    simulation.serve();
    RawPeer client =
        simulation.rawClient(Limits.DEFAULT.withWindows(WindowLimits.fixed(bytes, 65_535)));
    simulation.run();
    return client;
  }

  private Http2Stream asks(RawPeer client, EndStream end) {
    return asks(client, end, "1S");
  }

  private Http2Stream asks(RawPeer client, EndStream end, String timeout) {
    Http2Stream call =
        client.asks(
            end,
            ":method",
            "POST",
            ":scheme",
            "http",
            ":path",
            "/" + Texts.BIDI.fullMethodName(),
            "content-type",
            "application/grpc",
            "grpc-timeout",
            timeout);
    simulation.run();
    return call;
  }

  private static void assertLate(RawPeer.Heard answer) {
    assertThat(answer.field("grpc-status")).isEqualTo(LATE);
    assertThat(answer.field("grpc-message")).isEqualTo("deadline exceeded (set by the client)");
    assertThat(answer.ended).isTrue();
  }

  @Test
  void aResponseThatHasNotBegunIsTrailersOnly() {
    RawPeer client = clientWithWindowsOf(LARGE_WINDOW_BYTES);
    Http2Stream call = asks(client, EndStream.YES);
    simulation.advance(SECOND);
    assertLate(client.heard(call));
    assertThat(client.heard(call).lists).hasSize(1);
    assertThat(client.heard(call).field(":status")).isEqualTo("200");
    assertThat(client.heard(call).resets).isEmpty();
    assertThat(held.only().cancels()).isOne();
  }

  /** RFC 9113 §8.1: nobody listens any more. */
  @Test
  void aClientThatHasNotHalfClosedIsResetWithNoError() {
    RawPeer client = clientWithWindowsOf(LARGE_WINDOW_BYTES);
    Http2Stream call = asks(client, EndStream.NO);
    simulation.advance(SECOND);
    assertLate(client.heard(call));
    assertThat(client.heard(call).resets).containsExactly(ErrorCode.NO_ERROR);
    assertThat(held.only().cancels()).isOne();
  }

  @ParameterizedTest
  @EnumSource
  void theStatusFollowsTheMessagesThatWereSent(EndStream end) {
    RawPeer client = clientWithWindowsOf(LARGE_WINDOW_BYTES);
    Http2Stream call = asks(client, end);
    held.only().answers("abc", "def");
    simulation.advance(SECOND);
    assertThat(client.heard(call).content).hasToString(THREE + "abc" + THREE + "def");
    assertThat(client.heard(call).lists).hasSize(2);
    assertLate(client.heard(call));
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void theStatusMayFollowHeadersWithoutMessages() {
    RawPeer client = clientWithWindowsOf(LARGE_WINDOW_BYTES);
    Http2Stream call = asks(client, EndStream.YES);
    held.only().call().sendHeaders(new Metadata());
    simulation.advance(SECOND);
    assertThat(client.heard(call).lists).hasSize(2);
    assertLate(client.heard(call));
  }

  @ParameterizedTest
  @EnumSource
  void messagesThatAreCompletelyUnsentAreDropped(EndStream end) {
    RawPeer client = clientWithWindowsOf(8); // as many as the first message takes
    Http2Stream call = asks(client, end);
    held.only().answers("abc", "def", "ghi");
    simulation.advance(SECOND);
    assertThat(client.heard(call).content).hasToString(THREE + "abc");
    assertLate(client.heard(call));
    client.reads(call, 8);
    simulation.run();
    assertThat(client.heard(call).content).hasToString(THREE + "abc");
    assertThat(client.openStreams()).isZero();
  }

  @Test
  void aCompleteQueuedResponseIsReplacedByTheStatus() {
    RawPeer client = clientWithWindowsOf(8);
    Http2Stream call = asks(client, EndStream.YES);
    held.only().answers("abc", "def");
    held.only().ends();
    simulation.advance(SECOND);
    assertThat(client.heard(call).content).hasToString(THREE + "abc");
    assertLate(client.heard(call));
    assertThat(held.only().cancels()).isOne();
  }

  /** No status can stand behind half a message. */
  @ParameterizedTest
  @EnumSource
  void aCallWithAPartlySentMessageEndsWithAReset(EndStream end) {
    RawPeer client = clientWithWindowsOf(9);
    Http2Stream call = asks(client, end);
    held.only().answers("abc", "def");
    simulation.advance(SECOND);
    assertThat(client.heard(call).content).hasToString(THREE + "abc\0");
    assertThat(client.heard(call).field("grpc-status")).isEmpty();
    assertThat(client.heard(call).resets).containsExactly(ErrorCode.CANCEL);
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void laterOutputOfTheHandlerIsDropped() {
    RawPeer client = clientWithWindowsOf(LARGE_WINDOW_BYTES);
    Http2Stream call = asks(client, EndStream.NO);
    held.only().answers("abc");
    simulation.advance(SECOND);
    held.only().answers("late");
    held.only().ends(Status.NOT_FOUND);
    simulation.run();
    assertThat(client.heard(call).content).hasToString(THREE + "abc");
    assertThat(client.heard(call).lists).hasSize(2);
    assertLate(client.heard(call));
    assertThat(client.closed).isFalse();
  }

  private Http2Stream asksForContentEnd(RawPeer client) {
    Http2Stream call =
        client.asks(
            EndStream.YES,
            ":method",
            "POST",
            ":scheme",
            "http",
            ":path",
            "/" + Texts.BIDI.fullMethodName(),
            "content-type",
            ContentEndProtocol.CONTENT_TYPE,
            ContentEndProtocol.TIMEOUT,
            "1000");
    simulation.run();
    return call;
  }

  private void assertContent(RawPeer client, Http2Stream call, String content) {
    assertThat(client.heard(call).content).hasToString(content);
    assertThat(client.heard(call).ended).isTrue();
    assertThat(client.heard(call).resets).isEmpty();
    assertThat(client.openStreams()).isZero();
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void theContentOfAProtocolMayBeginWithTheStatus() {
    RawPeer client = clientWithWindowsOf(LARGE_WINDOW_BYTES);
    Http2Stream call = asksForContentEnd(client);
    simulation.advance(SECOND);
    assertContent(client, call, "end:DEADLINE_EXCEEDED");
  }

  @Test
  void theStatusInTheContentFollowsTheMessagesThatWereSent() {
    RawPeer client = clientWithWindowsOf(LARGE_WINDOW_BYTES);
    Http2Stream call = asksForContentEnd(client);
    held.only().answers("abc");
    simulation.advance(SECOND);
    assertContent(client, call, THREE + "abc" + "end:DEADLINE_EXCEEDED");
  }

  /** Content cannot overtake content. */
  @Test
  void aStatusInTheContentDoesNotWaitForMessages() {
    RawPeer client = clientWithWindowsOf(9);
    Http2Stream call = asksForContentEnd(client);
    held.only().answers("abc", "def");
    simulation.advance(SECOND);
    assertReset(client, call, THREE + "abc\0");
  }

  @Test
  void aStatusInTheContentDoesNotWaitForAWindowForLong() {
    RawPeer client = clientWithWindowsOf(11);
    Http2Stream call = asksForContentEnd(client);
    held.only().answers("abc");
    simulation.advance(SECOND);
    assertThat(client.heard(call).resets).isEmpty();
    simulation.advance(Duration.ofSeconds(10));
    assertReset(client, call, THREE + "abc" + "end");
  }

  private void assertReset(RawPeer client, Http2Stream call, String content) {
    assertThat(client.heard(call).content).hasToString(content);
    assertThat(client.heard(call).resets).containsExactly(ErrorCode.CANCEL);
    assertThat(client.openStreams()).isZero();
    assertThat(held.only().cancels()).isOne();
  }

  /** Both clocks go by the same deadline, so most clients reset such a call themselves. */
  @ParameterizedTest
  @EnumSource
  void resetsThatCrossTheStatusAreNoOffence(EndStream end) {
    RawPeer client = clientWithWindowsOf(LARGE_WINDOW_BYTES);
    for (int round = 0; round < 12; round++) {
      List<Http2Stream> calls = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        calls.add(asks(client, end, "50m"));
      }
      simulation.network().stall();
      simulation.advance(Duration.ofMillis(50));
      calls.forEach(client::resets);
      simulation.network().resume();
      simulation.run();
      assertThat(client.closed).as("the server cut the client off").isFalse();
      assertThat(held.all()).hasSize(200 * (round + 1)).allMatch(call -> call.cancels() == 1);
      held.all().forEach(HeldCall::ends);
      simulation.run();
    }
  }
}
