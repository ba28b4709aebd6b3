package dev.gannet.benchmarks.load;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.benchmarks.harness.Latencies;
import dev.gannet.benchmarks.harness.Run;
import io.grpc.benchmarks.proto.BenchmarkServiceMethods;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/**
 * A stream of responses as fast as they come, until it is cancelled at the end of the run. Its
 * latencies are the times between one response and the next.
 */
final class ServerStreamLoop implements Loop, ClientCall.Listener<SimpleResponse> {
  /** So many responses are asked for ahead; asked again when half of them are there. */
  private static final int AHEAD = 128;

  private final Run run;
  private final Latencies gapNanos;
  private final SimpleRequest request;
  private final ClientCall<SimpleRequest, SimpleResponse> call;
  private long beforeNanos;
  private int sinceAsked;
  private boolean cancelled;

  ServerStreamLoop(Channel channel, SimpleRequest request, Run run, Latencies gapNanos) {
    this.run = run;
    this.gapNanos = gapNanos;
    this.request = request;
    this.call = channel.newCall(BenchmarkServiceMethods.STREAMING_FROM_SERVER, CallOptions.DEFAULT);
  }

  @Override
  public void start() {
    beforeNanos = System.nanoTime();
    call.start(this);
    call.request(AHEAD);
    call.sendMessage(request);
    call.halfClose();
  }

  @Override
  public void onMessage(SimpleResponse response) {
    long nowNanos = System.nanoTime();
    if (run.checkPayload(Requests.payloadBytes(response)) && run.countsCalls()) {
      gapNanos.record(nowNanos - beforeNanos);
    }
    beforeNanos = nowNanos;
    if (run.isOver()) {
      cancel();
    } else if (++sinceAsked == AHEAD / 2) {
      sinceAsked = 0;
      call.request(AHEAD / 2);
    }
  }

  private void cancel() {
    if (!cancelled) {
      cancelled = true;
      call.cancel("the run is over");
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (!cancelled) {
      run.fail("a stream ended with " + status);
    }
    run.loopEnded();
  }
}
