package dev.gannet.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Keeps what the tracers of a server see: the lines of each request. */
final class TracedRequests implements ServerStreamTracer.Factory {
  private final List<Request> requests = new ArrayList<>();

  @Override
  public ServerStreamTracer newTracer(ServerStreamTracer.Start start) {
    Request request = new Request(start);
    requests.add(request);
    return request;
  }

  List<Request> all() {
    return requests;
  }

  Request only() {
    assertThat(requests).hasSize(1);
    return requests.getFirst();
  }

  /** A request, and what was seen of it, line by line. */
  static final class Request implements ServerStreamTracer {
    final ServerStreamTracer.Start start;
    final Metadata headers;
    final List<String> seen = new ArrayList<>();
    final List<Status> ends = new ArrayList<>();
    Optional<CallContext> context = Optional.empty();
    Metadata trailers = new Metadata();

    Request(ServerStreamTracer.Start start) {
      this.start = start;
      this.headers = start.headers();
    }

    @Override
    public void onCall(CallContext context) {
      this.context = Optional.of(context);
    }

    @Override
    public void onHeadersSent(Metadata headers) {
      seen.add("headers sent");
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
      ends.add(status);
      this.trailers = trailers;
    }

    /** How it ended, which must have been told once, and last. */
    Status end() {
      assertThat(ends).as("%s", seen).hasSize(1);
      assertThat(seen.getLast()).startsWith("end: ");
      return ends.getFirst();
    }
  }
}
