package dev.gannet.conformance.longrun;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.testing.FaultyNetwork;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Injects faults into a network under load, and checks the rules for the calls. */
final class FaultsCourse {
  static final Duration CLIENTS_KEEP_ALIVE_TIME = Duration.ofSeconds(10); // the least there is
  static final Duration SERVERS_KEEP_ALIVE_TIME = Duration.ofSeconds(2);
  static final Duration KEEP_ALIVE_TIMEOUT = Duration.ofSeconds(1);

  private static final Duration SOON = Duration.ofSeconds(5);

  /** How late timers may be, and how long a new connection may take. */
  private static final Duration SLACK = Duration.ofMillis(500);

  private static final long LATE_END_MILLIS = 1_000;
  private static final Duration SETTLED = Duration.ofSeconds(2);
  private static final Duration MAX_CALL = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long LOOK_MILLIS = 20;
  private static final double FULL = 0.9;

  /** The first backoff; those that follow grow, and each is random within the jitter. */
  private static final double BACKOFF_SECONDS = 1;

  private static final double BACKOFF_GROWTH = 1.6;
  private static final double JITTER = 0.2;
  private static final double MILLIS_PER_SECOND = 1_000;

  private final FaultyNetwork network;
  private final ManagedChannel channel;
  private final FaultsLoad load;
  private final FaultsService service;
  private final Findings findings;

  FaultsCourse(
      FaultyNetwork network,
      ManagedChannel channel,
      FaultsLoad load,
      FaultsService service,
      Findings findings) {
    this.network = network;
    this.channel = channel;
    this.load = load;
    this.service = service;
    this.findings = findings;
  }

  /** Injects one fault; the network works before and after it. */
  void run(Fault fault, Duration lastsOtherwise, int callsPerSecond) throws InterruptedException {
    awaitHealth();
    FaultsPhase phase = load.enter();
    long beganNanos = System.nanoTime();
    if (fault.bar() == Fault.Bar.DEAD_PEER_FOUND) {
      try (DeadPeerWatch watch = new DeadPeerWatch(channel, service)) {
        beganNanos = System.nanoTime();
        fault.begin(network);
        judge(fault, watch, beganNanos);
        sleepUntil(beganNanos + fault.lasts(Duration.ZERO).toNanos());
      }
    } else {
      fault.begin(network);
      sleepUntil(beganNanos + fault.lasts(lastsOtherwise).toNanos());
    }
    fault.end(network);
    Duration allowed = allowed(fault);
    long endedNanos = fault == Fault.HALF_OPEN ? beganNanos : System.nanoTime();
    long stopNanos = settle(phase, endedNanos, allowed);
    load.enter();
    drain(phase);
    judge(fault, phase);
    judgeReturn(fault, phase, endedNanos, allowed);
    double rate = phase.goodRate(stopNanos - SETTLED.toNanos(), stopNanos);
    findings.rule(
        fault.text() + ": the full rate returns",
        rate >= FULL * callsPerSecond,
        "%.0f of %d calls per second succeed".formatted(rate, callsPerSecond));
  }

  /** How long after the end of a fault failing calls may start. */
  private static Duration allowed(Fault fault) {
    return switch (fault.bar()) {
      case NO_CALL_FAILS -> Duration.ZERO;
      case BACK_SOON -> SOON;
      case BACK_WITHIN_A_BACKOFF -> longestBackoff(fault.lasts(Duration.ZERO)).plus(SLACK);
      case DEAD_PEER_FOUND ->
          fault == Fault.HALF_OPEN
              ? CLIENTS_KEEP_ALIVE_TIME.plus(KEEP_ALIVE_TIMEOUT).plus(longestBackoff(Duration.ZERO))
              : longestBackoff(fault.lasts(Duration.ZERO)).plus(SLACK);
    };
  }

  /** The longest backoff that a channel can have started within an outage. */
  static Duration longestBackoff(Duration outage) {
    double began = 0;
    double wait = BACKOFF_SECONDS;
    while (began + wait * (1 - JITTER) < outage.toMillis() / MILLIS_PER_SECOND) {
      began += wait * (1 - JITTER);
      wait *= BACKOFF_GROWTH;
    }
    return Duration.ofMillis((long) (wait * (1 + JITTER) * MILLIS_PER_SECOND));
  }

  private void awaitHealth() throws InterruptedException {
    long giveUpNanos = System.nanoTime() + PATIENCE.toNanos();
    boolean well = false;
    while (!well && System.nanoTime() - giveUpNanos < 0) {
      FaultsPhase phase = load.enter();
      TimeUnit.SECONDS.sleep(1);
      well = phase.ended() > 0 && phase.endedOtherwise(List.of(Status.Code.OK)) == 0;
    }
    if (!well) {
      throw new IllegalStateException("calls fail without a fault");
    }
  }

  /** Waits until all calls have succeeded for some time, or much longer than they may fail. */
  private static long settle(FaultsPhase phase, long endedNanos, Duration allowed)
      throws InterruptedException {
    long giveUpNanos = endedNanos + allowed.plus(SETTLED).plus(SETTLED).toNanos();
    long now = System.nanoTime();
    long healthyFrom = now;
    while (now - giveUpNanos < 0 && now - healthyFrom < SETTLED.toNanos()) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      now = System.nanoTime();
      OptionalLong last = phase.lastFailureMillis(endedNanos);
      long lastNanos = endedNanos + TimeUnit.MILLISECONDS.toNanos(last.orElse(0));
      healthyFrom = Math.max(healthyFrom - endedNanos, lastNanos - endedNanos) + endedNanos;
    }
    return now;
  }

  private static void drain(FaultsPhase phase) throws InterruptedException {
    long giveUpNanos = System.nanoTime() + MAX_CALL.toNanos();
    while (phase.open() > 0 && System.nanoTime() - giveUpNanos < 0) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  private void judge(Fault fault, DeadPeerWatch watch, long beganNanos)
      throws InterruptedException {
    Duration servers = SERVERS_KEEP_ALIVE_TIME.plus(KEEP_ALIVE_TIMEOUT);
    Duration clients = CLIENTS_KEEP_ALIVE_TIME.plus(KEEP_ALIVE_TIMEOUT);
    judgeDiscovery(fault, "server", watch.serverMillis(beganNanos, servers.plus(SLACK)), servers);
    judgeDiscovery(fault, "client", watch.clientMillis(beganNanos, clients.plus(SLACK)), clients);
  }

  private void judgeDiscovery(Fault fault, String who, OptionalLong millis, Duration bound) {
    findings.say(
        "%s: the %s detected it %s"
            .formatted(
                fault.text(),
                who,
                millis.isPresent() ? "in " + millis.getAsLong() + " ms" : "not"));
    findings.rule(
        "%s: the %s detects its dead peer within keepalive time and timeout, %d ms"
            .formatted(fault.text(), who, bound.toMillis()),
        millis.isPresent(), // those that are later are not awaited
        millis.isPresent() ? millis.getAsLong() + " ms" : "not detected");
  }

  private void judge(Fault fault, FaultsPhase phase) {
    findings.say("%s: %s; %s".formatted(fault.text(), phase.codes(), latestEnd(phase)));
    findings.rule(
        fault.text() + ": every call ends at most a second after its deadline",
        phase.open() == 0 && phase.ended() > 0 && phase.latestEndMillis() <= LATE_END_MILLIS,
        "%d calls, %d without an end, %s"
            .formatted(phase.ended() + phase.open(), phase.open(), latestEnd(phase)));
    if (fault.bar() == Fault.Bar.NO_CALL_FAILS) {
      findings.rule(
          fault.text() + ": no call fails",
          phase.endedOtherwise(List.of(Status.Code.OK)) == 0,
          phase.codes().toString());
    } else {
      List<Status.Code> meant =
          List.of(Status.Code.OK, Status.Code.UNAVAILABLE, Status.Code.DEADLINE_EXCEEDED);
      findings.rule(
          fault.text() + ": calls fail only with UNAVAILABLE or DEADLINE_EXCEEDED",
          phase.endedOtherwise(meant) == 0,
          phase.codes().toString());
    }
  }

  private static String latestEnd(FaultsPhase phase) {
    long millis = phase.latestEndMillis();
    return millis < 0
        ? "none ended after its deadline"
        : "the latest ended %d ms after its deadline".formatted(millis);
  }

  private void judgeReturn(Fault fault, FaultsPhase phase, long endedNanos, Duration allowed) {
    if (fault.bar() == Fault.Bar.NO_CALL_FAILS) {
      return;
    }
    OptionalLong last = phase.lastFailureMillis(endedNanos);
    findings.rule(
        "%s: no call fails that starts later than %d ms after its %s"
            .formatted(
                fault.text(), allowed.toMillis(), fault == Fault.HALF_OPEN ? "start" : "end"),
        last.orElse(0) <= allowed.toMillis(),
        last.isEmpty() ? "no call failed" : lastFailure(last.getAsLong()));
  }

  private static String lastFailure(long millis) {
    return "the last failed call started %d ms %s it"
        .formatted(Math.abs(millis), millis < 0 ? "before" : "after");
  }

  private static void sleepUntil(long nanos) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(Math.max(0, nanos - System.nanoTime()));
  }
}
