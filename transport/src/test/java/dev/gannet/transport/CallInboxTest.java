package dev.gannet.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A call's receiver gets what it asked for, whoever asks, and whenever. */
final class CallInboxTest {
  private static final int ROUNDS = 100_000;
  private static final int MOST_NANOS = 300;

  /** A receiver that blocks inside its first event until a message has come. */
  private static final class Blocking implements CallInbox.Receiver {
    private final CallInbox inbox = new CallInbox(Runnable::run, this);
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
        Blocking receiver = new Blocking(round / MOST_NANOS % MOST_NANOS);
        receiver.inbox.add(new CallEvent.Headers(new Metadata()));
        receiver.inbox.add(CallEvent.Message.parsed("m", 1));
        Future<?> receiving = thread.submit(receiver.inbox::wake);
        while (!receiver.looking) {
          Thread.onSpinWait();
        }
        spin(round * 7 % MOST_NANOS);
        receiver.inbox.request(1);
        assertThat(ends(receiving)).as("round %d", round).isTrue();
      }
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
