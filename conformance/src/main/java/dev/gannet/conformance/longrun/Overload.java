package dev.gannet.conformance.longrun;

import dev.gannet.api.StatusException;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.LoadShedding;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.TestServiceClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command that sends a server four times the calls that it can serve, and checks whether its
 * load shedding keeps it at its peak. Exits with 1 if a rule did not hold.
 */
@Command(
    name = "overload",
    mixinStandardHelpOptions = true,
    description =
        "Sends four times the load that a server can serve, in open loop. With load shedding"
            + " it must answer nearly as many calls as at its peak and refuse the rest at once,"
            + " soon after it starts with a limit that is far too low or too high, and soon after"
            + " its capacity changes.")
public final class Overload implements Callable<Integer> {
  private static final int OVERLOAD = 4;
  private static final int LOW_LIMIT = 1;
  private static final int HIGH_LIMIT = 10_000;
  private static final double PERCENT = 100;
  private static final long TAIL_MILLIS = 50;
  private static final int CALLERS_PER_PERMIT = 4;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--permits",
      paramLabel = "N",
      defaultValue = "8",
      description = "How many concurrent calls hold a permit, for 5 ms each (${DEFAULT-VALUE}).")
  private int permits;

  @Option(
      names = "--settle",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "How soon the limit must be found (${DEFAULT-VALUE}).")
  private int settleSeconds;

  @Option(
      names = "--measure",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "The time of the measurement after that, and for the peak (${DEFAULT-VALUE}).")
  private int measureSeconds;

  @Option(
      names = "--goodput",
      paramLabel = "PERCENT",
      defaultValue = "90",
      description = "The part of the peak rate that must be answered (${DEFAULT-VALUE}).")
  private int leastPercent;

  @Option(
      names = "--refused-within",
      paramLabel = "MILLIS",
      defaultValue = "10",
      description = "The time within which 99 of 100 refusals must arrive (${DEFAULT-VALUE}).")
  private int refusedMillis;

  @Option(
      names = "--start-only",
      description =
          "Ends after the phase that starts with a limit of 1: a check, not the whole test.")
  private boolean startOnly;

  /** A command whose options are still to be read. */
  public Overload() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (permits < 2 || settleSeconds < 1 || measureSeconds < 1) {
      throw new ParameterException(
          spec.commandLine(), "--permits must be 2 or more, --settle and --measure 1 or more");
    }
    Findings findings = new Findings(spec.commandLine().getOut());
    double peak = peak(permits, findings);
    start(LOW_LIMIT, peak, findings);
    if (!startOnly) {
      startHighAndChange(peak, peak(permits / 2, findings), findings);
    }
    return findings.conclude();
  }

  private void start(int limit, double peak, Findings findings)
      throws IOException, InterruptedException {
    try (Server server = serve(limit, new PermitService(permits));
        OpenLoad load = load(server)) {
      watch(load.enter(settleSeconds), "started at limit " + limit, peak, findings);
      describe(server, findings);
    }
  }

  private void startHighAndChange(double peak, double halfPeak, Findings findings)
      throws IOException, InterruptedException {
    PermitService service = new PermitService(permits);
    try (Server server = serve(HIGH_LIMIT, service);
        OpenLoad load = load(server)) {
      watch(load.enter(settleSeconds), "started at limit " + HIGH_LIMIT, peak, findings);
      describe(server, findings);
      service.take(permits - permits / 2);
      watch(load.enter(settleSeconds), "capacity halved", halfPeak, findings);
      describe(server, findings);
      service.add(permits - permits / 2);
      watch(load.enter(settleSeconds), "capacity doubled", peak, findings);
      describe(server, findings);
    }
  }

  private OpenLoad load(Server server) {
    return new OpenLoad(server.address(), OVERLOAD * PermitService.callsPerSecond(permits));
  }

  private static Server serve(int limit, PermitService service) throws IOException {
    return server(service).loadShedding(LoadShedding.adaptive().withInitialLimit(limit)).start();
  }

  private static ServerBuilder server(PermitService service) {
    return Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).add(service);
  }

  private static void describe(Server server, Findings findings) {
    server.loadShedding().ifPresent(it -> findings.say("  " + it));
  }

  private void watch(OverloadPhase phase, String when, double peak, Findings findings)
      throws InterruptedException {
    int end = settleSeconds + measureSeconds;
    TimeUnit.SECONDS.sleep(end);
    TimeUnit.MILLISECONDS.sleep(TAIL_MILLIS);
    double least = peak * leastPercent / PERCENT;
    String measured = phase.describe(peak, settleSeconds, end);
    int found = phase.firstSecondWith(least, end);
    findings.say(when + ": " + measured + "; " + leastPercent + " % first in second " + found);
    findings.rule(
        when + ": at least %d %% of the peak after %d s".formatted(leastPercent, settleSeconds),
        phase.goodput(settleSeconds, end) >= least,
        measured + "; first in second " + found);
    findings.rule(
        when + ": the rest is refused within %d ms (p99)".formatted(refusedMillis),
        phase.refused() > 0 && phase.refusalP99Millis() <= refusedMillis,
        "%.1f ms, %,d refused".formatted(phase.refusalP99Millis(), phase.refused()));
  }

  /** The rate of answered calls without load shedding, with four callers for each permit. */
  private double peak(int count, Findings findings) throws IOException, InterruptedException {
    AtomicLong calls = new AtomicLong();
    try (Server server = server(new PermitService(count)).start();
        ManagedChannel channel = ManagedChannel.builder(server.address()).plaintext().build()) {
      TestServiceClient client = TestServiceClient.of(channel);
      client.unaryCall(SimpleRequest.getDefaultInstance());
      long warmNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
      long endNanos = warmNanos + TimeUnit.SECONDS.toNanos(measureSeconds);
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < CALLERS_PER_PERMIT * count; i++) {
        callers.add(Thread.ofVirtual().start(() -> callUntil(warmNanos, endNanos, client, calls)));
      }
      for (Thread caller : callers) {
        caller.join();
      }
    }
    double peak = (double) calls.get() / measureSeconds;
    findings.say(
        "peak with %d permits: %.0f calls/s of %d that are possible"
            .formatted(count, peak, PermitService.callsPerSecond(count)));
    return peak;
  }

  private static void callUntil(
      long warmNanos, long endNanos, TestServiceClient client, AtomicLong calls) {
    try {
      for (long now = System.nanoTime(); now - endNanos < 0; now = System.nanoTime()) {
        client.unaryCall(SimpleRequest.getDefaultInstance());
        if (now - warmNanos >= 0) {
          calls.incrementAndGet();
        }
      }
    } catch (StatusException e) {
      throw new IllegalStateException("the peak cannot be measured: " + e.status(), e);
    }
  }
}
