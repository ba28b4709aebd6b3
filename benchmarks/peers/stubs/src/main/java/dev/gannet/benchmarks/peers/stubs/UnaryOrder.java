package dev.gannet.benchmarks.peers.stubs;

import dev.gannet.benchmarks.harness.CallShape;
import dev.gannet.benchmarks.harness.TraceId;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** The unary call that a load repeats on a channel. */
record UnaryOrder(
    Channel channel,
    SimpleRequest request,
    Duration deadline,
    List<Entry> entries,
    Optional<TraceId> traces) {
  private static final Metadata.Key<String> TRACE =
      Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER);

  /** The metadata of each call. */
  record Entry(Metadata.Key<String> key, String value) {}

  static UnaryOrder of(Channel channel, SimpleRequest request, CallShape shape) {
    List<Entry> entries =
        IntStream.range(1, shape.metadataEntries())
            .mapToObj(i ->
                new Entry(
                    Metadata.Key.of("entry-" + i, Metadata.ASCII_STRING_MARSHALLER),
                    "value of entry " + i))
            .toList();
    return new UnaryOrder(channel, request, shape.deadline(), entries, TraceId.of(shape));
  }

  void begin(ClientCall.Listener<SimpleResponse> listener) {
    ClientCall<SimpleRequest, SimpleResponse> call =
        channel.newCall(BenchmarkServiceGrpc.getUnaryCallMethod(), options());
    call.start(listener, metadata());
    call.request(1);
    call.sendMessage(request);
    call.halfClose();
  }

  private CallOptions options() {
    return deadline.isZero()
        ? CallOptions.DEFAULT
        : CallOptions.DEFAULT.withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS);
  }

  private Metadata metadata() {
    Metadata metadata = new Metadata();
    if (traces.isPresent()) {
      metadata.put(TRACE, traces.get().next());
    }
    for (Entry entry : entries) {
      metadata.put(entry.key, entry.value);
    }
    return metadata;
  }
}
