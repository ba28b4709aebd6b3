package dev.gannet.benchmarks.peers.vertx;

import dev.gannet.benchmarks.harness.Run;
import dev.gannet.benchmarks.harness.Target;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.vertx.core.Future;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.client.GrpcClientResponse;

/** A bidirectional stream on which a message is exchanged on request, and nothing else. */
final class IdleStream implements Target.OpenStream {
  private final Line line;
  private final SimpleRequest message;
  private final Run run;
  private final Future<GrpcClientRequest<SimpleRequest, SimpleResponse>> request;

  private IdleStream(
      Line line,
      SimpleRequest message,
      Run run,
      Future<GrpcClientRequest<SimpleRequest, SimpleResponse>> request) {
    this.line = line;
    this.message = message;
    this.run = run;
    this.request = request;
  }

  static IdleStream open(Line line, SimpleRequest message, Run run) {
    IdleStream stream = new IdleStream(line, message, run, line.streaming());
    stream
        .request
        .compose(GrpcClientRequest::response)
        .compose(stream::listen)
        .onComplete(it -> run.fail("a stream ended: " + it));
    return stream;
  }

  private Future<Void> listen(GrpcClientResponse<SimpleRequest, SimpleResponse> response) {
    response.handler(it -> {
      VertxTarget.checkPayload(it, run);
      run.loopEnded();
    });
    return response.end();
  }

  @Override
  public void exchange() {
    line.run(() -> request.onSuccess(it -> it.write(message)));
  }
}
