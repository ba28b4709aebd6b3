package dev.gannet.transport.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.StatusException;
import dev.gannet.transport.memory.ParsingTurns.Party;
import dev.gannet.transport.memory.ParsingTurns.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Long messages are parsed by so many threads at once, connections in turns. */
@Timeout(60)
final class ParsingTurnsTest {
  private final AtomicLong nowNanos = new AtomicLong();
  private final AtomicLong collections = new AtomicLong();
  private final ParsingTurns turns = new ParsingTurns(1, nowNanos::get, collections::get);
  private final List<String> parsed = new CopyOnWriteArrayList<>();

  /** A thread that parses as soon as it may, which takes so long. */
  private Thread parses(String name, Turn turn, long nanos) {
    int before = turns.waiters();
    Thread thread =
        Thread.ofVirtual()
            .start(() -> {
              try {
                turn.begin();
              } catch (StatusException e) {
                parsed.add(name + ": " + e.status().description().orElse(""));
                return;
              }
              nowNanos.addAndGet(nanos);
              parsed.add(name);
              turn.end(0);
            });
    while (turns.waiters() == before && thread.isAlive()) {
      Thread.onSpinWait();
    }
    return thread;
  }

  private static void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void nothingWaitsIfNothingElseIsParsed() throws InterruptedException {
    parses("a", turns.join().turn(), 1).join();
    parses("b", turns.join().turn(), 1).join();
    assertThat(parsed).containsExactly("a", "b");
  }

  @Test
  void aTurnThatCannotBeginOrEndProperlyIsGivenBack() throws InterruptedException {
    AtomicBoolean broken = new AtomicBoolean();
    ParsingTurns fragile =
        new ParsingTurns(
            1,
            () -> {
              if (broken.get()) {
                throw new OutOfMemoryError("no memory for a thread");
              }
              return 0;
            },
            collections::get);
    Turn turn = fragile.join().turn();
    turn.begin();
    broken.set(true);
    assertThatThrownBy(() -> turn.end(0)).isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(turn::begin).isInstanceOf(OutOfMemoryError.class);
    broken.set(false);
    Turn another = fragile.join().turn();
    Thread thread = Thread.ofVirtual().start(another::begin);
    assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
  }

  @Test
  void aTurnDuringAnotherOneWaits() throws InterruptedException {
    Turn first = turns.join().turn();
    first.begin();
    Thread second = parses("second", turns.join().turn(), 1);
    assertThat(parsed).isEmpty();
    first.end(0);
    second.join();
    assertThat(parsed).containsExactly("second");
    assertThat(turns.waiters()).isZero();
  }

  @Test
  void theWaitingConnectionThatHasUsedLeastIsNext() throws InterruptedException {
    Party greedy = turns.join();
    Party modest = turns.join();
    Turn first = greedy.turn();
    first.begin();
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      threads.add(parses("greedy " + i, greedy.turn(), 100));
    }
    for (int i = 1; i <= 3; i++) {
      threads.add(parses("modest " + i, modest.turn(), 40));
    }
    nowNanos.addAndGet(50);
    first.end(0);
    join(threads);
    assertThat(parsed)
        .containsExactly(
            "modest 1", "modest 2", "greedy 1", "modest 3", "greedy 2", "greedy 3", "greedy 4");
  }

  @Test
  void newConnectionsGetNoMoreThanOldOnes() throws InterruptedException {
    Party old = turns.join();
    Turn first = old.turn();
    first.begin();
    List<Thread> threads = new ArrayList<>();
    threads.add(parses("old 1", old.turn(), 100));
    threads.add(parses("old 2", old.turn(), 100));
    nowNanos.addAndGet(1_000);
    first.end(0);
    join(threads);
    Turn another = old.turn();
    another.begin();
    threads.add(parses("old 3", old.turn(), 100));
    threads.add(parses("new 1", turns.join().turn(), 100));
    threads.add(parses("new 2", turns.join().turn(), 100));
    another.end(0);
    join(threads);
    assertThat(parsed).containsExactly("old 1", "old 2", "new 1", "new 2", "old 3");
    assertThat(turns.waiters()).isZero();
  }

  @Test
  void aConnectionIsLikelyQuickAfterAMessageOfHalfAMillisecond() throws InterruptedException {
    Party party = turns.join();
    assertThat(party.turn().isLikelyQuick()).isFalse();
    parses("quick", party.turn(), 500_000).join();
    assertThat(party.turn().isLikelyQuick()).isTrue();
    parses("not quick", party.turn(), 500_001).join();
    assertThat(party.turn().isLikelyQuick()).isFalse();
    party.turn().onParsedWithout(500_000, 0);
    assertThat(party.turn().isLikelyQuick()).isTrue();
  }

  @Test
  void slowMessagesWithoutATurnMakeTheirConnectionSuspect() throws InterruptedException {
    ParsingTurns four = new ParsingTurns(4, nowNanos::get, collections::get);
    Party party = proven(four);
    Turn fresh = four.join().turn();
    fresh.begin();
    long slowNanos = Duration.ofMillis(20).toNanos();
    party.turn().onParsedWithout(slowNanos, slowNanos);
    Turn second = party.turn();
    second.begin(); // beside the suspect one
    second.end(slowNanos);
    Thread third = Thread.ofVirtual().start(party.turn()::begin);
    while (four.waiters() == 0) {
      Thread.onSpinWait();
    }
    fresh.end(0);
    third.join();
  }

  @Test
  void aTurnWhoseCallHasEndedIsGivenUp() throws InterruptedException {
    Turn first = turns.join().turn();
    first.begin();
    Turn ended = turns.join().turn();
    Thread waiting = parses("ended", ended, 1);
    ended.giveUp();
    waiting.join();
    assertThat(parsed).containsExactly("ended: the call ended before its message was read");
    assertThat(turns.waiters()).isZero();
    first.end(0);
    parses("ended before", ended, 1).join();
    assertThat(parsed).last().isEqualTo("ended before: the call ended before its message was read");
    parses("next", turns.join().turn(), 1).join();
    assertThat(parsed).last().isEqualTo("next");
  }

  @Test
  void aTurnWhoseThreadIsInterruptedIsGivenUp() throws InterruptedException {
    Turn first = turns.join().turn();
    first.begin();
    Thread waiting = parses("interrupted", turns.join().turn(), 1);
    waiting.interrupt();
    waiting.join();
    assertThat(parsed).containsExactly("interrupted: interrupted before a message was read");
    first.end(0);
    parses("next", turns.join().turn(), 1).join();
    assertThat(parsed).last().isEqualTo("next");
  }

  /** A connection with a message that was parsed in usual time. */
  private static Party proven(ParsingTurns turns) {
    Party party = turns.join();
    Turn turn = party.turn();
    turn.begin();
    turn.end(0);
    return party;
  }

  @Test
  void newConnectionsTakeTurnsOneAtATimeBesideProvenOnes() throws InterruptedException {
    ParsingTurns four = new ParsingTurns(4, nowNanos::get, collections::get);
    Party proven = proven(four);
    Turn first = four.join().turn();
    first.begin();
    Turn second = four.join().turn();
    AtomicInteger begun = new AtomicInteger();
    Thread waiting =
        Thread.ofVirtual()
            .start(() -> {
              second.begin();
              begun.incrementAndGet();
              second.end(0);
            });
    while (four.waiters() == 0) {
      Thread.onSpinWait();
    }
    Turn another = proven.turn();
    another.begin();
    another.end(0);
    assertThat(begun).hasValue(0);
    first.end(0);
    waiting.join();
    assertThat(begun).hasValue(1);
  }

  @Test
  void afterASlowMessageNewConnectionsRestAndProvenOnesGoOn() throws InterruptedException {
    Party proven = proven(turns);
    Turn slow = turns.join().turn();
    slow.begin();
    nowNanos.addAndGet(Duration.ofMillis(100).toNanos());
    collections.addAndGet(3);
    slow.end(Duration.ofMillis(20).toNanos());
    Thread fresh = parses("new", turns.join().turn(), 1);
    parses("proven", proven.turn(), 1).join();
    nowNanos.addAndGet(Duration.ofMillis(6_399).toNanos());
    parses("proven", proven.turn(), 1).join();
    assertThat(parsed).containsExactly("proven", "proven");
    nowNanos.addAndGet(Duration.ofMillis(1).toNanos());
    parses("later", proven.turn(), 1).join();
    fresh.join();
    assertThat(parsed).containsExactlyInAnyOrder("proven", "proven", "new", "later");
    assertThat(turns.waiters()).isZero();
  }

  @Test
  void theRestEndsByItself() throws InterruptedException {
    ParsingTurns timed = new ParsingTurns(1, System::nanoTime, collections::get);
    Turn slow = timed.join().turn();
    long beganNanos = System.nanoTime();
    slow.begin();
    while (System.nanoTime() - beganNanos < 1_000_000) {
      Thread.onSpinWait();
    }
    collections.addAndGet(3);
    slow.end(Duration.ofMillis(20).toNanos());
    Turn fresh = timed.join().turn();
    fresh.begin();
    fresh.end(0);
    assertThat(System.nanoTime() - beganNanos).isGreaterThan(64_000_000);
    assertThat(timed.waiters()).isZero();
  }

  @Test
  void aSlowMessageWithFewCollectionsLetsNobodyRest() throws InterruptedException {
    Turn slow = turns.join().turn();
    slow.begin();
    nowNanos.addAndGet(Duration.ofMillis(100).toNanos());
    collections.addAndGet(2);
    slow.end(Duration.ofMillis(20).toNanos());
    parses("new", turns.join().turn(), 1).join();
    assertThat(parsed).containsExactly("new");
  }

  @Test
  void aConnectionIsSuspectAfterTwoSlowMessagesNotAfterOne() throws InterruptedException {
    Party party = proven(turns);
    for (int i = 0; i < 3; i++) { // only suspect connections must rest: after the third
      Turn turn = party.turn();
      turn.begin();
      nowNanos.addAndGet(Duration.ofMillis(100).toNanos());
      collections.addAndGet(3);
      turn.end(Duration.ofMillis(20).toNanos());
    }
    Thread fourth = parses("fourth", party.turn(), 1);
    assertThat(parsed).isEmpty();
    nowNanos.addAndGet(Duration.ofMillis(6_400).toNanos());
    parses("new", turns.join().turn(), 1).join(); // lets those that wait look again
    fourth.join();
    assertThat(parsed).containsExactlyInAnyOrder("fourth", "new");
  }

  @SuppressWarnings("ThreadPriorityCheck") // nothing relies on the yields but chance
  @Test
  void everyTurnIsServedAndTheLimitIsKept() throws InterruptedException {
    ParsingTurns two = new ParsingTurns(2, System::nanoTime, collections::get);
    AtomicInteger atWork = new AtomicInteger();
    AtomicInteger tooMany = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    CountDownLatch go = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Party party = two.join();
      Turn turn = party.turn();
      boolean leaves = i % 10 == 0;
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  go.await();
                  for (int round = 0; round < 100; round++) {
                    turn.begin();
                    tooMany.addAndGet(atWork.incrementAndGet() > 2 ? 1 : 0);
                    Thread.yield();
                    atWork.decrementAndGet();
                    turn.end(0);
                  }
                } catch (StatusException | InterruptedException e) {
                  // thrown out
                } finally {
                  done.incrementAndGet();
                }
              }));
      if (leaves) {
        Thread.ofVirtual()
            .start(() -> {
              try {
                go.await();
                Thread.yield();
                turn.giveUp();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
      }
    }
    go.countDown();
    join(threads);
    assertThat(done).hasValue(200);
    assertThat(tooMany).hasValue(0);
    assertThat(two.waiters()).isZero();
  }
}
