package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.trial.Workload.Rate;
import dev.gannet.benchmarks.compare.trial.Workload.Shape;
import dev.gannet.benchmarks.compare.trial.Workload.Task;
import dev.gannet.benchmarks.harness.CallShape.Kind;
import dev.gannet.benchmarks.harness.CallShape.Style;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The workloads there are. */
public final class Workloads {
  /** Where clients are compared by the policies of their channels. */
  static final String THREE_SERVERS = "three-servers";

  private static final int KIB = 1024;
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final int ENTRIES = 10;

  private static final List<Workload> ALL =
      List.of(
          calls("unary-10x20", "10 channels x 20 empty unary calls", Shape.of(10), 20),
          calls("unary-4x10", "4 channels x 10 empty unary calls", Shape.of(4), 10),
          calls("unary-4x100", "4 channels x 100 empty unary calls", Shape.of(4), 100),
          calls(
              "blocking-4x100",
              "4 channels x 100 empty unary calls by the blocking client, on virtual threads",
              Shape.of(4).style(Style.BLOCKING),
              100),
          calls(
              "unary-1x1",
              "1 channel x 1 empty unary call by the blocking client",
              Shape.of(1).style(Style.BLOCKING),
              1),
          calls("unary-1k", "4 x 10 unary calls, 1 KiB each way", Shape.of(4).bytes(KIB), 10),
          calls(
              "unary-64k", "4 x 10 unary calls, 64 KiB each way", Shape.of(4).bytes(64 * KIB), 10),
          calls("unary-1m", "4 x 2 unary calls, 1 MiB each way", Shape.of(4).bytes(KIB * KIB), 2),
          calls(
              "server-stream",
              "1 stream of empty messages from the server; a call is a message, latency is the gap"
                  + " between two",
              Shape.of(1).kind(Kind.SERVER_STREAM),
              1),
          calls(
              "ping-pong",
              "4 x 10 streams of empty messages to and fro; a call is one exchange",
              Shape.of(4).kind(Kind.PING_PONG),
              10),
          calls("unary-100x10", "100 channels x 10 empty unary calls", Shape.of(100), 10),
          calls(
              "deadline-metadata",
              "4 x 10 empty unary calls with a deadline and 10 metadata entries each, of which one"
                  + " is a trace id that is new in each call",
              Shape.of(4).adorned(DEADLINE, ENTRIES),
              10),
          calls("tls", "4 x 10 empty unary calls, encrypted", Shape.of(4).encrypted(), 10),
          new Workload(
              THREE_SERVERS,
              "empty unary calls over 12 connections to three servers, 33 at a time on each: 12"
                  + " channels, or 4 that go round the servers",
              new Task.Calls(Shape.of(12), 33, Rate.CLOSED, 3)),
          new Workload(
              "three-servers-12x100",
              "the same, 100 at a time on each connection",
              new Task.Calls(Shape.of(12), 100, Rate.CLOSED, 3)),
          new Workload(
              "three-servers-fixed-rate",
              "the same with 33 at a time, at a fixed rate, half of what the first of the pair can do begun by a"
                  + " thread of the caller's; latency counts from when a call was meant to begin",
              new Task.Calls(Shape.of(12), 33, Rate.HALF_OF_FIRST, 3)),
          new Workload(
              "fixed-rate",
              "empty unary calls on 4 channels at a fixed rate, half of what the first of the pair"
                  + " can do with 4 x 10 begun by a thread of the caller's; latency counts"
                  + " from when a call was meant to begin",
              new Task.Calls(Shape.of(4), 10, Rate.HALF_OF_FIRST, 1)),
          new Workload(
              "idle-connections",
              "what a connection costs the server on which nothing happens",
              new Task.IdleConnections()),
          new Workload(
              "idle-streams",
              "what a stream costs each side on which nothing happens: 100 on each connection",
              new Task.IdleStreams()),
          new Workload(
              "first-call",
              "from main of a fresh client to the first reply of a warm server",
              new Task.FirstCall()));

  private Workloads() {}

  private static Workload calls(String name, String description, Shape shape, int outstanding) {
    return new Workload(name, description, new Task.Calls(shape, outstanding, Rate.CLOSED, 1));
  }

  public static List<Workload> all() {
    return ALL;
  }

  public static Optional<Workload> named(String name) {
    return ALL.stream().filter(it -> it.name().equals(name)).findFirst();
  }
}
