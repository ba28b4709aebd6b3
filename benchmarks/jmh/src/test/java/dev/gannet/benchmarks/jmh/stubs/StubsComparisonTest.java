package dev.gannet.benchmarks.jmh.stubs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Generated code for a service of 50 methods is smaller than that of grpc-java's plug-in. */
final class StubsComparisonTest {
  /** A service and a client for each style but observers, their records, and the descriptors. */
  private static final int OUR_CLASSES = 10;

  @Test
  void generatedClassesAreFewerAndSmallerThanThoseOfGrpcJava() throws IOException {
    GeneratedClasses gannet = GeneratedClasses.of(Library.GANNET);
    GeneratedClasses grpcJava = GeneratedClasses.of(Library.GRPC_JAVA);
    assertThat(gannet.number()).isEqualTo(OUR_CLASSES).isLessThan(grpcJava.number());
    assertThat(gannet.bytes()).isLessThan(grpcJava.bytes());
  }

  @ParameterizedTest
  @EnumSource
  void bothLibrariesStartInTheirOwnJvms(Side side) throws IOException, InterruptedException {
    assertThat(StubsComparison.start(GannetStart.class, side).cpuNanos()).isPositive();
    assertThat(StubsComparison.start(GrpcJavaStart.class, side).cpuNanos()).isPositive();
  }
}
