package dev.gannet.cli;

import dev.gannet.cli.greeter.GreeterClient;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A server and a client in one process, with a real socket between them. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Starts a server on a free port of this machine, calls it with all four kinds of calls from",
      "several callers at once, checks every reply, and prints what that took.",
      "Exits with 0 only if every call was right."
    })
final class Demo implements Callable<Integer> {
  private static final Duration LONGEST_CALL = Duration.ofSeconds(5);

  private final PrintWriter out;

  @Option(names = "--seconds", paramLabel = "N", description = "How long to go on.")
  private int seconds = 3;

  @Option(
      names = "--callers",
      paramLabel = "N",
      description = "How many callers there are at once.")
  private int callers = 8;

  Demo(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (seconds < 1 || callers < 1) {
      throw new WrongUsageException("--seconds and --callers must be at least 1");
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
          "%d callers call it for %d s; streams have %d messages; every reply is checked.%n%n",
          callers, seconds, CallKind.STREAM_MESSAGES);
      return judge(measure(GreeterClient.of(channel).withDeadline(LONGEST_CALL)));
    }
  }

  private Tallies measure(GreeterClient greeter) throws InterruptedException {
    long beginNanos = System.nanoTime();
    Tallies tallies = new Callers(greeter, callers, Duration.ofSeconds(seconds)).work();
    new Table(tallies, Duration.ofNanos(System.nanoTime() - beginNanos)).printTo(out);
    return tallies;
  }

  private int judge(Tallies tallies) {
    out.println();
    if (tallies.areRight()) {
      out.println("Every call was right.");
      return 0;
    }
    Tally total = tallies.total();
    out.println(
        total
            .firstError()
            .map(error -> total.errors() + " calls went wrong; one of them, " + error)
            .orElse("There were no calls of some kind."));
    return 1;
  }
}
