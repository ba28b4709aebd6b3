package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.ClientStreamTracer;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.util.ArrayList;
import java.util.List;

/** Keeps what the tracers of a channel see: the lines of each call, and of each attempt. */
final class TracedCalls implements ClientCallTracer.Factory {
  private final List<Call> calls = new ArrayList<>();

  @Override
  public ClientCallTracer newTracer(ClientCallTracer.Start start) {
    Call call = new Call(start);
    calls.add(call);
    return call;
  }

  List<Call> all() {
    return calls;
  }

  Call only() {
    return only(calls);
  }

  private static <T> T only(List<T> list) {
    assertThat(list).hasSize(1);
    return list.getFirst();
  }

  /** A call, and what was seen of it. */
  static final class Call implements ClientCallTracer {
    final ClientCallTracer.Start start;
    final List<Attempt> attempts = new ArrayList<>();
    final List<Status> ends = new ArrayList<>();

    Call(ClientCallTracer.Start start) {
      this.start = start;
    }

    @Override
    public ClientStreamTracer newAttempt(ClientStreamTracer.Start attempt) {
      Attempt made = new Attempt(attempt);
      attempts.add(made);
      return made;
    }

    @Override
    public void onEnd(Status status, Metadata trailers) {
      ends.add(status);
    }

    Attempt onlyAttempt() {
      return only(attempts);
    }

    /** How it ended, which must have been told once. */
    Status end() {
      return only(ends);
    }
  }

  /** An attempt, and what was seen of it, line by line. */
  static final class Attempt implements ClientStreamTracer {
    final ClientStreamTracer.Start start;
    final List<String> seen = new ArrayList<>();
    private final List<Opened> streams = new ArrayList<>();

    Attempt(ClientStreamTracer.Start start) {
      this.start = start;
    }

    /** Its stream, which must have been opened once. */
    Opened stream() {
      return only(streams);
    }

    @Override
    public void onStreamOpened(Opened stream) {
      seen.add("opened");
      streams.add(stream);
    }

    @Override
    public void onHeadersSent(Metadata headers) {
      seen.add("headers sent");
    }

    @Override
    public void onHeadersReceived(Metadata headers) {
      seen.add("headers received");
    }

    @Override
    public void onMessageSent(int sequence, long wireBytes, long messageBytes) {
      seen.add("sent " + sequence + ": " + wireBytes + " of " + messageBytes);
    }

    @Override
    public void onMessageReceived(int sequence, long wireBytes, long messageBytes) {
      seen.add("received " + sequence + ": " + wireBytes + " of " + messageBytes);
    }

    @Override
    public void onEnd(Status status, Metadata trailers) {
      seen.add("end: " + status);
    }
  }
}
