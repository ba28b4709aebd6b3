package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import java.util.List;

/** The text of the report that explains how the gauntlet measures, and its criteria. */
final class Terms {
  private static final String DECOY =
      """

      %s have a control. Between the phase without attack and the attack, and for
      as long as the attack, the same attackers attack a decoy: a second server of the same kind, with the
      same flags and the same warm-up, which no honest client calls, while the honest clients call the
      first server. Latencies are printed as: without attack → with the decoy → under attack. A decoy that
      crashes, or does not recover, is replaced before the next trial.
      """;

  private static final String SLEEPLESS =
      """

      Loops with the lowest priority (SCHED_IDLE) keep the processors awake: a sleeping processor of a
      virtual machine has to wait for its host to wake it up.
      """;

  private static final String BARS =
      """

      Criteria: no honest call fails. With one attacker, honest p99 at most doubles (or stays below 2 ms)
      and throughput is at least 95 %; with fifty attackers, throughput is at least 80 %. Heap and direct
      memory return to normal within 10 seconds. Less than 1 MiB is kept per attacking connection, beyond
      the 4 MiB by which the memory of honest load varies.
      """;

  private static final String BLAME =
      """

      A p99 over its limit is printed together with its ratio to the value with the decoy. If it is at
      most twice that value, the criterion is missed, but the server is not blamed: the attackers took
      this time from the shared machine, not from the server. Without a control the server is blamed. The
      decoy spends processor time on the attack as the server does; that time is contained in both
      values, and the server is not blamed for it either.

      A trial whose p99 is blamed on the server is repeated twice. Its row then shows the median of three
      runs, ordered by how many of the two p99 limits were exceeded, then by p99. Other criteria that any
      of the runs missed are listed as well.
      """;

  private Terms() {}

  static String of(
      int callsPerSecond, List<String> jvmOptions, Schedule schedule, boolean sleepless) {
    String measured =
        """
        %d honest unary calls per second over 4 connections, at a fixed rate. Latency is measured from
        the time at which a call was scheduled. Server, honest clients and attackers are separate processes
        on one machine with %d processors and Java %s. Servers run with %s. Each attack lasts %d seconds, or %d
        if the attackers are slow and should be timed out. One attacker sends at most
        1 MiB per second (unequal-work and tiny-header-list 128 KiB, state-split 256 KiB, because each of
        their calls causes work; small-holders 16 MiB and many-open-calls
        4 MiB, to connect quickly). Fifty attackers send 8 times
        that together. A
        disconnected attacker reconnects up to 20 times per second, fifty up to 200 times together. Real
        attackers have their own machines; here their process has a low priority (nice 19). The attack runs
        for %d seconds before latencies of honest clients are measured, because the attackers' JVM compiles
        its code in that time. Failed calls count from the beginning.
        """
            .formatted(
                callsPerSecond,
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature(),
                String.join(" ", jvmOptions),
                schedule.attacked().toSeconds(),
                schedule.attackedBy(Fate.TIMED_OUT).toSeconds(),
                schedule.attackersWarmUp().toSeconds());
    String machine = sleepless ? measured + SLEEPLESS : measured;
    return switch (schedule.decoy()) {
      case NONE -> machine + BARS;
      case FOR_ONE -> machine + DECOY.formatted("Trials with one attacker") + BARS + BLAME;
      case FOR_ALL -> machine + DECOY.formatted("All trials") + BARS + BLAME;
    };
  }
}
