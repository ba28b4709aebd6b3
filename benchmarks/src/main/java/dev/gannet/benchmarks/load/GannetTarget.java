package dev.gannet.benchmarks.load;

import dev.gannet.api.Channel;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Pem;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.benchmarks.harness.CallShape;
import dev.gannet.benchmarks.harness.Latencies;
import dev.gannet.benchmarks.harness.Run;
import dev.gannet.benchmarks.harness.RunFailedException;
import dev.gannet.benchmarks.harness.Target;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.ServiceConfig;
import io.grpc.benchmarks.proto.BenchmarkServiceClient;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Channels of Gannet's client. */
public final class GannetTarget implements Target {
  private static final Duration MAX_FIRST_CALL = Duration.ofSeconds(20);
  private static final String NAME_IN_CERTIFICATE = "localhost";
  private static final ServiceConfig RETRIES =
      ServiceConfig.builder()
          .forAllMethods(
              MethodConfig.builder()
                  .retryPolicy(
                      RetryPolicy.of(3, Status.Code.UNAVAILABLE)
                          .withInitialBackoff(Duration.ofMillis(10))
                          .withMaxBackoff(Duration.ofMillis(100))
                          .withBackoffMultiplier(2))
                  .build())
          .build();

  /** Where the ends of a channel's asynchronous calls are reported. */
  private enum Endings {
    ON_ONE_THREAD,
    ON_SEVERAL_THREADS
  }

  private final CallShape shape;
  private final SimpleRequest request;
  private final List<ManagedChannel> channels;
  private final List<UnaryOrder> orders;
  private final Endings endings;

  private GannetTarget(CallShape shape, List<ManagedChannel> channels, Endings endings) {
    this.shape = shape;
    this.endings = endings;
    this.request = Requests.of(shape.payloads());
    this.channels = channels;
    this.orders = callers(shape, channels).map(it -> UnaryOrder.of(it, shape)).toList();
  }

  /**
   * Makes the channels of a workload; each connects with its first call.
   *
   * @throws IOException if the certificate to trust cannot be read
   */
  public static GannetTarget connect(CallShape shape) throws IOException {
    if (shape.isSpread()) {
      return new GannetTarget(shape, spread(shape), Endings.ON_SEVERAL_THREADS);
    }
    ManagedChannelBuilder builder =
        secured(shape, ManagedChannel.builder(shape.host(), shape.port()).directExecutor());
    return new GannetTarget(shape, channels(shape, builder), Endings.ON_ONE_THREAD);
  }

  private static ManagedChannelBuilder secured(CallShape shape, ManagedChannelBuilder builder)
      throws IOException {
    if (shape.trust().isEmpty()) {
      return builder.plaintext();
    }
    Pem trust = Pem.of(shape.trust().get().toPath());
    return builder
        .credentials(ChannelCredentials.tls().withTrust(trust))
        .overrideAuthority(NAME_IN_CERTIFICATE);
  }

  /** The channel on which each loop makes unary calls. */
  private static Stream<? extends Channel> callers(CallShape shape, List<ManagedChannel> channels) {
    if (shape.policy() != CallShape.Policy.IN_TURN) {
      return channels.stream();
    }
    int servers = shape.ports().size();
    List<Channel> callers = new ArrayList<>();
    for (int i = 0; i < channels.size(); i++) {
      callers.add(
          i % servers == 0
              ? new InTurn(channels.subList(i, Math.min(i + servers, channels.size())))
              : callers.getLast());
    }
    return callers.stream();
  }

  /** As many connections with each policy: one to each server for as many channels as servers. */
  private static List<ManagedChannel> spread(CallShape shape) throws IOException {
    int servers = shape.ports().size();
    List<InetSocketAddress> all =
        shape.ports().stream().map(it -> new InetSocketAddress(shape.host(), it)).toList();
    List<ManagedChannel> channels = new ArrayList<>();
    for (int i = 0; i < shape.channels(); i++) {
      ManagedChannelBuilder builder =
          secured(shape, ManagedChannel.builder(all.get(i % servers)).directExecutor());
      switch (shape.policy()) {
        case NONE, IN_TURN -> channels.add(builder.build());
        case RETRIES -> channels.add(builder.defaultServiceConfig(RETRIES).build());
        case ROUND_ROBIN ->
            channels.add(
                i % servers == 0
                    ? builder.addresses(all).roundRobin().build()
                    : channels.getLast());
      }
    }
    return channels;
  }

  /** A target with channels of that builder, whatever it connects to. */
  public static GannetTarget connect(CallShape shape, ManagedChannelBuilder builder) {
    return new GannetTarget(shape, channels(shape, builder), Endings.ON_SEVERAL_THREADS);
  }

  private static List<ManagedChannel> channels(CallShape shape, ManagedChannelBuilder builder) {
    return Stream.generate(builder::build).limit(shape.channels()).toList();
  }

  @Override
  public void callOnce(int channel) {
    Run run = new Run(shape.payloads());
    try {
      SimpleResponse response =
          BenchmarkServiceClient.of(channels.get(channel))
              .withDeadline(MAX_FIRST_CALL)
              .unaryCall(request);
      run.checkPayload(Requests.payloadBytes(response));
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

  /**
   * Listeners are called on the thread of their channel's one connection, if it has one: no atomics
   * needed.
   */
  @Override
  public Latencies newLatencies() {
    return shape.style() == CallShape.Style.ASYNC && endings == Endings.ON_ONE_THREAD
        ? Latencies.ofOneThread()
        : Latencies.ofAnyThread();
  }

  @Override
  public void startLoop(int channel, Run run, Latencies latencyNanos) {
    loop(channel, run, latencyNanos).start();
  }

  private Loop loop(int channel, Run run, Latencies latencyNanos) {
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
  public void startCall(int channel, Run run, Latencies latencyNanos, long intendedNanos) {
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
