package dev.gannet.benchmarks.harness;

import java.io.File;
import java.time.Duration;
import java.util.Optional;

/**
 * What calls of a workload look like, and where they go.
 *
 * @param deadline zero for none
 * @param metadataEntries how many entries each call brings, one of them a trace id that no other
 *     call has; asynchronous unary calls alone do
 * @param trust the certificate that the server has, as a PEM file; without it calls are in the
 *     clear
 */
// Breaks ParameterNumber: each is an option of every client.
public record CallShape(
    String host,
    int port,
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

  static CallShape of(Arguments arguments) {
    return new CallShape(
        ServerProgram.Options.HOST,
        Integer.parseInt(arguments.required("port")),
        Kind.valueOf(arguments.text("kind").orElse(Kind.UNARY.name())),
        Style.valueOf(arguments.text("style").orElse(Style.ASYNC.name())),
        arguments.number("channels", 1),
        new Load.Payloads(arguments.number("client-bytes", 0), arguments.number("server-bytes", 0)),
        Duration.ofMillis(arguments.number("deadline-millis", 0)),
        arguments.number("metadata", 0),
        arguments.text("trust").map(File::new));
  }
}
