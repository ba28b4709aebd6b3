package dev.gannet.benchmarks.peers.vertx;

import dev.gannet.benchmarks.harness.CallShape;
import dev.gannet.benchmarks.harness.TraceId;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.vertx.core.Future;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.client.GrpcClientResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** The unary call that a load repeats on a connection. */
record UnaryOrder(
    Line line,
    SimpleRequest request,
    Duration deadline,
    List<Entry> entries,
    Optional<TraceId> traces) {
  /** The metadata of each call. */
  record Entry(String key, String value) {}

  static UnaryOrder of(Line line, SimpleRequest request, CallShape shape) {
    List<Entry> entries =
        IntStream.range(1, shape.metadataEntries())
            .mapToObj(i -> new Entry("entry-" + i, "value of entry " + i))
            .toList();
    return new UnaryOrder(line, request, shape.deadline(), entries, TraceId.of(shape));
  }

  /** Makes the call; fails unless its status is OK. On the connection's event loop. */
  Future<SimpleResponse> begin() {
    return line.unary().compose(this::send).compose(GrpcClientResponse::last);
  }

  private Future<GrpcClientResponse<SimpleRequest, SimpleResponse>> send(
      GrpcClientRequest<SimpleRequest, SimpleResponse> call) {
    if (traces.isPresent()) {
      call.headers().set("traceparent", traces.get().next());
    }
    for (Entry entry : entries) {
      call.headers().set(entry.key, entry.value);
    }
    if (!deadline.isZero()) {
      call.timeout(deadline.toMillis(), TimeUnit.MILLISECONDS);
    }
    return call.send(request);
  }
}
