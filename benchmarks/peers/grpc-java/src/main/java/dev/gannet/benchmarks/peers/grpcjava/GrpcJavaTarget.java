package dev.gannet.benchmarks.peers.grpcjava;

import com.google.protobuf.ByteString;
import dev.gannet.benchmarks.harness.CallShape;
import dev.gannet.benchmarks.harness.Measurement;
import dev.gannet.benchmarks.harness.Run;
import dev.gannet.benchmarks.harness.RunFailedException;
import dev.gannet.benchmarks.harness.Target;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Channels of grpc-java's client. Listeners are called on the event loop: directExecutor. */
final class GrpcJavaTarget implements Target {
  private static final int SECONDS_FOR_FIRST_CALL = 20;
  private static final String NAME_IN_CERTIFICATE = "localhost";

  private final CallShape shape;
  private final SimpleRequest request;
  private final List<ManagedChannel> channels;
  private final List<UnaryOrder> orders;

  private GrpcJavaTarget(CallShape shape, List<ManagedChannel> channels) {
    this.shape = shape;
    this.request = request(shape);
    this.channels = channels;
    this.orders = channels.stream().map(it -> UnaryOrder.of(it, request, shape)).toList();
  }

  static GrpcJavaTarget connect(CallShape shape) throws IOException {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(shape.host(), shape.port()).directExecutor();
    if (shape.trust().isPresent()) {
      builder
          .sslContext(GrpcSslContexts.forClient().trustManager(shape.trust().get()).build())
          .overrideAuthority(NAME_IN_CERTIFICATE);
    } else {
      builder.usePlaintext();
    }
    List<ManagedChannel> channels =
        Stream.generate(builder::build).limit(shape.channels()).toList();
    return new GrpcJavaTarget(shape, channels);
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
      run.isRight(payloadBytes(response));
    } catch (StatusRuntimeException e) {
      throw new RunFailedException("the first call ended with " + e.getStatus(), e);
    }
    run.failure()
        .ifPresent(what -> {
          throw new RunFailedException("no result: " + what);
        });
  }

  @Override
  public Histogram newHistogram() {
    return switch (shape.style()) {
      case ASYNC -> new Histogram(Measurement.SIGNIFICANT_DIGITS);
      case BLOCKING -> new ConcurrentHistogram(Measurement.SIGNIFICANT_DIGITS);
    };
  }

  @Override
  public void startLoop(int channel, Run run, Histogram latencyNanos) {
    ManagedChannel on = channels.get(channel);
    switch (shape.kind()) {
      case UNARY -> {
        switch (shape.style()) {
          case ASYNC -> new AsyncUnaryLoop(orders.get(channel), run, latencyNanos).start();
          case BLOCKING -> new BlockingUnaryLoop(on, request, run, latencyNanos).start();
        }
      }
      case PING_PONG -> new PingPongLoop(on, request, run, latencyNanos).start();
      case SERVER_STREAM -> new ServerStreamLoop(on, request, run, latencyNanos).start();
    }
  }

  @Override
  public void startCall(int channel, Run run, Histogram latencyNanos, long intendedNanos) {
    orders.get(channel).begin(new PacedUnaryCall(run, latencyNanos, intendedNanos));
  }

  @Override
  public OpenStream openStream(int channel, Run run) {
    return IdleStream.open(channels.get(channel), request, run);
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
  }
}
