package dev.gannet.benchmarks.harness;

import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The calls of a workload, and their servers.
 *
 * @param ports the ports of its servers, at least one; a client without load balancing uses one of
 *     them for each channel, in turn
 * @param policy further settings of its channels
 * @param deadline zero for none
 * @param metadataEntries the number of entries that each call sends, one of them a unique trace id;
 *     only in asynchronous unary calls
 * @param trust the certificate of the server, as a PEM file; without it calls are in plaintext
 */
// Breaks ParameterNumber: each is an option of every client.
public record CallShape(
    String host,
    List<Integer> ports,
    Policy policy,
    Kind kind,
    Style style,
    int channels,
    Load.Payloads payloads,
    Duration deadline,
    int metadataEntries,
    Optional<File> trust) {
  /** The method that is called. */
  public enum Kind {
    UNARY,
    PING_PONG,
    SERVER_STREAM
  }

  /** How a client calls. */
  public enum Style {
    /** Directly with the library's call object, with listeners on its event loop. */
    ASYNC,
    /** With the generated blocking client, on virtual threads. */
    BLOCKING
  }

  /** Further settings of channels, by policies that each library has. */
  public enum Policy {
    NONE,
    /** One channel for all servers, whose calls go to each server in turn. */
    ROUND_ROBIN,
    /**
     * No policy, but the program makes each call on the next of its channels: as far from the last
     * call's connection as with {@link #ROUND_ROBIN}, without what the library does for that.
     */
    IN_TURN,
    /** Calls that end with UNAVAILABLE are retried, up to three attempts in total. */
    RETRIES
  }

  /** The first server. */
  public int port() {
    return ports.getFirst();
  }

  /** Whether calls of one loop may end on several threads. */
  public boolean isSpread() {
    return ports.size() > 1;
  }

  static CallShape of(Arguments arguments) {
    return new CallShape(
        ServerProgram.Options.HOST,
        Stream.of(arguments.required("port").split(",", -1)).map(Integer::valueOf).toList(),
        Policy.valueOf(arguments.text("policy").orElse(Policy.NONE.name())),
        Kind.valueOf(arguments.text("kind").orElse(Kind.UNARY.name())),
        Style.valueOf(arguments.text("style").orElse(Style.ASYNC.name())),
        arguments.number("channels", 1),
        new Load.Payloads(arguments.number("client-bytes", 0), arguments.number("server-bytes", 0)),
        Duration.ofMillis(arguments.number("deadline-millis", 0)),
        arguments.number("metadata", 0),
        arguments.text("trust").map(File::new));
  }
}
