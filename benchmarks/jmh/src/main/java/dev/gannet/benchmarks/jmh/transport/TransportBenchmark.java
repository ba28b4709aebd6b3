package dev.gannet.benchmarks.jmh.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Calls from one end to the other over loopback, on one connection, both ends in this process.
 *
 * <p>An operation is a call, or one message of a stream. With {@code -prof gc} the bytes that both
 * ends allocate for it.
 */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class TransportBenchmark {
  private static final int MAX_SECONDS = 30;
  private static final int UNARY_BYTES = 1024;
  private static final int CALLS = 2_000;
  private static final int OUTSTANDING = 100;
  private static final int SMALL_BYTES = 16;
  private static final int SMALL_MESSAGES = 20_000;
  private static final int LARGE_BYTES = 64 << 10;
  private static final int LARGE_MESSAGES = 1_000;

  /** Whose client and server. */
  @Param public Library library = Library.GANNET;

  /** Where the server's handlers run. */
  @Param public Library.Handlers handlers = Library.Handlers.ON_LOOP;

  private @Nullable Exchange exchange;
  private final byte[] kibibyte = new byte[UNARY_BYTES];

  @Setup
  public void open() throws IOException {
    exchange = library.open(handlers);
  }

  @TearDown
  public void close() {
    exchange().close();
  }

  private Exchange exchange() {
    return Objects.requireNonNull(exchange, "not open");
  }

  /** One blocking call after the other, 1 KiB each way. */
  @Benchmark
  @BenchmarkMode(Mode.SampleTime)
  public byte[] unaryLatency() {
    return exchange().echo(kibibyte);
  }

  /** A hundred calls at once, 1 KiB each way. */
  @Benchmark
  @BenchmarkMode(Mode.AverageTime)
  @OperationsPerInvocation(CALLS)
  public void unaryThroughput() throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(CALLS);
    AtomicInteger toBegin = new AtomicInteger(CALLS);
    for (int i = 0; i < OUTSTANDING; i++) {
      beginNext(toBegin, ended);
    }
    await(ended);
  }

  private void beginNext(AtomicInteger toBegin, CountDownLatch ended) {
    if (toBegin.getAndDecrement() > 0) {
      exchange()
          .beginEcho(
              kibibyte,
              response -> {
                check(response, UNARY_BYTES);
                ended.countDown();
                beginNext(toBegin, ended);
              });
    }
  }

  /** A server's stream of messages of 16 bytes. */
  @Benchmark
  @BenchmarkMode(Mode.AverageTime)
  @OperationsPerInvocation(SMALL_MESSAGES)
  public void smallMessages() throws InterruptedException {
    stream(SMALL_BYTES, SMALL_MESSAGES);
  }

  /** A server's stream of messages of 64 KiB. */
  @Benchmark
  @BenchmarkMode(Mode.AverageTime)
  @OperationsPerInvocation(LARGE_MESSAGES)
  public void largeMessages() throws InterruptedException {
    stream(LARGE_BYTES, LARGE_MESSAGES);
  }

  private void stream(int bytes, int messages) throws InterruptedException {
    byte[] request = new byte[bytes];
    ByteBuffer.wrap(request).putInt(messages);
    CountDownLatch ended = new CountDownLatch(1);
    AtomicInteger seen = new AtomicInteger();
    exchange()
        .beginRepeat(
            request,
            message -> {
              check(message, bytes);
              seen.setPlain(seen.getPlain() + 1);
            },
            ended::countDown);
    await(ended);
    if (seen.get() != messages) {
      throw new IllegalStateException(seen + " messages came instead of " + messages);
    }
  }

  private static void await(CountDownLatch ended) throws InterruptedException {
    if (!ended.await(MAX_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("no end after " + MAX_SECONDS + " s");
    }
  }

  private static void check(byte[] message, int bytes) {
    if (message.length != bytes) {
      throw new IllegalStateException(message.length + " bytes came instead of " + bytes);
    }
  }
}
