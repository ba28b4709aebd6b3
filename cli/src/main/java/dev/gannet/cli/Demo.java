package dev.gannet.cli;

import dev.gannet.cli.greeter.GreeterClient;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A server and a client in one process, with a real socket between them. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description =
        "Starts a server on a free port of this machine, calls it with each of the four"
            + " kinds of calls from several concurrent callers, checks every reply, and prints"
            + " rates and latencies. Exits with 0 if every reply was correct, otherwise with 1.")
final class Demo implements Callable<Integer> {
  private static final Duration MAX_CALL_DURATION = Duration.ofSeconds(5);
  private static final double NANOS_PER_SECOND = 1e9;

  private final PrintWriter out;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Seconds of measurement for each kind of call.")
  private double seconds = 2;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Seconds of warm-up before each measurement.")
  private double warmUpSeconds = 2;

  @Option(names = "--callers", paramLabel = "N", description = "The number of concurrent callers.")
  private int callers = 32;

  Demo(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!(seconds > 0) || !(warmUpSeconds >= 0) || callers < 1) {
      throw new WrongUsageException(
          "--seconds must be positive, --warm-up not negative, --callers at least 1");
    }
    InetAddress loopback = InetAddress.getLoopbackAddress();
    String host = loopback.getHostAddress();
    try (Server server =
            Server.builder(new InetSocketAddress(loopback, 0)).add(new DemoGreeter()).start();
        ManagedChannel channel = ManagedChannel.builder(host, server.port()).plaintext().build()) {
      out.printf(
          "A server on %s, port %d (no TLS), and a client with one connection to it.%n",
          host, server.port());
      out.printf(
          Locale.ROOT,
          "%d callers make blocking calls, %.1f s of each kind after %.1f s to warm up; streams"
              + " have %d messages; every reply is checked.%n%n",
          callers,
          seconds,
          warmUpSeconds,
          CallKind.STREAM_MESSAGES);
      return judge(measure(GreeterClient.of(channel).withDeadline(MAX_CALL_DURATION)));
    }
  }

  private Tallies measure(GreeterClient greeter) throws InterruptedException {
    Callers all = new Callers(greeter, callers);
    ProgressLine progress = ProgressLine.onTerminal();
    Tallies tallies = new Tallies();
    if (warmUpSeconds > 0) {
      for (CallKind kind : CallKind.values()) {
        progress.show("warming up: " + kind.label());
        tallies.addErrors(kind, all.work(kind, durationOf(warmUpSeconds)));
      }
    }
    for (CallKind kind : CallKind.values()) {
      progress.show("measuring: " + kind.label());
      tallies.of(kind).add(all.work(kind, durationOf(seconds)));
    }
    progress.clear();
    new Table(tallies, durationOf(seconds)).printTo(out);
    return tallies;
  }

  private static Duration durationOf(double seconds) {
    return Duration.ofNanos((long) (seconds * NANOS_PER_SECOND));
  }

  private int judge(Tallies tallies) {
    out.println();
    if (tallies.areRight()) {
      out.println("Every call was right.");
      out.println();
      out.println("To go on:");
      out.println("  README.md, \"Hello world\"   a project of your own, in four files");
      out.println("  ./gannet serve             a server to call from elsewhere");
      out.println(
          "  ./gannet bench compare     Gannet compared with other implementations of gRPC");
      return 0;
    }
    Tally total = tallies.total();
    out.println(
        total
            .firstError()
            .map(error -> total.errors() + " calls failed; one of them, " + error)
            .orElse("One kind of call was never made."));
    return 1;
  }
}
