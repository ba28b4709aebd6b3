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

/** A call's events reach it one at a time, in order, and as soon as they may. */
public final class CallInboxStress {
  private CallInboxStress() {}

  /** Writes down what it receives, on whatever thread wakes it. */
  private static final class Recording extends CallInbox {
    private String received = "";

    @Override
    protected void execute() {
      run();
    }

    /** No lock and nothing volatile: two at a time would lose one. */
    @Override
    protected void receive(CallEvent event) {
      received += event.kind().name().charAt(0);
    }
  }

  /** A message comes while its receiver asks for it. */
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

    /** What it has by then. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = inbox.received;
    }
  }

  /** A whole response comes while its receiver asks for the message. */
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
      inbox.add(new CallEvent.Closed(Status.OK, new Metadata()));
      inbox.wake();
    }

    /** The receiver. */
    @Actor
    public void request() {
      inbox.request(1);
    }

    /** What it has by then. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = inbox.received;
    }
  }

  /** A cancellation overtakes what nobody has taken, and nothing comes behind it. */
  @JCStressTest
  @Outcome(
      id = {"C", "HC", "HMC"},
      expect = Expect.ACCEPTABLE)
  @State
  public static class MessageAndEndAtOnce {
    private final Recording inbox = new Recording();

    /** Nobody has to ask. */
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

    /** What it has by then. */
    @Arbiter
    public void look(L_Result result) {
      int end = inbox.received.indexOf('C') + 1; // receivers hear nothing behind it
      result.r1 = inbox.received.substring(0, end);
    }
  }

  /** A message is paid for while another thread wakes its receiver. */
  @JCStressTest
  @Outcome(id = "M", expect = Expect.ACCEPTABLE)
  @State
  public static class PayAndWake {
    private final Recording inbox = new Recording();
    private final CallEvent.Message message;

    /** It has come and waits. */
    public PayAndWake() {
      byte[] bytes = new byte[1];
      message = CallEvent.Message.parsed(bytes, bytes.length);
      message.owe(1);
      inbox.add(message);
      inbox.wake();
    }

    /** The one who gives out work. */
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

    /** What it has by then. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = inbox.received;
    }
  }
}
