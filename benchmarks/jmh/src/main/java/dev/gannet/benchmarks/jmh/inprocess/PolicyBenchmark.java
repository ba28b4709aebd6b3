package dev.gannet.benchmarks.jmh.inprocess;

import com.google.protobuf.BytesValue;
import dev.gannet.api.Status;
import dev.gannet.benchmarks.jmh.inprocess.EchoCalls.Threads;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.ServiceConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What the policies of a channel cost by themselves: an empty unary call within this process, on
 * one thread, so that no batch and no wake-up of another thread is measured.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PolicyBenchmark {
  private static final int SERVERS = 3;
  private static final ServiceConfig WITH_RETRIES =
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

  /** The policy of the channel. */
  public enum Policy {
    /** {@code pick_first} without retries. */
    NONE,
    /** {@code round_robin} over three servers. */
    ROUND_ROBIN,
    /** A retry policy that matches the method. */
    RETRIES;

    private ManagedChannelBuilder applyTo(ManagedChannelBuilder builder) {
      return switch (this) {
        case NONE -> builder;
        case ROUND_ROBIN -> builder.roundRobin();
        case RETRIES -> builder.defaultServiceConfig(WITH_RETRIES);
      };
    }
  }

  /** The measured policy. */
  @Param({"NONE", "ROUND_ROBIN", "RETRIES"})
  public String policy = Policy.NONE.name();

  private @Nullable EchoCalls calls;

  /** Starts servers and client. */
  @Setup
  public void open() throws IOException {
    calls = GannetEchoCalls.open(Threads.DIRECT, SERVERS, Policy.valueOf(policy)::applyTo);
  }

  /** Stops them. */
  @TearDown
  public void close() {
    Objects.requireNonNull(calls).close();
  }

  /** One call. */
  @Benchmark
  public BytesValue unaryCall() {
    return Objects.requireNonNull(calls).echo(BytesValue.getDefaultInstance());
  }
}
