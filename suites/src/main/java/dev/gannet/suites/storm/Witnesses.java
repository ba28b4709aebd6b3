package dev.gannet.suites.storm;

import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.ClientStreamTracer;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import dev.gannet.api.StreamTracer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tracers of a storm: each call, attempt and request has one, which must be told of one end,
 * behind all else, and of messages in their order. An attempt begins when the one before has ended,
 * and a call ends behind its last attempt, unless attempts are hedges.
 */
final class Witnesses {
  private final Attempts attempts;

  /** What has not ended yet. */
  private final Map<Object, String> open = new LinkedHashMap<>();

  private @Nullable String broken;

  Witnesses(Attempts attempts) {
    this.attempts = attempts;
  }

  /** What is thrown out of a tracer is logged and forgotten: so it is kept. */
  private void holds(boolean rule, String otherwise) {
    if (!rule && broken == null) {
      broken = otherwise;
    }
  }

  private void begins(Object tracer, String what) {
    open.put(tracer, what);
  }

  private void ends(Object tracer) {
    holds(open.remove(tracer) != null, "an end that nothing has, or a second one");
  }

  private void goesOn(Object tracer) {
    holds(open.containsKey(tracer), "something behind the end");
  }

  /** The tracer of a call that a channel begins. */
  ClientCallTracer ofCall(ClientCallTracer.Start start) {
    return new Call(start.method().fullMethodName());
  }

  /** The tracer of a request that has come to a server. */
  ServerStreamTracer ofRequest(ServerStreamTracer.Start start) {
    return new Request(start.path());
  }

  /** All calls are over. */
  void checkAtRest() {
    Invariant.holds(broken == null, () -> "a tracer was told of " + broken);
    Invariant.holds(open.isEmpty(), () -> "tracers were told of no end: " + open.values());
  }

  private final class Call implements ClientCallTracer {
    private final String method;
    private @Nullable Attempt last;

    Call(String method) {
      this.method = method;
      begins(this, "the call of " + method);
    }

    @Override
    public ClientStreamTracer newAttempt(ClientStreamTracer.Start attempt) {
      goesOn(this);
      holds(
          attempt.isTransparentRetry() ? last != null : mayFollow(),
          "a first attempt that is none");
      checkLast();
      Attempt made = new Attempt(method);
      last = made;
      return made;
    }

    private boolean mayFollow() {
      return last == null || attempts.kind() != Attempts.Kind.ONE;
    }

    private void checkLast() {
      holds(
          attempts.kind() == Attempts.Kind.HEDGED || last == null || !open.containsKey(last),
          "what follows before an attempt has ended");
    }

    @Override
    public void onEnd(Status status, Metadata trailers) {
      checkLast();
      ends(this);
    }
  }

  /** One stream, on either side. */
  private abstract class Stream implements StreamTracer {
    private int sent;
    private int received;

    Stream(String what) {
      begins(this, what);
    }

    @Override
    public void onHeadersSent(Metadata headers) {
      goesOn(this);
    }

    @Override
    public void onMessageSent(int sequence, long wireBytes, long messageBytes) {
      goesOn(this);
      holds(sequence == sent++, "a message out of its order");
    }

    @Override
    public void onMessageReceived(int sequence, long wireBytes, long messageBytes) {
      goesOn(this);
      holds(sequence == received++, "a message out of its order");
    }

    @Override
    public void onEnd(Status status, Metadata trailers) {
      ends(this);
    }
  }

  private final class Attempt extends Stream implements ClientStreamTracer {
    private boolean opened;

    Attempt(String method) {
      super("an attempt of " + method);
    }

    @Override
    public void onStreamOpened(Opened stream) {
      goesOn(this);
      opened = true;
    }

    @Override
    public void onHeadersReceived(Metadata headers) {
      goesOn(this);
      holds(opened, "headers without a stream");
    }
  }

  private final class Request extends Stream implements ServerStreamTracer {
    Request(String path) {
      super("a request for " + path);
    }
  }
}
