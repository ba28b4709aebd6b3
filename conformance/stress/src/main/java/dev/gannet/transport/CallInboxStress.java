package dev.gannet.transport;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A call's events are delivered one at a time, in order, and as soon as possible. */
public final class CallInboxStress {
  private CallInboxStress() {}

  /** Records what it receives, on any thread that wakes it. */
  private static final class Recording extends CallInbox {
    private String received = "";

    @Override
    protected void execute() {
      run();
    }

    /** Without lock and not volatile: two deliveries at the same time would lose one. */
    @Override
    protected void receive(CallEvent event) {
      received += event.kind().name().charAt(0);
    }
  }

  /** A message arrives while its receiver requests it. */
  @JCStressTest
  @Outcome(id = "M", expect = Expect.ACCEPTABLE)
  @State
  public static class RequestAndMessage {
    private final Recording inbox = new Recording();

    /** The transport. */
    @Actor
    public void arrive() {
      inbox.add(CallEvent.Message.parsed("m", 1));
      inbox.wake();
    }

    /** The receiver. */
    @Actor
    public void request() {
      inbox.request(1);
    }

    /** What was received. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = inbox.received;
    }
  }

  /** A complete response arrives while its receiver requests the message. */
  @JCStressTest
  @Outcome(id = "HMC", expect = Expect.ACCEPTABLE)
  @State
  public static class RequestAndResponse {
    private final Recording inbox = new Recording();

    /** The transport. */
    @Actor
    public void arrive() {
      inbox.add(new CallEvent.Headers(new Metadata()));
      inbox.wake();
      inbox.add(CallEvent.Message.parsed("m", 1));
      inbox.add(CallEvent.Closed.received(Status.OK, new Metadata()));
      inbox.wake();
    }

    /** The receiver. */
    @Actor
    public void request() {
      inbox.request(1);
    }

    /** What was received. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = inbox.received;
    }
  }

  /** A cancellation overtakes messages that were not delivered yet, and nothing follows it. */
  @JCStressTest
  @Outcome(
      id = {"C", "HC", "HMC"},
      expect = Expect.ACCEPTABLE)
  @State
  public static class MessageAndEndAtOnce {
    private final Recording inbox = new Recording();

    /** Messages need no request. */
    public MessageAndEndAtOnce() {
      inbox.request(1);
    }

    /** The transport. */
    @Actor
    public void arrive() {
      inbox.add(new CallEvent.Headers(new Metadata()));
      inbox.add(CallEvent.Message.parsed("m", 1));
      inbox.wake();
    }

    /** Another thread, which cancels. */
    @Actor
    public void cancel() {
      inbox.add(CallEvent.Closed.atOnce(Status.CANCELLED));
      inbox.wake();
    }

    /** What was received. */
    @Arbiter
    public void look(L_Result result) {
      int end = inbox.received.indexOf('C') + 1; // receivers get nothing after it
      result.r1 = inbox.received.substring(0, end);
    }
  }

  /** The work for a message is paid while another thread wakes its receiver. */
  @JCStressTest
  @Outcome(id = "M", expect = Expect.ACCEPTABLE)
  @State
  public static class PayAndWake {
    private final Recording inbox = new Recording();
    private final CallEvent.Received message;

    /** The message has arrived and waits. */
    public PayAndWake() {
      byte[] bytes = new byte[1];
      message = CallEvent.Message.parsed(bytes, bytes.length);
      message.owe(1);
      inbox.add(message);
      inbox.wake();
    }

    /** The thread that hands out work. */
    @Actor
    public void pay() {
      message.pay();
      if (inbox.hasArrivals()) {
        inbox.wake();
      }
    }

    /** The receiver. */
    @Actor
    public void request() {
      inbox.request(1);
    }

    /** What was received. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = inbox.received;
    }
  }
}
