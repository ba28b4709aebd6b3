package dev.gannet.benchmarks.load;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.benchmarks.harness.CallShape;
import dev.gannet.benchmarks.harness.TraceId;
import io.grpc.benchmarks.proto.BenchmarkServiceMethods;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The unary call that a load makes again and again on a channel. */
record UnaryOrder(
    Channel channel,
    SimpleRequest request,
    Duration deadline,
    List<Entry> entries,
    Optional<TraceId> traces) {
  private static final Metadata.Key<String> TRACE = Metadata.Key.ascii("traceparent");

  /** Metadata that each call brings. */
  record Entry(Metadata.Key<String> key, String value) {}

  static UnaryOrder of(Channel channel, CallShape shape) {
    List<Entry> entries =
        IntStream.range(1, shape.metadataEntries())
            .mapToObj(i -> new Entry(Metadata.Key.ascii("entry-" + i), "value of entry " + i))
            .toList();
    return new UnaryOrder(
        channel, Requests.of(shape.payloads()), shape.deadline(), entries, TraceId.of(shape));
  }

  void begin(ClientCall.Listener<SimpleResponse> listener) {
    ClientCall<SimpleRequest, SimpleResponse> call =
        channel.newCall(BenchmarkServiceMethods.UNARY_CALL, options());
    call.start(listener, metadata());
    call.request(1);
    call.sendMessage(request);
    call.halfClose();
  }

  private CallOptions options() {
    return deadline.isZero() ? CallOptions.DEFAULT : CallOptions.DEFAULT.withDeadline(deadline);
  }

  private Metadata metadata() {
    Metadata metadata = new Metadata();
    if (traces.isPresent()) {
      metadata.add(TRACE, traces.get().next());
    }
    for (int i = 0; i < entries.size(); i++) { // no iterator: each byte here is counted as a call's
      metadata.add(entries.get(i).key, entries.get(i).value);
    }
    return metadata;
  }
}
