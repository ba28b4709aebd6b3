package dev.gannet.benchmarks.harness;

import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What calls of a workload look like, and where they go.
 *
 * @param ports those of its servers, one at least; a client that does not balance gives each of its
 *     channels one of them in turn
 * @param policy what its channels are set to do besides
 * @param deadline zero for none
 * @param metadataEntries how many entries each call brings, one of them a trace id that no other
 *     call has; asynchronous unary calls alone do
 * @param trust the certificate that the server has, as a PEM file; without it calls are in the
 *     clear
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
  /** Which method is called. */
  public enum Kind {
    UNARY,
    PING_PONG,
    SERVER_STREAM
  }

  /** How a client calls. */
  public enum Style {
    /** Straight on the library's call object, with listeners on its event loop. */
    ASYNC,
    /** With the generated blocking client, on virtual threads. */
    BLOCKING
  }

  /** What channels are set to do besides, by policies that each library has. */
  public enum Policy {
    NONE,
    /** One channel for as many as there are servers, whose calls go to all of them in turn. */
    ROUND_ROBIN,
    /** Calls that end with UNAVAILABLE are tried again, up to three times in all. */
    RETRIES
  }

  /** The first of its servers. */
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
