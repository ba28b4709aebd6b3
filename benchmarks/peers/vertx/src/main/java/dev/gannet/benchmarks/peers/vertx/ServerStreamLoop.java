package dev.gannet.benchmarks.peers.vertx;

import dev.gannet.benchmarks.harness.Latencies;
import dev.gannet.benchmarks.harness.Run;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.client.GrpcClientResponse;

/**
 * A stream of responses as fast as they arrive, until it is cancelled at the end of the run. Its
 * latencies are the times between one response and the next.
 */
final class ServerStreamLoop {
  private final Run run;
  private final Latencies gapNanos;
  private final GrpcClientRequest<SimpleRequest, SimpleResponse> request;
  private long beforeNanos;
  private boolean cancelled;

  private ServerStreamLoop(
      GrpcClientRequest<SimpleRequest, SimpleResponse> request, Run run, Latencies gapNanos) {
    this.request = request;
    this.run = run;
    this.gapNanos = gapNanos;
  }

  static void start(Line line, SimpleRequest message, Run run, Latencies gapNanos) {
    line.run(() ->
        line.fromServer()
            .onSuccess(it -> new ServerStreamLoop(it, run, gapNanos).begin(message))
            .onFailure(why -> {
              run.fail("a stream did not begin: " + why);
              run.loopEnded();
            }));
  }

  private void begin(SimpleRequest message) {
    beforeNanos = System.nanoTime();
    request.send(message).compose(this::listen).onComplete(this::ended);
  }

  private Future<Void> listen(GrpcClientResponse<SimpleRequest, SimpleResponse> response) {
    response.handler(this::received);
    return response.end();
  }

  private void received(SimpleResponse response) {
    long nowNanos = System.nanoTime();
    if (VertxTarget.checkPayload(response, run) && run.countsCalls()) {
      gapNanos.record(nowNanos - beforeNanos);
    }
    beforeNanos = nowNanos;
    if (run.isOver() && !cancelled) {
      cancelled = true;
      request.cancel(); // its future is not notified of this
      run.loopEnded();
    }
  }

  private void ended(AsyncResult<Void> stream) {
    if (!cancelled) {
      run.fail("a stream ended with " + stream.cause());
      run.loopEnded();
    }
  }
}
