package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.harness.CallShape.Kind;
import dev.gannet.benchmarks.harness.CallShape.Style;
import dev.gannet.benchmarks.harness.Load;
import java.time.Duration;

/** What is asked of contenders. */
public record Workload(String name, String description, Task task) {
  /** What a round consists of. */
  public sealed interface Task {
    /** Calls, one after the other on each of a number of loops. */
    record Calls(Shape shape, int outstanding, Rate rate, int servers) implements Task {}

    /** Connections on which nothing happens. */
    record IdleConnections() implements Task {}

    /** Streams on which nothing happens. */
    record IdleStreams() implements Task {}

    /** The first call of a fresh client. */
    record FirstCall() implements Task {}
  }

  /** How many calls are offered. */
  public enum Rate {
    /** As many as there are answers. */
    CLOSED,
    /**
     * Half of what the first of the pair reached once it was warm, begun by one thread outside of
     * the client's own; for both of them.
     */
    HALF_OF_FIRST
  }

  /** Whether calls are encrypted. */
  public enum Wire {
    CLEAR,
    TLS
  }

  /** What a call looks like. */
  public record Shape(
      Kind kind,
      Style style,
      int channels,
      Load.Payloads payloads,
      Duration deadline,
      int metadataEntries,
      Wire wire) {
    /** Empty unary calls by listeners. */
    static Shape of(int channels) {
      return new Shape(
          Kind.UNARY, Style.ASYNC, channels, new Load.Payloads(0, 0), Duration.ZERO, 0, Wire.CLEAR);
    }

    Shape kind(Kind other) {
      return new Shape(other, style, channels, payloads, deadline, metadataEntries, wire);
    }

    Shape style(Style other) {
      return new Shape(kind, other, channels, payloads, deadline, metadataEntries, wire);
    }

    Shape bytes(int eachWay) {
      var bytes = new Load.Payloads(eachWay, eachWay);
      return new Shape(kind, style, channels, bytes, deadline, metadataEntries, wire);
    }

    Shape adorned(Duration withDeadline, int withEntries) {
      return new Shape(kind, style, channels, payloads, withDeadline, withEntries, wire);
    }

    Shape encrypted() {
      return new Shape(kind, style, channels, payloads, deadline, metadataEntries, Wire.TLS);
    }

    /** Whether it is the simplest there is: empty, unary, unadorned, in the clear. */
    boolean isPlain() {
      return equals(of(channels));
    }
  }

  /** How many servers there are at once. */
  public int servers() {
    return task instanceof Task.Calls calls ? calls.servers : 1;
  }

  /** Whether programs that know empty unary calls alone can take part. */
  public boolean isPlain() {
    return task instanceof Task.Calls calls
        && calls.shape.isPlain()
        && calls.rate == Rate.CLOSED
        && calls.servers == 1;
  }

  /** Whether calls come at a fixed rate. */
  boolean isPaced() {
    return task instanceof Task.Calls calls && calls.rate == Rate.HALF_OF_FIRST;
  }

  /** Whether the server must have a certificate. */
  boolean isEncrypted() {
    return task instanceof Task.Calls calls && calls.shape.wire == Wire.TLS;
  }
}
