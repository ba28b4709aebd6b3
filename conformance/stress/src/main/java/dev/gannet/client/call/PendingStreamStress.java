package dev.gannet.client.call;

import dev.gannet.api.Status;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.ConnectionInfo;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * The commands of a caller reach the call's stream in order, as soon as there is one; or not at all
 * if the call ends before.
 */
public final class PendingStreamStress {
  private PendingStreamStress() {}

  /** Records what it receives; used by one thread at a time. */
  private static final class Recording implements ClientStream<String> {
    private String received = "";

    @Override
    public void send(String message, boolean compressed) {
      received += message;
    }

    @Override
    public void sendFramed(ByteBuffer frame) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void halfClose() {
      received += ".";
    }

    @Override
    public void flush() {}

    @Override
    public void cancel(Status status) {
      received += "x";
    }

    @Override
    public ConnectionInfo connection() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void consumed(int heldBytes) {}

    @Override
    public void requested() {}
  }

  /** An attempt without a call: the tests do not need more. */
  @SuppressWarnings("NullAway")
  private static Attempt<String, String> attempt() {
    return new Attempt<>(null);
  }

  /** The stream is connected while the caller sends. */
  @JCStressTest
  @Outcome(id = "ab.", expect = Expect.ACCEPTABLE)
  @State
  public static class SendAndConnect {
    private final Attempt<String, String> attempt = attempt();
    private final Recording stream = new Recording();

    /** The caller. */
    @Actor
    public void send() {
      attempt.sendMessage("a", false);
      attempt.sendMessage("b", false);
      attempt.sendHalfClose();
    }

    /** The thread of the connection. */
    @Actor
    public void connect() {
      attempt.connect(stream);
    }

    /** What the stream has received. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = stream.received;
    }
  }

  /** The call ends shortly before or after it gets a stream. */
  @JCStressTest
  @Outcome(id = "connected a.", expect = Expect.ACCEPTABLE)
  @Outcome(id = "dropped ", expect = Expect.ACCEPTABLE)
  @State
  public static class DropAndConnect {
    private final Attempt<String, String> attempt = attempt();
    private final Recording stream = new Recording();
    private boolean connected;
    private boolean dropped;

    /** The caller has sent all its commands. */
    public DropAndConnect() {
      attempt.sendMessage("a", false);
      attempt.sendHalfClose();
    }

    /** The thread that ends the call. */
    @Actor
    public void drop() {
      dropped = attempt.dropCommands();
    }

    /** The thread of the connection. */
    @Actor
    public void connect() {
      connected = attempt.connect(stream);
    }

    /** One of the two came first. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = (connected ? "connected " : "") + (dropped ? "dropped " : "") + stream.received;
    }
  }

  /** The caller ends its call while the stream is connected, like {@link Attempt#end} does. */
  @JCStressTest
  @Outcome(
      id = {"connected x", "dropped "},
      expect = Expect.ACCEPTABLE)
  @State
  public static class CancelAndConnect {
    private final Attempt<String, String> attempt = attempt();
    private final Recording stream = new Recording();
    private boolean connected;
    private boolean dropped;

    /** The caller. */
    @Actor
    public void cancel() {
      ClientStream<String> opened = attempt.stream();
      if (opened != null) {
        opened.cancel(Status.CANCELLED);
      } else {
        dropped = attempt.dropCommands();
        attempt.cancelStream(Status.CANCELLED);
      }
    }

    /** The thread of the connection. */
    @Actor
    public void connect() {
      connected = attempt.connect(stream);
    }

    /** The stream was notified, or there is none. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = (connected ? "connected " : "") + (dropped ? "dropped " : "") + stream.received;
    }
  }
}
