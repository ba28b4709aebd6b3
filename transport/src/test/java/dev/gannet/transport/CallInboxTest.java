package dev.gannet.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** A call's receiver gets what it requested, whichever thread requests it, and whenever. */
final class CallInboxTest {
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
  void allMessagesAreRequestedWithTheGreatestNumber() {
    Recording receiver = new Recording();
    receiver.inbox.request(1);
    receiver.inbox.request(Integer.MAX_VALUE);
    for (int i = 0; i < 3; i++) {
      receiver.wakeWith(CallEvent.Message.parsed("m", 1));
    }
    assertThat(receiver.heard).containsExactly("MESSAGE", "MESSAGE", "MESSAGE");
    assertThat(receiver.inbox.isMessageRequested()).isTrue();
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
    protected CallEvent firstEvent() {
      return new CallEvent.Ready();
    }

    @Override
    protected void receive(CallEvent event) {
      told.add(event.kind().name());
    }
  }

  @Test
  void theFirstEventComesBeforeThoseOfEachDelivery() {
    Telling receiver = new Telling();
    receiver.wake();
    receiver.tasks.removeFirst().run();
    assertThat(receiver.told).containsExactly("around", "READY");
    receiver.told.clear();
    receiver.add(new CallEvent.Headers(new Metadata()));
    receiver.add(new CallEvent.HalfClosed());
    receiver.wake();
    receiver.tasks.removeFirst().run();
    assertThat(receiver.told).containsExactly("around", "READY", "HEADERS", "HALF_CLOSED");
  }

  @Test
  void aTaskThatIsRunAgainDeliversNothing() {
    Telling receiver = new Telling();
    receiver.wake();
    Runnable task = receiver.tasks.removeFirst();
    task.run();
    task.run();
    assertThat(receiver.told).containsExactly("around", "READY", "around");
  }
}
