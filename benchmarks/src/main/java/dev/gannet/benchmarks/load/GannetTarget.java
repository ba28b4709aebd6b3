package dev.gannet.benchmarks.load;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Pem;
import dev.gannet.api.StatusException;
import dev.gannet.benchmarks.harness.CallShape;
import dev.gannet.benchmarks.harness.Measurement;
import dev.gannet.benchmarks.harness.Run;
import dev.gannet.benchmarks.harness.RunFailedException;
import dev.gannet.benchmarks.harness.Target;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import io.grpc.benchmarks.proto.BenchmarkServiceClient;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Channels of Gannet's client. */
public final class GannetTarget implements Target {
  private static final Duration MAX_FIRST_CALL = Duration.ofSeconds(20);
  private static final String NAME_IN_CERTIFICATE = "localhost";

  private final CallShape shape;
  private final SimpleRequest request;
  private final List<ManagedChannel> channels;
  private final List<UnaryOrder> orders;

  private GannetTarget(CallShape shape, List<ManagedChannel> channels) {
    this.shape = shape;
    this.request = Requests.of(shape.payloads());
    this.channels = channels;
    this.orders = channels.stream().map(it -> UnaryOrder.of(it, shape)).toList();
  }

  /**
   * Makes the channels of a workload; each connects with its first call.
   *
   * @throws IOException if the certificate to trust cannot be read
   */
  public static GannetTarget connect(CallShape shape) throws IOException {
    ManagedChannelBuilder builder =
        ManagedChannel.builder(shape.host(), shape.port()).directExecutor();
    if (shape.trust().isPresent()) {
      Pem trust = Pem.of(shape.trust().get().toPath());
      builder
          .credentials(ChannelCredentials.tls().withTrust(trust))
          .overrideAuthority(NAME_IN_CERTIFICATE);
    } else {
      builder.plaintext();
    }
    return connect(shape, builder);
  }

  /** Likewise, by that builder, wherever that leads to. */
  public static GannetTarget connect(CallShape shape, ManagedChannelBuilder builder) {
    return new GannetTarget(
        shape, Stream.generate(builder::build).limit(shape.channels()).toList());
  }

  @Override
  public void callOnce(int channel) {
    Run run = new Run(shape.payloads());
    try {
      SimpleResponse response =
          BenchmarkServiceClient.of(channels.get(channel))
              .withDeadline(MAX_FIRST_CALL)
              .unaryCall(request);
      run.isRight(Requests.payloadBytes(response));
    } catch (StatusException e) {
      String authority = channels.get(channel).authority();
      throw new RunFailedException(
          "the first call to " + authority + " ended with " + e.status(), e);
    }
    run.failure()
        .ifPresent(what -> {
          throw new RunFailedException("no result: " + what);
        });
  }

  /** Listeners are called on the thread of their channel's one connection: no atomics needed. */
  @Override
  public Histogram newHistogram() {
    return switch (shape.style()) {
      case ASYNC -> new Histogram(Measurement.SIGNIFICANT_DIGITS);
      case BLOCKING -> new ConcurrentHistogram(Measurement.SIGNIFICANT_DIGITS);
    };
  }

  @Override
  public void startLoop(int channel, Run run, Histogram latencyNanos) {
    loop(channel, run, latencyNanos).start();
  }

  private Loop loop(int channel, Run run, Histogram latencyNanos) {
    ManagedChannel on = channels.get(channel);
    return switch (shape.kind()) {
      case UNARY ->
          switch (shape.style()) {
            case ASYNC -> new AsyncUnaryLoop(orders.get(channel), run, latencyNanos);
            case BLOCKING -> new BlockingUnaryLoop(on, request, run, latencyNanos);
          };
      case PING_PONG ->
          switch (shape.style()) {
            case ASYNC -> new AsyncStreamLoop(on, request, run, latencyNanos);
            case BLOCKING -> new BlockingStreamLoop(on, request, run, latencyNanos);
          };
      case SERVER_STREAM -> new ServerStreamLoop(on, request, run, latencyNanos);
    };
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
