package dev.gannet.benchmarks.peers.stubs;

import com.google.protobuf.ByteString;
import dev.gannet.benchmarks.harness.CallShape;
import dev.gannet.benchmarks.harness.Latencies;
import dev.gannet.benchmarks.harness.Run;
import dev.gannet.benchmarks.harness.RunFailedException;
import dev.gannet.benchmarks.harness.Target;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Channels of a library with grpc-java's API. */
public final class StubTarget implements Target {
  /** How a library makes calls directly with its {@code ClientCall}. */
  public enum Way {
    /** Listeners are called on the event loop. */
    EVENT_LOOP,
    /** A unary call has ended when the calling thread returns. */
    IN_PLACE
  }

  private static final int SECONDS_FOR_FIRST_CALL = 20;

  private final CallShape shape;
  private final SimpleRequest request;
  private final List<Channel> channels;
  private final Way way;
  private final List<UnaryOrder> orders;

  /** Calls of this shape, on this number of channels. */
  public StubTarget(CallShape shape, List<? extends Channel> channels, Way way) {
    this.shape = shape;
    this.request = request(shape);
    this.channels = List.copyOf(channels);
    this.way = way;
    this.orders = channels.stream().map(it -> UnaryOrder.of(it, request, shape)).toList();
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

  static int payloadBytes(SimpleResponse response) {
    return response.getPayload().getBody().size();
  }

  @Override
  public void callOnce(int channel) {
    Run run = new Run(shape.payloads());
    try {
      SimpleResponse response =
          BenchmarkServiceGrpc.newBlockingStub(channels.get(channel))
              .withDeadlineAfter(SECONDS_FOR_FIRST_CALL, TimeUnit.SECONDS)
              .unaryCall(request);
      run.checkPayload(payloadBytes(response));
    } catch (StatusRuntimeException e) {
      throw new RunFailedException("the first call ended with " + e.getStatus(), e);
    }
    run.failure()
        .ifPresent(what -> {
          throw new RunFailedException("no result: " + what);
        });
  }

  @Override
  public Latencies newLatencies() {
    boolean ofOneThread =
        shape.style() == CallShape.Style.ASYNC && way == Way.EVENT_LOOP && !shape.isSpread();
    return ofOneThread
        ? Latencies.ofOneThread()
        : Latencies.ofAnyThread();
  }

  @Override
  public void startLoop(int channel, Run run, Latencies latencyNanos) {
    Channel on = channels.get(channel);
    switch (shape.kind()) {
      case UNARY -> {
        switch (shape.style()) {
          case ASYNC -> startUnaryLoop(orders.get(channel), run, latencyNanos);
          case BLOCKING -> new BlockingUnaryLoop(on, request, run, latencyNanos).start();
        }
      }
      case PING_PONG -> new PingPongLoop(on, request, run, latencyNanos).start();
      case SERVER_STREAM -> new ServerStreamLoop(on, request, run, latencyNanos).start();
    }
  }

  private void startUnaryLoop(UnaryOrder order, Run run, Latencies latencyNanos) {
    switch (way) {
      case EVENT_LOOP -> new AsyncUnaryLoop(order, run, latencyNanos).start();
      case IN_PLACE -> new InPlaceUnaryLoop(order, run, latencyNanos).start();
    }
  }

  @Override
  public void startCall(int channel, Run run, Latencies latencyNanos, long intendedNanos) {
    UnaryOrder order = orders.get(channel);
    PacedUnaryCall call = new PacedUnaryCall(run, latencyNanos, intendedNanos);
    switch (way) {
      case EVENT_LOOP -> order.begin(call);
      case IN_PLACE -> Thread.ofVirtual().start(() -> order.begin(call));
    }
  }

  @Override
  public OpenStream openStream(int channel, Run run) {
    return IdleStream.open(channels.get(channel), request, run);
  }

  @Override
  public void close() {
    // Programs end with their process; channels of this API cannot be closed.
  }
}
