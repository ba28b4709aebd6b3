package dev.gannet.benchmarks.peers.vertx;

import com.google.protobuf.ByteString;
import dev.gannet.benchmarks.harness.CallShape;
import dev.gannet.benchmarks.harness.Latencies;
import dev.gannet.benchmarks.harness.Run;
import dev.gannet.benchmarks.harness.RunFailedException;
import dev.gannet.benchmarks.harness.Target;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Lines of Vert.x's client. */
final class VertxTarget implements Target {
  private static final int SECONDS_FOR_FIRST_CALL = 20;

  private final CallShape shape;
  private final SimpleRequest request;
  private final List<Line> lines;
  private final List<UnaryOrder> orders;

  VertxTarget(CallShape shape, List<Line> lines) {
    this.shape = shape;
    this.request = request(shape);
    this.lines = List.copyOf(lines);
    this.orders = lines.stream().map(it -> UnaryOrder.of(it, request, shape)).toList();
  }

  private static SimpleRequest request(CallShape shape) {
    SimpleRequest.Builder request =
        SimpleRequest.newBuilder().setResponseSize(shape.payloads().serverBytes());
    if (shape.payloads().clientBytes() > 0) {
      ByteString body = ByteString.copyFrom(new byte[shape.payloads().clientBytes()]);
      request.setPayload(Payload.newBuilder().setBody(body));
    }
    return request.build();
  }

  /** Checks that it is the expected reply; otherwise the run has failed. */
  static boolean checkPayload(SimpleResponse response, Run run) {
    if (response == null) {
      run.fail("a call ended well without its reply");
      return false;
    }
    return run.checkPayload(response.getPayload().getBody().size());
  }

  /** Makes the call on its connection's event loop. Any thread may call. */
  static CompletableFuture<SimpleResponse> begin(UnaryOrder order) {
    CompletableFuture<SimpleResponse> response = new CompletableFuture<>();
    order
        .line()
        .run(() -> order.begin().onComplete(response::complete, response::completeExceptionally));
    return response;
  }

  @Override
  public void callOnce(int channel) {
    Run run = new Run(shape.payloads());
    try {
      CompletableFuture<SimpleResponse> response =
          begin(orders.get(channel)).orTimeout(SECONDS_FOR_FIRST_CALL, TimeUnit.SECONDS);
      checkPayload(response.join(), run);
    } catch (CompletionException e) {
      throw new RunFailedException("the first call ended with " + e.getCause(), e);
    }
    run.failure()
        .ifPresent(what -> {
          throw new RunFailedException("no result: " + what);
        });
  }

  @Override
  public Latencies newLatencies() {
    return switch (shape.style()) {
      case ASYNC -> Latencies.ofOneThread();
      case BLOCKING -> Latencies.ofAnyThread();
    };
  }

  @Override
  public void startLoop(int channel, Run run, Latencies latencyNanos) {
    Line line = lines.get(channel);
    switch (shape.kind()) {
      case UNARY -> {
        switch (shape.style()) {
          case ASYNC -> new AsyncUnaryLoop(orders.get(channel), run, latencyNanos).start();
          case BLOCKING -> new BlockingUnaryLoop(orders.get(channel), run, latencyNanos).start();
        }
      }
      case PING_PONG -> PingPongLoop.start(line, request, run, latencyNanos);
      case SERVER_STREAM -> ServerStreamLoop.start(line, request, run, latencyNanos);
    }
  }

  @Override
  public void startCall(int channel, Run run, Latencies latencyNanos, long intendedNanos) {
    UnaryOrder order = orders.get(channel);
    order
        .line()
        .run(() ->
            order
                .begin()
                .onComplete(call -> {
                  if (call.failed()) {
                    run.fail("a call ended with " + call.cause());
                  } else if (checkPayload(call.result(), run)) {
                    latencyNanos.record(System.nanoTime() - intendedNanos);
                  }
                  run.loopEnded();
                }));
  }

  @Override
  public OpenStream openStream(int channel, Run run) {
    return IdleStream.open(lines.get(channel), request, run);
  }

  @Override
  public void close() {
    lines.forEach(it -> it.client().close());
  }
}
