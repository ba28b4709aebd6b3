package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.WindowLimits;
import dev.gannet.http2.connection.Http2Stream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Answers that a client's windows hold back, and what becomes of their calls until then. */
final class QueuedAnswersTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MOMENT = Duration.ofMillis(1);
  private static final int WINDOW_BYTES = 1 << 20;
  private static final int MANY = 3_000; // crumbs; 1,000 are borne at once

  private final HeldCalls held = new HeldCalls(0);
  private final Simulation simulation = new Simulation().with(Texts.BIDI, held);

  private RawPeer clientWithWindowsOf(int bytes) {
    simulation.serve();
    RawPeer client =
        simulation.rawClient(Limits.DEFAULT.withWindows(WindowLimits.fixed(bytes, 1 << 20)));
    simulation.run();
    return client;
  }

  @Test
  void aResponseThatCannotBeSentIsDroppedAtItsDeadline() {
    RawPeer client = clientWithWindowsOf(8);
    Http2Stream call = asks(client, "grpc-timeout", "1S");
    held.only().answers("does not fit");
    held.only().ends();
    simulation.advance(SECOND.minus(MOMENT));
    assertThat(client.heard(call).content).hasSize(8);
    assertThat(client.heard(call).resets).isEmpty();
    simulation.advance(MOMENT);
    assertThat(client.heard(call).resets).containsExactly(ErrorCode.CANCEL);
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void aFailureThatCannotBeSentIsDroppedAtItsDeadline() {
    RawPeer client = clientWithWindowsOf(8);
    Http2Stream call = asks(client, "grpc-timeout", "1S");
    held.only().answers("does not fit");
    client.sendsContent(call, "\0\u00ff\u00ff\u00ff\u00ff", EndStream.NO);
    simulation.advance(SECOND.minus(MOMENT));
    assertThat(client.heard(call).resets).isEmpty();
    simulation.advance(MOMENT);
    assertThat(client.heard(call).resets).containsExactly(ErrorCode.CANCEL);
  }

  @Test
  void aClientMaySendSmallMessagesWhileItsResponseWaits() {
    RawClientAndCall waiting = withAnAnswerThatWaits();
    for (int i = 0; i < MANY; i++) {
      waiting.client.sendsContent(waiting.call, "\0\0\0\0\1x", EndStream.NO);
      simulation.run();
    }
    assertThat(waiting.client.closed).isFalse();
    waiting.client.reads(waiting.call, WINDOW_BYTES);
    simulation.run();
    assertThat(waiting.client.heard(waiting.call).field("grpc-status")).isEqualTo("0");
  }

  @Test
  void tinyDataEndsTheConnectionWhileTheResponseWaits() {
    RawClientAndCall waiting = withAnAnswerThatWaits();
    waiting.client.sendsContent(waiting.call, "\0\0\1\0\0", EndStream.NO);
    for (int i = 0; i < MANY && !waiting.client.closed; i++) {
      waiting.client.sendsContent(waiting.call, "x", EndStream.NO);
      simulation.run();
    }
    assertThat(waiting.client.closed).isTrue();
  }

  private record RawClientAndCall(RawPeer client, Http2Stream call) {}

  private RawClientAndCall withAnAnswerThatWaits() {
    RawPeer client = clientWithWindowsOf(8);
    Http2Stream call = asks(client);
    held.only().answers("does not fit");
    held.only().ends();
    simulation.run();
    return new RawClientAndCall(client, call);
  }

  @Test
  void aResponseThatWasSentIsNotDroppedAtItsDeadline() {
    RawPeer client = clientWithWindowsOf(8);
    Http2Stream call = asks(client, "grpc-timeout", "1S");
    held.only().ends();
    simulation.advance(SECOND);
    assertThat(client.heard(call).field("grpc-status")).isEqualTo("0");
    assertThat(client.heard(call).resets).containsExactly(ErrorCode.NO_ERROR);
    assertThat(held.only().cancels()).isZero();
  }

  @Test
  void theRestOfARequestIsDiscardedWhileTheResponseWaits() {
    RawPeer client = clientWithWindowsOf(8);
    Http2Stream call = asks(client);
    held.only().answers("does not fit");
    held.only().ends();
    simulation.run();
    client.sendsContent(call, "x".repeat(3 * WINDOW_BYTES), EndStream.NO);
    simulation.run();
    assertThat(call.queuedBytes()).isZero();
    client.reads(call, 8);
    client.reads(call, 8);
    simulation.run();
    assertThat(client.heard(call).field("grpc-status")).isEqualTo("0");
  }

  @Test
  void unreadMessagesAreDiscardedWhileTheResponseWaits() {
    RawPeer client = clientWithWindowsOf(8);
    Http2Stream call = asks(client);
    String message = "\0\0\0\u0003\u00fb" + "x".repeat(1019);
    client.sendsContent(call, message.repeat(2 << 10), EndStream.NO);
    simulation.run();
    assertThat(call.queuedBytes()).isPositive();
    held.only().answers("does not fit");
    held.only().ends();
    simulation.run();
    assertThat(call.queuedBytes()).isZero();
  }

  @Test
  void aClientWithTinyWindowsIsServedBesideOneThatDoesNotRead() {
    RawPeer client = clientWithWindowsOf(256);
    asks(client);
    simulation.run();
    held.only().answers(Texts.ofLength(200_000));
    simulation.run();
    Http2Stream call = asks(client);
    HeldCall served = held.all().getLast();
    for (int i = 0; i < 50; i++) {
      assertThat(served.call().isReady()).isTrue();
      served.answers(Texts.ofLength(251));
      simulation.run();
      client.reads(call, 256);
      simulation.run();
    }
    assertThat(client.heard(call).content).hasSize(50 * 256);
  }

  private Http2Stream asks(RawPeer client, String... more) {
    String[] fields = new String[8 + more.length];
    String[] first = {
      ":method", "POST", ":scheme", "http", ":path", "/" + Texts.BIDI.fullMethodName()
    };
    System.arraycopy(first, 0, fields, 0, 6);
    fields[6] = "content-type";
    fields[7] = "application/grpc";
    System.arraycopy(more, 0, fields, 8, more.length);
    Http2Stream stream = client.asks(EndStream.NO, fields);
    simulation.run();
    return stream;
  }
}
