package dev.gannet.benchmarks.harness;

import java.io.File;
import java.util.Optional;

/**
 * The main program of a server that is compared: option {@code --port P}, output {@code ready
 * PORT}; it ends when standard input ends.
 */
public final class ServerProgram {
  /** Starts a server and returns its port. */
  @FunctionalInterface
  public interface Starter {
    int start(Options options) throws Exception;
  }

  /**
   * The settings of a server.
   *
   * @param port where to listen on loopback; 0 takes a free port
   * @param mode what the library lets its users choose, by its own words; empty for its default
   */
  public record Options(int port, String mode, Optional<Tls> tls) {
    /** The loopback address as a text that all libraries understand. */
    public static final String HOST = "127.0.0.1";
  }

  /** A certificate and its key, as PEM files. */
  public record Tls(File certificate, File key) {}

  private ServerProgram() {}

  /** Serves until standard input ends, and ends the process. */
  public static void run(String[] args, Starter starter) throws Exception {
    Conversation conversation = new Conversation();
    Arguments arguments = new Arguments(args);
    try {
      conversation.say("ready " + starter.start(options(arguments)));
    } catch (Exception e) {
      conversation.fail(e);
    }
    conversation.hold(words -> {
      throw new IllegalArgumentException("unknown command for a server: " + words[0]);
    });
    Runtime.getRuntime().halt(0);
  }

  private static Options options(Arguments arguments) {
    Optional<Tls> tls =
        arguments
            .text("tls-certificate")
            .map(it -> new Tls(new File(it), new File(arguments.required("tls-key"))));
    return new Options(arguments.number("port", 0), arguments.text("mode").orElse(""), tls);
  }
}
