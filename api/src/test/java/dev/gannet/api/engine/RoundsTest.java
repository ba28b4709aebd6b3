package dev.gannet.api.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who works when rounds are requested, and how often. */
@Timeout(60)
final class RoundsTest {
  private final Rounds rounds = new Rounds();

  /** What the next rounds do; further ones do nothing. */
  private final Queue<Runnable> next = new ArrayDeque<>();

  private final List<String> done = new ArrayList<>();

  private void round() {
    int number = done.size() / 2 + 1;
    done.add("begin " + number);
    Runnable work = next.poll();
    try {
      if (work != null) {
        work.run();
      }
    } finally {
      done.add("end " + number);
    }
  }

  private boolean request() {
    return rounds.run(this, RoundsTest::round);
  }

  private void throwing(String what) {
    next.add(() -> {
      throw new IllegalStateException(what);
    });
  }

  @Test
  void aRequestIsOneRoundOfItsThread() {
    assertThat(request()).isTrue();
    assertThat(done).containsExactly("begin 1", "end 1");
    assertThat(request()).isTrue();
    assertThat(done).hasSize(4);
  }

  @Test
  void aRequestFromWithinARoundIsAnsweredByAFurtherRoundAfterIt() {
    next.add(() -> assertThat(request()).isFalse());
    assertThat(request()).isTrue();
    assertThat(done).containsExactly("begin 1", "end 1", "begin 2", "end 2");
  }

  @Test
  void severalRequestsDuringARoundAreAnsweredByOne() {
    next.add(() -> {
      request();
      request();
      request();
    });
    request();
    assertThat(done).containsExactly("begin 1", "end 1", "begin 2", "end 2");
  }

  @Test
  void aRequestDuringAFurtherRoundIsAnsweredAsWell() {
    next.add(this::request);
    next.add(this::request);
    request();
    assertThat(done).hasSize(6);
    request();
    assertThat(done).hasSize(8);
  }

  @Test
  void anExceptionReachesTheWorkingThreadAndBlocksNoLaterRequest() {
    throwing("broken");
    assertThatThrownBy(this::request).hasMessage("broken");
    assertThat(request()).isTrue();
    assertThat(done).endsWith("begin 2", "end 2");
  }

  @Test
  void aRequestDuringARoundThatThrowsIsAnsweredBeforeTheExceptionIsThrown() {
    next.add(() -> {
      request();
      throw new AssertionError("broken");
    });
    assertThatThrownBy(this::request).isInstanceOf(AssertionError.class).hasMessage("broken");
    assertThat(done).containsExactly("begin 1", "end 1", "begin 2", "end 2");
    assertThat(request()).isTrue();
  }

  @Test
  void theFirstOfSeveralExceptionsIsThrown() {
    next.add(() -> {
      request();
      throw new IllegalStateException("first");
    });
    throwing("second");
    assertThatThrownBy(this::request).hasMessage("first");
    assertThat(done).hasSize(4);
    assertThat(request()).isTrue();
  }

  @Test
  void anExceptionOfAFurtherRoundIsThrown() {
    next.add(this::request);
    throwing("second");
    assertThatThrownBy(this::request).hasMessage("second");
    assertThat(request()).isTrue();
  }

  @Test
  void theWorkingThreadWorksForAnotherOneThatDoesNotWait() throws Exception {
    CountDownLatch inRound = new CountDownLatch(1);
    CountDownLatch requested = new CountDownLatch(1);
    List<Thread> workers = new ArrayList<>();
    next.add(() -> {
      inRound.countDown();
      awaitOf(requested);
      workers.add(Thread.currentThread());
    });
    next.add(() -> workers.add(Thread.currentThread()));
    CompletableFuture<Boolean> worked = new CompletableFuture<>();
    Thread worker = Thread.startVirtualThread(() -> worked.complete(request()));
    inRound.await();
    assertThat(request()).isFalse();
    requested.countDown();
    assertThat(worked.get()).isTrue();
    assertThat(workers).containsExactly(worker, worker);
    assertThat(request()).isTrue();
  }

  @Test
  void theExceptionOfARoundIsNotThatOfAThreadThatOnlyRequestedOne() throws Exception {
    CountDownLatch inRound = new CountDownLatch(1);
    CountDownLatch requested = new CountDownLatch(1);
    next.add(() -> {
      inRound.countDown();
      awaitOf(requested);
      throw new IllegalStateException("broken");
    });
    CompletableFuture<Boolean> worked = CompletableFuture.supplyAsync(this::request);
    inRound.await();
    assertThat(request()).isFalse();
    requested.countDown();
    assertThatThrownBy(worked::get)
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("broken");
    assertThat(done).containsExactly("begin 1", "end 1", "begin 2", "end 2");
  }

  private static void awaitOf(CountDownLatch event) {
    try {
      event.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
