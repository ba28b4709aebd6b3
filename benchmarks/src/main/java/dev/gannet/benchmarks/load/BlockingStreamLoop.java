package dev.gannet.benchmarks.load;

import dev.gannet.api.Channel;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.benchmarks.harness.Latencies;
import dev.gannet.benchmarks.harness.Run;
import io.grpc.benchmarks.proto.BenchmarkServiceClient;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/**
 * One stream each way by the blocking client, on a virtual thread; a request follows the response
 * to the one before.
 */
final class BlockingStreamLoop implements Loop {
  private final BenchmarkServiceClient client;
  private final SimpleRequest request;
  private final Run run;
  private final Latencies latencyNanos;

  BlockingStreamLoop(Channel channel, SimpleRequest request, Run run, Latencies latencyNanos) {
    this.client = BenchmarkServiceClient.of(channel);
    this.request = request;
    this.run = run;
    this.latencyNanos = latencyNanos;
  }

  @Override
  public void start() {
    Thread.ofVirtual().start(this::stream);
  }

  private void stream() {
    try (BidiStreamingCall<SimpleRequest, SimpleResponse> call = client.streamingCall()) {
      while (!run.isOver()) {
        exchange(call);
      }
      call.halfClose();
      if (call.hasNext()) {
        run.fail("a reply came that nobody has asked for");
      }
    } catch (StatusException e) {
      run.fail("a stream ended with " + e.status());
    } catch (RuntimeException | Error e) {
      run.fail("a caller ended with " + e);
    } finally {
      run.loopEnded();
    }
  }

  private void exchange(BidiStreamingCall<SimpleRequest, SimpleResponse> call) {
    long beginNanos = System.nanoTime();
    call.send(request);
    if (!call.hasNext()) {
      run.fail("a stream ended before the run");
    } else if (run.checkPayload(Requests.payloadBytes(call.next())) && run.countsCalls()) {
      latencyNanos.record(System.nanoTime() - beginNanos);
    }
  }
}
