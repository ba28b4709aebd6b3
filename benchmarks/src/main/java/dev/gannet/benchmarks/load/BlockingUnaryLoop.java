package dev.gannet.benchmarks.load;

import dev.gannet.api.Channel;
import dev.gannet.api.StatusException;
import dev.gannet.benchmarks.harness.Latencies;
import dev.gannet.benchmarks.harness.Run;
import io.grpc.benchmarks.proto.BenchmarkServiceClient;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/** Unary calls one after the other by the blocking client, on a virtual thread. */
final class BlockingUnaryLoop implements Loop {
  private final BenchmarkServiceClient client;
  private final SimpleRequest request;
  private final Run run;
  private final Latencies latencyNanos;

  BlockingUnaryLoop(Channel channel, SimpleRequest request, Run run, Latencies latencyNanos) {
    this.client = BenchmarkServiceClient.of(channel);
    this.request = request;
    this.run = run;
    this.latencyNanos = latencyNanos;
  }

  @Override
  public void start() {
    Thread.ofVirtual().start(this::callUntilTheEnd);
  }

  private void callUntilTheEnd() {
    try {
      while (!run.isOver()) {
        callOnce();
      }
    } catch (StatusException e) {
      run.fail("a call ended with " + e.status());
    } catch (RuntimeException | Error e) {
      run.fail("a caller ended with " + e);
    } finally {
      run.loopEnded();
    }
  }

  private void callOnce() {
    long beginNanos = System.nanoTime();
    SimpleResponse response = client.unaryCall(request);
    if (run.checkPayload(Requests.payloadBytes(response)) && run.countsCalls()) {
      latencyNanos.record(System.nanoTime() - beginNanos);
    }
  }
}
