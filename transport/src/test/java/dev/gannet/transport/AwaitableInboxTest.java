package dev.gannet.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A receiver may wait for further events inside an event, on any threads, until it ends. */
final class AwaitableInboxTest {
  private static final int ROUNDS = 100_000;
  private static final int MAX_NANOS = 300;

  /** A receiver that blocks inside its first event until a message has come. */
  private static final class Blocking implements ReceiverInbox.Receiver {
    private final AwaitableInbox inbox = new ReceiverInbox(Runnable::run, this);
    private final int nanos;
    private volatile boolean looking;
    private volatile int messages;

    Blocking(int nanos) {
      this.nanos = nanos;
    }

    @Override
    public void receive(CallEvent event) {
      if (event instanceof CallEvent.Message) {
        messages = 1;
        return;
      }
      try {
        inbox.await(this::hasMessage);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private boolean hasMessage() {
      looking = true;
      spin(nanos);
      return messages > 0;
    }
  }

  /** The request comes about the moment in which the receiver finds that there was none. */
  @Test
  void aRequestOfAnotherThreadReachesAReceiverThatBlocks() throws Exception {
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      for (int round = 0; round < ROUNDS; round++) {
        Blocking receiver = new Blocking(round / MAX_NANOS % MAX_NANOS);
        receiver.inbox.add(new CallEvent.Headers(new Metadata()));
        receiver.inbox.add(CallEvent.Message.parsed("m", 1));
        Future<?> receiving = thread.submit(receiver.inbox::wake);
        while (!receiver.looking) {
          Thread.onSpinWait();
        }
        spin(round * 7 % MAX_NANOS);
        receiver.inbox.request(1);
        assertThat(ends(receiving)).as("round %d", round).isTrue();
      }
    }
  }

  /** A receiver that has several threads in its first event, each of which waits for a message. */
  private static final class Crowd implements ReceiverInbox.Receiver {
    private static final int THREADS = 3;

    private final AwaitableInbox inbox = new ReceiverInbox(Runnable::run, this);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final AtomicInteger inside = new AtomicInteger();
    private final List<Object> messages = new CopyOnWriteArrayList<>();

    @Override
    public void receive(CallEvent event) {
      if (event instanceof CallEvent.Message message) {
        assertThat(inside.incrementAndGet()).as("messages at a time").isEqualTo(1);
        messages.add(message);
        inside.decrementAndGet();
        return;
      }
      begun.countDown();
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int least = 1; least <= THREADS; least++) {
          int enough = least;
          threads.execute(() -> awaitMessages(enough));
        }
      }
    }

    private void awaitMessages(int enough) {
      try {
        inbox.await(() -> messages.size() >= enough);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void waitingThreadsOfAReceiverNoticeWhatAnotherDelivers() throws Exception {
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      for (int round = 0; round < ROUNDS / 10; round++) {
        Crowd receiver = new Crowd();
        receiver.inbox.request(Crowd.THREADS);
        receiver.inbox.add(new CallEvent.Headers(new Metadata()));
        Future<?> receiving = thread.submit(receiver.inbox::wake);
        receiver.begun.await(); // else this thread would be the one that receives
        List<Object> sent = new ArrayList<>();
        for (int i = 0; i < Crowd.THREADS; i++) {
          spin(round * 7 % MAX_NANOS * 10);
          CallEvent.Message message = CallEvent.Message.parsed("m" + i, 1);
          sent.add(message);
          receiver.inbox.add(message);
          receiver.inbox.wake();
        }
        assertThat(ends(receiving)).as("round %d", round).isTrue();
        assertThat(receiver.messages).isEqualTo(sent);
      }
    }
  }

  /**
   * A receiver whose first event has another thread read, and ends without waiting for it. Counts
   * the events that come while another one is received outside the first.
   */
  private static final class Careless implements ReceiverInbox.Receiver {
    private static final int MESSAGES = 3;

    private final ExecutorService threads;
    private final int nanos;
    private final AwaitableInbox inbox;
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final List<Object> messages = new CopyOnWriteArrayList<>();
    private final CountDownLatch all = new CountDownLatch(MESSAGES);
    private final CompletableFuture<Future<?>> reader = new CompletableFuture<>();
    private volatile boolean looking;
    private volatile boolean stuck;

    /**
     * @param nanos how long the first event takes after the reader was started
     */
    Careless(ExecutorService threads, int nanos) {
      this.threads = threads;
      this.nanos = nanos;
      this.inbox = new ReceiverInbox(threads, this);
    }

    @Override
    public void receive(CallEvent event) {
      if (event instanceof CallEvent.Headers) {
        reader.complete(threads.submit(this::read));
        while (!looking) {
          Thread.onSpinWait();
        }
        spin(nanos);
        return;
      }
      if (inside.incrementAndGet() > 1) {
        overlaps.incrementAndGet();
      }
      messages.add(event);
      spin(MAX_NANOS);
      inside.decrementAndGet();
      all.countDown();
      inbox.wakeWaiters();
    }

    private void read() {
      try {
        inbox.await(this::isOver);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private boolean isOver() {
      looking = true;
      return all.getCount() == 0;
    }

    @Override
    public void onStuck() {
      stuck = true;
    }
  }

  /** Its first event ends about the moment in which the other thread takes a message. */
  @Test
  void aReceiverGetsOneEventAtATimeWhenItsFirstEndsWhileAnotherThreadReads() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < ROUNDS / 5; round++) {
        Careless receiver = new Careless(threads, round * 7 % MAX_NANOS * 100);
        receiver.inbox.request(Careless.MESSAGES);
        receiver.inbox.add(new CallEvent.Headers(new Metadata()));
        receiver.inbox.wake();
        List<Object> sent = new ArrayList<>();
        for (int i = 0; i < Careless.MESSAGES; i++) {
          CallEvent.Message message = CallEvent.Message.parsed("m" + i, 1);
          sent.add(message);
          receiver.inbox.add(message);
          receiver.inbox.wake();
          spin(round % MAX_NANOS * 10);
        }
        assertThat(receiver.all.await(10, TimeUnit.SECONDS)).as("all of round %d", round).isTrue();
        assertThat(ends(receiver.reader.get())).as("reader of round %d", round).isTrue();
        assertThat(receiver.messages).as("messages of round %d", round).isEqualTo(sent);
        assertThat(receiver.overlaps).as("overlaps of round %d", round).hasValue(0);
      }
    }
  }

  /** A receiver that waits although none of its events is being processed. */
  @Test
  void aThreadThatWaitsOutsideTheEventsIsStuck() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Careless receiver = new Careless(threads, 0);
      Future<?> waiting = threads.submit(receiver::read);
      assertThat(ends(waiting)).isTrue();
      assertThat(receiver.stuck).isTrue();
    }
  }

  /** Has another thread wait, which looks before the event has done what it waits for. */
  private static final class Late implements ReceiverInbox.Receiver {
    private final ExecutorService threads;
    private final AwaitableInbox inbox = new ReceiverInbox(Runnable::run, this);
    private final CountDownLatch looked = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final CompletableFuture<Future<?>> reader = new CompletableFuture<>();
    private volatile boolean done;
    private volatile boolean stuck;

    Late(ExecutorService threads) {
      this.threads = threads;
    }

    @Override
    public void receive(CallEvent event) {
      reader.complete(threads.submit(this::read));
      awaitQuietly(looked);
      done = true;
      inbox.wakeWaiters();
    }

    private void read() {
      try {
        inbox.await(this::looksAndIsLate);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private boolean looksAndIsLate() {
      boolean seen = done;
      looked.countDown();
      awaitQuietly(over);
      return seen;
    }

    private static void awaitQuietly(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void onStuck() {
      stuck = true;
    }
  }

  @Test
  void aThreadWhoseConditionHasBecomeTrueIsNotStuck() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Late receiver = new Late(threads);
      receiver.inbox.add(new CallEvent.Headers(new Metadata()));
      receiver.inbox.wake();
      receiver.over.countDown();
      assertThat(ends(receiver.reader.get())).isTrue();
      assertThat(receiver.stuck).isFalse();
    }
  }

  private static void spin(int nanos) {
    long endNanos = System.nanoTime() + nanos;
    while (System.nanoTime() - endNanos < 0) {
      Thread.onSpinWait();
    }
  }

  private static boolean ends(Future<?> receiving) throws InterruptedException, ExecutionException {
    try {
      receiving.get(10, TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException e) {
      receiving.cancel(true);
      return false;
    }
  }
}
