package dev.gannet.benchmarks.peers.stubs;

import dev.gannet.benchmarks.harness.Latencies;
import dev.gannet.benchmarks.harness.Run;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/** Unary calls one after the other by the blocking client, on a virtual thread. */
final class BlockingUnaryLoop {
  private final BenchmarkServiceGrpc.BenchmarkServiceBlockingStub client;
  private final SimpleRequest request;
  private final Run run;
  private final Latencies latencyNanos;

  BlockingUnaryLoop(Channel channel, SimpleRequest request, Run run, Latencies latencyNanos) {
    this.client = BenchmarkServiceGrpc.newBlockingStub(channel);
    this.request = request;
    this.run = run;
    this.latencyNanos = latencyNanos;
  }

  void start() {
    Thread.ofVirtual().start(this::callUntilTheEnd);
  }

  private void callUntilTheEnd() {
    try {
      while (!run.isOver()) {
        callOnce();
      }
    } catch (StatusRuntimeException e) {
      run.fail("a call ended with " + e.getStatus());
    } catch (RuntimeException | Error e) {
      run.fail("a caller ended with " + e);
    } finally {
      run.loopEnded();
    }
  }

  private void callOnce() {
    long beginNanos = System.nanoTime();
    SimpleResponse response = client.unaryCall(request);
    if (run.checkPayload(StubTarget.payloadBytes(response)) && run.countsCalls()) {
      latencyNanos.record(System.nanoTime() - beginNanos);
    }
  }
}
