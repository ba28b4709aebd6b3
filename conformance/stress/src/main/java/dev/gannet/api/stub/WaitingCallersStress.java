package dev.gannet.api.stub;

import dev.gannet.api.ClientCall;
import dev.gannet.api.Marshallers;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Blocking callers are woken for every event that they wait for, and no event is left undelivered.
 */
public final class WaitingCallersStress {
  private static final MethodDescriptor<String, String> METHOD =
      MethodDescriptor.of(MethodType.UNARY, "a/b", Marshallers.utf8(), Marshallers.utf8());
  private static final int SECONDS = 10;

  private WaitingCallersStress() {}

  private static void runUntil(EventPump pump, BooleanSupplier condition) {
    try {
      pump.runUntil(condition);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean comes(CountDownLatch event) {
    try {
      return event.await(SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  /** A call that is only waited for. */
  private static final class NoCall implements ClientCall<String, String> {
    @Override
    public void start(Listener<? super String> listener, Metadata headers) {}

    @Override
    public void request(int messages) {}

    @Override
    public void sendMessage(String message) {}

    @Override
    public void halfClose() {}

    @Override
    public void cancel(String message) {}

    @Override
    public void cancel(String message, Throwable cause) {}

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public boolean isResponseCompressed() {
      return false;
    }

    @Override
    public void setMessageCompression(boolean enabled) {}
  }

  /**
   * The response arrives when its caller begins to wait, in two tasks whose order counts; if the
   * wake-up is lost, both actors hang.
   */
  @JCStressTest
  @Outcome(id = "answer", expect = Expect.ACCEPTABLE)
  @State
  public static class AnswerOfUnaryCall {
    private volatile @Nullable UnaryCaller<String> caller;

    /** The caller. */
    @Actor
    public void await(L_Result result) {
      UnaryCaller<String> self = new UnaryCaller<>(METHOD);
      caller = self;
      try {
        self.await(new NoCall());
        result.r1 = self.message();
      } catch (StatusException e) { // an actor that dies would let the other one wait forever
        result.r1 = e.getMessage();
      }
    }

    /** The event loop. */
    @Actor
    public void answer() {
      UnaryCaller<String> waiting = caller;
      while (waiting == null) {
        Thread.onSpinWait();
        waiting = caller;
      }
      UnaryCaller<String> to = waiting;
      to.execute(() -> to.onMessage("answer"));
      to.execute(() -> to.onClose(Status.OK, new Metadata()));
    }
  }

  /** A caller stops waiting when an event arrives, which must run nevertheless. */
  @JCStressTest
  @Outcome(id = "true", expect = Expect.ACCEPTABLE)
  @State
  public static class AbandonedUnaryCall {
    private final UnaryCaller<String> caller = new UnaryCaller<>(METHOD);
    private final CountDownLatch run = new CountDownLatch(1);

    /** The caller. */
    @Actor
    public void abandon() {
      caller.abandon();
    }

    /** The event loop. */
    @Actor
    public void tell() {
      caller.execute(run::countDown);
    }

    /** Whether the event was run. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = comes(run);
    }
  }

  /** A reader of a stream begins to wait when a message arrives. */
  @JCStressTest
  @Outcome(id = "told", expect = Expect.ACCEPTABLE)
  @State
  public static class EventOfStream {
    private final EventPump pump = new EventPump();
    private @Nullable String told;

    /** The reader. */
    @Actor
    public void read(L_Result result) {
      runUntil(pump, () -> told != null);
      result.r1 = told;
    }

    /** The event loop. */
    @Actor
    public void tell() {
      pump.execute(() -> told = "told");
    }
  }

  /** Two threads of a stream wait, and one of them runs the event that the other waits for. */
  @JCStressTest
  @Outcome(id = "2", expect = Expect.ACCEPTABLE)
  @State
  @SuppressWarnings("NonAtomicVolatileUpdate") // this test is about one event at a time
  public static class ReaderAndWriterOfStream {
    private final EventPump pump = new EventPump();
    private volatile int told;

    /** Both events are there before either thread waits. */
    public ReaderAndWriterOfStream() {
      pump.execute(() -> told++);
      pump.execute(() -> told++);
    }

    /** The reader. */
    @Actor
    public void read() {
      runUntil(pump, () -> told > 0);
    }

    /** The writer. */
    @Actor
    public void write() {
      runUntil(pump, () -> told > 1);
    }

    /** The received events. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = told;
    }
  }

  /** The threads of a stream stop waiting when an event arrives. */
  @JCStressTest
  @Outcome(id = "true", expect = Expect.ACCEPTABLE)
  @State
  public static class AbandonedStream {
    private final EventPump pump = new EventPump();
    private final CountDownLatch run = new CountDownLatch(1);

    /** The last of them. */
    @Actor
    public void abandon() {
      pump.abandon();
    }

    /** The event loop. */
    @Actor
    public void tell() {
      pump.execute(run::countDown);
    }

    /** Whether the event was run. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = comes(run);
    }
  }
}
