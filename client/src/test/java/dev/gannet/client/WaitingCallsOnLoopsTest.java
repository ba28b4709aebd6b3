package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How much of the work on waiting calls an event loop does when their connection is ready: it must
 * not be held by the marshallers and compressors of all of them.
 */
@Timeout(60)
final class WaitingCallsOnLoopsTest {
  private static final int CALLS = 10;
  private static final Duration MAX = Duration.ofMillis(1);

  private final TestChannel test = new TestChannel();

  /** Which threads have marshalled messages, and how often. */
  private final List<Thread> marshalling = new ArrayList<>();

  private final LoopThread loop = new LoopThread(() -> test.dial().becomesReady());

  /** Each of the messages takes that long to marshal; the latch is at 0 when all have been. */
  private CountDownLatch marshalled(int messages, Duration time) {
    CountDownLatch left = new CountDownLatch(messages);
    test.dial().transport.duringSendOfNext =
        () -> {
          synchronized (marshalling) {
            test.loop.spend(time);
            marshalling.add(Thread.currentThread());
          }
          left.countDown();
        };
    return left;
  }

  private void connectOnLoop() throws InterruptedException {
    loop.start();
    loop.join();
  }

  private List<Thread> marshalling() {
    synchronized (marshalling) {
      return List.copyOf(marshalling);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aLoopPassesWaitingCallsOnWhenItsTurnIsOver(int maxConnections) throws InterruptedException {
    test.maxConnectionsPerSubchannel = maxConnections;
    for (int i = 0; i < CALLS; i++) {
      test.call();
    }
    CountDownLatch left = marshalled(CALLS, MAX.dividedBy(2));
    connectOnLoop();
    left.await();
    assertThat(marshalling()).hasSize(CALLS).startsWith(loop, loop);
    assertThat(marshalling()).allMatch(it -> it.equals(loop) || it.isVirtual());
    assertThat(marshalling().stream().filter(loop::equals))
        .as("a turn for the connection, one for its pool, one for the picker of the policy")
        .hasSizeLessThanOrEqualTo(3 * 2);
    assertThat(test.channel().pendingCalls()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aLoopStartsAFewWaitingCallsItself(int maxConnections) throws InterruptedException {
    test.maxConnectionsPerSubchannel = maxConnections;
    for (int i = 0; i < CALLS; i++) {
      test.call();
    }
    CountDownLatch left = marshalled(CALLS, Duration.ZERO);
    connectOnLoop();
    left.await();
    assertThat(marshalling()).hasSize(CALLS).containsOnly(loop);
  }

  @Test
  void otherThreadsStartAllWaitingCalls() {
    for (int i = 0; i < CALLS; i++) {
      test.call();
    }
    CountDownLatch left = marshalled(CALLS, MAX);
    test.dial().becomesReady();
    assertThat(left.getCount()).isZero();
    assertThat(marshalling()).containsOnly(Thread.currentThread());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aStreamOfMessagesIsNotMarshalledOnALoop(int maxConnections) throws InterruptedException {
    test.maxConnectionsPerSubchannel = maxConnections;
    TestCall call = test.start(TestChannel.BIDI);
    call.call.sendMessage("one");
    call.call.sendMessage("two");
    call.call.halfClose();
    marshalled(1, Duration.ZERO);
    CountDownLatch ready = new CountDownLatch(1);
    call.atEach = heard -> ready.countDown();
    connectOnLoop();
    ready.await();
    assertThat(marshalling()).hasSize(1).allMatch(Thread::isVirtual);
    assertThat(test.dial().transport.stream().told)
        .containsExactly("flush", "one", "flush", "two", "flush", "half-close", "flush");
  }

  @Test
  void aSingleMessageOfAStreamIsMarshalledOnTheLoop() throws InterruptedException {
    TestCall call = test.start(TestChannel.BIDI);
    call.call.sendMessage("one");
    marshalled(1, Duration.ZERO);
    connectOnLoop();
    assertThat(marshalling()).containsExactly(loop);
    assertThat(call.heard).containsExactly("ready");
  }
}
