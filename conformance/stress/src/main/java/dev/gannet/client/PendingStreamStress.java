package dev.gannet.client;

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

/** What a caller says reaches the call's stream in order, whenever there is one, or nowhere. */
public final class PendingStreamStress {
  private PendingStreamStress() {}

  /** Writes down what it is told, by one thread at a time. */
  private static final class Recording implements ClientStream<String> {
    private String told = "";

    @Override
    public void send(String message, boolean compressed) {
      told += message;
    }

    @Override
    public void sendFramed(ByteBuffer frame) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void halfClose() {
      told += ".";
    }

    @Override
    public void flush() {}

    @Override
    public void cancel(Status status) {
      told += "x";
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

  /** An attempt of no call: the steps below ask it for nothing. */
  @SuppressWarnings("NullAway")
  private static Attempt<String, String> attempt() {
    return new Attempt<>(null);
  }

  /** The stream comes while the caller sends. */
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

    /** What the stream was told. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = stream.told;
    }
  }

  /** The call ends before it has a stream, or a moment later. */
  @JCStressTest
  @Outcome(id = "connected a.", expect = Expect.ACCEPTABLE)
  @Outcome(id = "dropped ", expect = Expect.ACCEPTABLE)
  @State
  public static class DropAndConnect {
    private final Attempt<String, String> attempt = attempt();
    private final Recording stream = new Recording();
    private boolean connected;
    private boolean dropped;

    /** The caller has sent what it had to say. */
    public DropAndConnect() {
      attempt.sendMessage("a", false);
      attempt.sendHalfClose();
    }

    /** Whoever ends the call. */
    @Actor
    public void drop() {
      dropped = attempt.drop();
    }

    /** The thread of the connection. */
    @Actor
    public void connect() {
      connected = attempt.connect(stream);
    }

    /** One of the two was first. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = (connected ? "connected " : "") + (dropped ? "dropped " : "") + stream.told;
    }
  }

  /** The caller ends its call as the stream comes: as {@link Attempt#end} does it. */
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
        dropped = attempt.drop();
        attempt.sendCancel(Status.CANCELLED);
      }
    }

    /** The thread of the connection. */
    @Actor
    public void connect() {
      connected = attempt.connect(stream);
    }

    /** The stream was told, or there is none. */
    @Arbiter
    public void look(L_Result result) {
      result.r1 = (connected ? "connected " : "") + (dropped ? "dropped " : "") + stream.told;
    }
  }
}
