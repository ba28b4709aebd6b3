package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.MethodType;
import dev.gannet.transport.CallEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Handlers on event loops run there as long as they are quick. */
final class OnEventLoopTest {
  private static final Logger LOG = Logger.getLogger(OnEventLoop.class.getName());
  private static final Duration QUICK = Duration.ofNanos(OnEventLoop.SLOW_NANOS - 1);
  private static final Duration SLOW = Duration.ofNanos(OnEventLoop.SLOW_NANOS);

  private final List<Runnable> elsewhere = new ArrayList<>();
  private final Executor notHere = elsewhere::add;
  private long nowNanos = Long.MAX_VALUE; // clocks may run over
  private int looksAtTheClock;
  private final SlowPassCounter counter = new SlowPassCounter(this::look, notHere);
  private final OnEventLoop method = new OnEventLoop(counter, "pkg.Service/Method");

  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(null);
  }

  private long look() {
    looksAtTheClock++;
    return nowNanos;
  }

  private void pass(Duration time) {
    nowNanos += time.toNanos();
  }

  private void run(int times, Duration each) {
    for (int i = 0; i < times; i++) {
      run(method, () -> pass(each));
    }
  }

  /** As calls do. */
  private static void run(OnEventLoop method, Runnable event) {
    IncomingCall<String, String> call = TestCalls.beginningWith(event, method);
    method.execute(() -> method.deliver(new CallEvent.Ready(), call), call);
  }

  /** Whether the next call runs on the loop. */
  private boolean isOnLoop() {
    int before = elsewhere.size();
    run(1, Duration.ZERO);
    return elsewhere.size() == before;
  }

  @Test
  void theClockIsNotReadWhilePassesAreQuick() {
    looksAtTheClock = 0;
    run(1000, QUICK);
    assertThat(looksAtTheClock).isZero();
    assertThat(isOnLoop()).isTrue();
  }

  @Test
  void threeSlowEventsInARowMoveAMethodAway() {
    counter.onSlowPass();
    run(2, SLOW);
    assertThat(elsewhere).isEmpty();
    run(1, SLOW);
    assertThat(isOnLoop()).isFalse();
  }

  @Test
  void quickEventsBetweenSlowOnesDoNotResetTheCount() {
    counter.onSlowPass();
    for (int i = 0; i < 3; i++) {
      run(3, Duration.ZERO);
      run(1, SLOW);
    }
    assertThat(isOnLoop()).isFalse();
  }

  @Test
  void slowEventsAreForgottenAfterFortyEight() {
    for (int i = 0; i < 10; i++) {
      counter.onSlowPass();
      run(2, SLOW);
      run(46, Duration.ZERO);
    }
    assertThat(isOnLoop()).isTrue();
  }

  /** A unary call is three events, and its handler is in the last. */
  @Test
  void aSlowMethodThatIsRarelyCalledIsDetectedAsWell() {
    for (int i = 0; i < 4; i++) {
      run(2, Duration.ZERO);
      run(1, Duration.ofSeconds(5));
      counter.onSlowPass();
      pass(Duration.ofSeconds(10));
    }
    assertThat(isOnLoop()).isFalse();
  }

  @Test
  void quickMethodsDoNotHideASlowOne() {
    OnEventLoop busy = new OnEventLoop(counter, "pkg.Service/Busy");
    for (int i = 0; i < 4; i++) {
      run(1, SLOW);
      counter.onSlowPass();
      for (int k = 0; k < 1000; k++) {
        run(busy, () -> pass(QUICK));
      }
    }
    assertThat(isOnLoop()).isFalse();
  }

  /** A pause of the machine is one for all loops. */
  @Test
  void slowEventsAtTheSameTimeCountAsOne() {
    counter.onSlowPass();
    for (int i = 0; i < 2; i++) {
      run(method, () -> run(method, () -> run(method, () -> pass(SLOW))));
    }
    assertThat(isOnLoop()).isTrue();
  }

  @Test
  void aThreadThatRequestsAMessageDoesNotDeliverIt() {
    TestCall call = TestCall.onLoop(MethodType.BIDI_STREAMING);
    call.requestedAtBegin = 1;
    call.comes().hears("a").hears("b");
    assertThat(call.heard).containsExactly("begin", "ready", "a");
    call.stream.onLoop = false;
    call.call().request(1);
    assertThat(call.heard).containsExactly("begin", "ready", "a");
    call.stream.onLoop = true;
    call.stream.forLoop.forEach(Runnable::run);
    assertThat(call.heard).containsExactly("begin", "ready", "a", "b");
  }

  @Test
  void aQuickMethodStaysOnTheLoop() {
    for (int i = 0; i < 10; i++) {
      counter.onSlowPass();
      run(16, QUICK);
    }
    assertThat(isOnLoop()).isTrue();
  }

  @Test
  void aMethodReturnsToTheLoopAfterAMinute() {
    counter.onSlowPass();
    run(3, SLOW);
    pass(Duration.ofSeconds(59));
    assertThat(isOnLoop()).isFalse();
    pass(Duration.ofSeconds(1));
    assertThat(isOnLoop()).isTrue();
  }

  @Test
  void aMethodThatBecomesSlowAgainLeavesTheEventLoopAgain() {
    for (int i = 0; i < 3; i++) {
      counter.onSlowPass();
      run(3, SLOW);
      assertThat(isOnLoop()).isFalse();
      pass(Duration.ofMinutes(1));
    }
  }

  @Test
  void otherMethodsThanTheSlowOneStayOnTheLoop() {
    counter.onSlowPass();
    run(3, SLOW);
    OnEventLoop other = new OnEventLoop(counter, "pkg.Service/Other");
    run(other, () -> pass(SLOW));
    run(other, () -> pass(SLOW));
    assertThat(elsewhere).isEmpty();
  }

  @Test
  void after48EventsTheClockIsNotReadAnyMore() {
    counter.onSlowPass();
    run(48, Duration.ZERO);
    looksAtTheClock = 0;
    run(100, Duration.ZERO);
    assertThat(looksAtTheClock).isZero();
  }

  @Test
  void anEventThatThrowsCountsToo() {
    counter.onSlowPass();
    for (int i = 0; i < 3; i++) {
      try {
        run(
            method,
            () -> {
              pass(SLOW);
              throw new IllegalStateException("on purpose");
            });
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("on purpose");
      }
    }
    assertThat(isOnLoop()).isFalse();
  }
}
