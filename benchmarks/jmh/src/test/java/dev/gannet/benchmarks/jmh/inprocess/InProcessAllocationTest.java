package dev.gannet.benchmarks.jmh.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a unary call within the process allocates where all of it runs on its caller's thread (ADR
 * 61). Unlike times, that is the same on every machine; what the compiler leaves out comes on top.
 */
@Timeout(120)
final class InProcessAllocationTest {
  private static final long MAX_BYTES = 736;
  private static final int ROUNDS = 20;
  private static final int CALLS = 10_000;
  private static final BytesValue REQUEST = BytesValue.of(ByteString.copyFrom(new byte[1024]));

  /** A round in which classes are loaded or the compiler is at work may allocate more. */
  @Test
  void aDirectCallAllocatesLittle() throws IOException {
    List<Long> rounds = new ArrayList<>();
    try (EchoCalls calls = EchoCalls.Library.GANNET.open(EchoCalls.Threads.DIRECT)) {
      while (rounds.size() < ROUNDS) {
        long bytes = bytesOfCall(calls);
        if (bytes <= MAX_BYTES) {
          return;
        }
        rounds.add(bytes);
      }
    }
    assertThat(rounds).as("bytes a call, round by round").isEmpty();
  }

  private static long bytesOfCall(EchoCalls calls) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < CALLS; i++) {
      calls.echo(REQUEST);
    }
    return (threads.getCurrentThreadAllocatedBytes() - before) / CALLS;
  }
}
