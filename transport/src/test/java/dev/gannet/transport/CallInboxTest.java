package dev.gannet.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A call's receiver gets what it requested, whichever thread requests it, and whenever. */
final class CallInboxTest {
  private static final int ROUNDS = 100_000;
  private static final int MAX_NANOS = 300;

  /** A receiver that blocks inside its first event until a message has come. */
  private static final class Blocking implements ReceiverInbox.Receiver {
    private final CallInbox inbox = new ReceiverInbox(Runnable::run, this);
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

  /** A receiver that writes down what comes, delivered to on the thread that wakes. */
  private static final class Recording implements ReceiverInbox.Receiver {
    private final CallInbox inbox = new ReceiverInbox(Runnable::run, this);
    private final List<String> heard = new ArrayList<>();

    void wakeWith(CallEvent... events) {
      for (CallEvent event : events) {
        inbox.add(event);
      }
      inbox.wake();
    }

    @Override
    public void receive(CallEvent event) {
      heard.add(event.kind().name());
    }

    @Override
    public void onEndHeld() {
      heard.add("end held");
    }
  }

  @Test
  void eventsAddedAfterTheEndDoNotHideIt() {
    Recording receiver = new Recording();
    receiver.wakeWith(
        CallEvent.Message.parsed("m", 1),
        CallEvent.Closed.received(Status.OK, new Metadata()),
        new CallEvent.Ready());
    assertThat(receiver.heard).containsExactly("end held");
    receiver.wakeWith(new CallEvent.Ready());
    receiver.inbox.request(1);
    assertThat(receiver.heard).containsExactly("end held", "end held", "MESSAGE", "CLOSED");
  }

  @Test
  void eventsAfterTheEndDoNotDelayAnImmediateEnd() {
    Recording receiver = new Recording();
    receiver.wakeWith(
        CallEvent.Message.parsed("m", 1),
        CallEvent.Closed.received(Status.OK, new Metadata()),
        CallEvent.Closed.atOnce(Status.CANCELLED),
        new CallEvent.Ready());
    assertThat(receiver.heard).containsExactly("CLOSED");
  }

  /** A receiver that has several threads in its first event, each of which waits for a message. */
  private static final class Crowd implements ReceiverInbox.Receiver {
    private static final int THREADS = 3;

    private final CallInbox inbox = new ReceiverInbox(Runnable::run, this);
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

  /** Takes a task, and says that it does not. */
  private static final class Liar implements Executor {
    private final List<Runnable> kept = new ArrayList<>();

    @Override
    public void execute(Runnable task) {
      kept.add(task);
      throw new OutOfMemoryError("unable to create native thread");
    }
  }

  @Test
  void anExecutorThatRunsARejectedTaskDeliversNothingTwice() {
    Liar liar = new Liar();
    List<CallEvent> received = new ArrayList<>();
    CallInbox inbox =
        new ReceiverInbox(
            liar,
            event -> {
              received.add(event);
              liar.kept.forEach(Runnable::run);
            });
    CallEvent first = new CallEvent.Headers(new Metadata());
    CallEvent second = new CallEvent.HalfClosed();
    inbox.add(first);
    inbox.add(second);
    assertThatThrownBy(inbox::wake)
        .isInstanceOf(RejectedExecutionException.class)
        .hasCauseInstanceOf(OutOfMemoryError.class);
    liar.kept.forEach(Runnable::run);
    assertThat(received).isEmpty();
    inbox.deliverHere();
    assertThat(received).containsExactly(first, second);
  }

  @Test
  void readinessIsDeliveredFirstAndOnceAmongEventsThatArriveTogether() {
    List<CallEvent> received = new ArrayList<>();
    CallInbox inbox = new ReceiverInbox(Runnable::run, received::add);
    CallEvent headers = new CallEvent.Headers(new Metadata());
    inbox.add(headers);
    inbox.add(new CallEvent.Ready());
    inbox.add(new CallEvent.Ready());
    inbox.wake();
    assertThat(received).hasSize(2);
    assertThat(received.getFirst()).isInstanceOf(CallEvent.Ready.class);
    assertThat(received.getLast()).isSameAs(headers);
  }

  @Test
  void aReceiverThatThrowsStillGetsTheNextEvent() {
    List<CallEvent> received = new ArrayList<>();
    CallInbox inbox =
        new ReceiverInbox(
            Runnable::run,
            event -> {
              received.add(event);
              if (received.size() == 1) {
                throw new IllegalStateException("the first is too much");
              }
            });
    CallEvent first = new CallEvent.Headers(new Metadata());
    CallEvent second = new CallEvent.Ready();
    inbox.add(first);
    assertThatThrownBy(inbox::wake).isInstanceOf(RejectedExecutionException.class);
    inbox.add(second);
    inbox.wake();
    assertThat(received).containsExactly(first, second);
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

  /** Says what is done with it. */
  private static final class Telling extends CallInbox {
    private final List<String> told = new ArrayList<>();
    private final List<Runnable> tasks = new ArrayList<>();

    @Override
    protected void execute() {
      tasks.add(this);
    }

    @Override
    public void run() {
      told.add("around");
      deliverAll();
    }

    @Override
    protected void onRun() {
      told.add("run");
    }

    @Override
    protected void receive(CallEvent event) {
      told.add("event");
    }
  }

  @Test
  void onRunIsCalledBeforeTheFirstEventOfEachDelivery() {
    Telling receiver = new Telling();
    receiver.wake();
    receiver.tasks.removeFirst().run();
    assertThat(receiver.told).containsExactly("around", "run");
    receiver.told.clear();
    receiver.add(new CallEvent.Headers(new Metadata()));
    receiver.add(new CallEvent.HalfClosed());
    receiver.wake();
    receiver.tasks.removeFirst().run();
    assertThat(receiver.told).containsExactly("around", "run", "event", "event");
  }

  @Test
  void aTaskThatIsRunAgainDeliversNothing() {
    Telling receiver = new Telling();
    receiver.wake();
    Runnable task = receiver.tasks.removeFirst();
    task.run();
    task.run();
    assertThat(receiver.told).containsExactly("around", "run", "around");
  }
}
