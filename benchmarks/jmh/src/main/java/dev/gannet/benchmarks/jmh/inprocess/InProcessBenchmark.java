package dev.gannet.benchmarks.jmh.inprocess;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import dev.gannet.benchmarks.jmh.inprocess.EchoCalls.Library;
import dev.gannet.benchmarks.jmh.inprocess.EchoCalls.Threads;
import java.io.IOException;
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

/** A unary call of 1,024 bytes each way, within this process, one after the other. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class InProcessBenchmark {
  private static final int MESSAGE_BYTES = 1024;

  /** Whose client and server. */
  @Param({"GANNET", "GRPC_JAVA"})
  public String library = Library.GANNET.name();

  /** Where handlers and listeners run. */
  @Param({"DIRECT", "DEFAULT"})
  public String threads = Threads.DIRECT.name();

  private final BytesValue request =
      BytesValue.newBuilder().setValue(ByteString.copyFrom(new byte[MESSAGE_BYTES])).build();
  private @Nullable EchoCalls calls;

  /** Starts server and client. */
  @Setup
  public void open() throws IOException {
    calls = Library.valueOf(library).open(Threads.valueOf(threads));
  }

  /** Stops them. */
  @TearDown
  public void close() {
    Objects.requireNonNull(calls).close();
  }

  /** One call. */
  @Benchmark
  public BytesValue unaryCall() {
    return Objects.requireNonNull(calls).echo(request);
  }
}
