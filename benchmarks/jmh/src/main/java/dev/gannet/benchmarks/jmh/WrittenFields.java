package dev.gannet.benchmarks.jmh;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The header fields of one list, in order, as implementations of gRPC write them. */
final class WrittenFields {
  /** A name and a value. */
  record Field(String name, String value) {}

  private static final int MICROS_OF_SECOND = 1_000_000;
  private static final int NANOS_OF_SHORT_DEADLINE = 50_000_000;

  private static final List<String> PATHS =
      List.of(
          "/grpc.testing.BenchmarkService/UnaryCall",
          "/grpc.testing.BenchmarkService/StreamingCall",
          "/grpc.testing.BenchmarkService/StreamingFromServer");

  private final List<Field> fields = new ArrayList<>();

  static WrittenFields ofGrpcJava() {
    return ofGrpcJava(0);
  }

  static WrittenFields ofGrpcJava(int method) {
    return new WrittenFields()
        .add(":authority", "localhost:50051")
        .add(":path", PATHS.get(method))
        .add(":method", "POST")
        .add(":scheme", "http")
        .add("content-type", "application/grpc")
        .add("te", "trailers")
        .add("user-agent", "grpc-java-netty/1.79.0")
        .add("grpc-accept-encoding", "gzip");
  }

  static WrittenFields ofGrpcGo() {
    return new WrittenFields()
        .add(":method", "POST")
        .add(":scheme", "http")
        .add(":path", "/grpc.testing.BenchmarkService/UnaryCall")
        .add(":authority", "127.0.0.1:50051")
        .add("content-type", "application/grpc")
        .add("user-agent", "grpc-go/1.85.0")
        .add("te", "trailers");
  }

  static WrittenFields ofGrpcJavaResponse() {
    return new WrittenFields()
        .add(":status", "200")
        .add("content-type", "application/grpc")
        .add("grpc-encoding", "identity")
        .add("grpc-accept-encoding", "gzip");
  }

  WrittenFields add(String name, String value) {
    fields.add(new Field(name, value));
    return this;
  }

  /** Adds ten entries of metadata, the same for all calls. */
  WrittenFields addTenEntries() {
    for (int i = 0; i < 10; i++) {
      add("x-entry-" + i, "the value of entry " + i);
    }
    return this;
  }

  /** Adds a unique trace id. */
  WrittenFields addTrace(Random random) {
    String traceId = hex(random) + hex(random);
    return add("traceparent", "00-" + traceId + "-" + hex(random) + "-01");
  }

  private static String hex(Random random) {
    return String.format("%016x", random.nextLong());
  }

  /**
   * Adds the remaining part of a second when a call is written: as recorded, most values are among
   * a few dozen.
   */
  WrittenFields addSecond(Random random) {
    return add("grpc-timeout", MICROS_OF_SECOND - elapsedMicros(random) + "u");
  }

  static int elapsedMicros(Random random) {
    boolean slow = random.nextInt(20) == 0;
    return slow ? random.nextInt(1_000) : 4 + (int) (-14 * Math.log(1 - random.nextDouble()));
  }

  /** Adds the remaining part of 50 ms: the nanoseconds are almost never the same. */
  WrittenFields addShortDeadline(Random random) {
    return add("grpc-timeout", NANOS_OF_SHORT_DEADLINE - random.nextInt(1_000_000) + "n");
  }

  List<Field> fields() {
    return fields;
  }
}
