package dev.gannet.benchmarks.peers.vertx;

import dev.gannet.benchmarks.harness.Latencies;
import dev.gannet.benchmarks.harness.Run;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.client.GrpcClientResponse;

/** One bidirectional stream, on which each request follows the response to the previous one. */
final class PingPongLoop {
  private final SimpleRequest message;
  private final Run run;
  private final Latencies latencyNanos;
  private final GrpcClientRequest<SimpleRequest, SimpleResponse> request;
  private long beginNanos;
  private boolean answered;

  private PingPongLoop(
      GrpcClientRequest<SimpleRequest, SimpleResponse> request,
      SimpleRequest message,
      Run run,
      Latencies latencyNanos) {
    this.request = request;
    this.message = message;
    this.run = run;
    this.latencyNanos = latencyNanos;
  }

  static void start(Line line, SimpleRequest message, Run run, Latencies latencyNanos) {
    line.run(() ->
        line.streaming()
            .onSuccess(it -> new PingPongLoop(it, message, run, latencyNanos).begin())
            .onFailure(why -> {
              run.fail("a stream did not begin: " + why);
              run.loopEnded();
            }));
  }

  private void begin() {
    request.response().compose(this::listen).onComplete(this::ended);
    send();
  }

  private Future<Void> listen(GrpcClientResponse<SimpleRequest, SimpleResponse> response) {
    response.handler(this::answered);
    return response.end();
  }

  private void send() {
    answered = false;
    beginNanos = System.nanoTime();
    request.write(message);
  }

  private void answered(SimpleResponse response) {
    if (VertxTarget.checkPayload(response, run) && run.countsCalls()) {
      latencyNanos.record(System.nanoTime() - beginNanos);
    }
    answered = true;
    if (run.isOver()) {
      request.end();
    } else {
      send();
    }
  }

  private void ended(AsyncResult<Void> stream) {
    if (stream.failed()) {
      run.fail("a stream ended with " + stream.cause());
    } else if (!run.isOver()) {
      run.fail("a stream ended before the run");
    } else if (!answered) {
      run.fail("a stream ended well without its last reply");
    }
    run.loopEnded();
  }
}
