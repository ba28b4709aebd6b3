package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.Dossier.Fate;

/** How it is measured and what counts as good enough, in words. */
final class Terms {
  private static final String DECOY =
      """

      Trials with one attacker have a control. Between the time alone and the attack, and for as long
      as the attack, the same attackers are busy with a decoy: a second server of the same kind, with
      the same flags and warmed up by the same calls, that no honest client calls any more, while they
      go on calling the first. Their latencies are told as alone → beside the decoy → attacked. A decoy
      that falls, or does not recover, is replaced before the next trial.
      """;

  private static final String SLEEPLESS =
      """

      Loops that run when nothing else wants to (SCHED_IDLE) keep the processors from sleeping: one of
      a virtual machine that sleeps waits for its host to be woken.
      """;

  private static final String BARS =
      """

      Bars: no honest call fails; with one attacker honest p99 at most doubles (or stays below 2 ms)
      and throughput is 95 % or more; with fifty it is 80 % or more; heap and direct memory are back
      within 10 seconds; less than 1 MiB is kept for each attacking connection, beyond
      the 4 MiB by which honest load wavers.
      """;

  private static final String BLAME =
      """

      A p99 over its bar is told beside what it was beside the decoy. If it is not over the double of
      that as well, the bar is missed, but not held against the server: what attackers take from the
      machine by being there is not the server's to hold back. With no control it is held against the
      server. The decoy works on the attack as the server does: what this takes from the processors is
      in both figures, and not held against the server either.

      A trial whose p99 is held against the server is run twice again. Its row is then of three runs,
      and tells the one in the middle, by how many of its two bars p99 is over and then by p99 itself;
      what another run has missed beside p99 stands in the row as well.
      """;

  private Terms() {}

  static String of(int callsPerSecond, Schedule schedule, boolean sleepless) {
    String measured =
        """
        %d honest unary calls a second over 4 connections, at a fixed rate; latencies from the moment a
        call was meant to begin. Server, honest clients and attackers are processes of one machine with
        %d processors, and Java %s. Servers run with %s. Each attack lasts %d seconds, %d
        where attackers are slow and ought to be timed out. One attacker sends at most
        1 MiB a second (unequal-work and tiny-header-list 128 KiB, state-split 256 KiB, for each of
        their calls is work to be done; small-holders 16 MiB, to be there soon), fifty send 8 times
        that together; who is cut off comes back up
        to 20 times a second, fifty up to 200 times together. In truth they have machines of their own;
        here their process gives way to the others (nice 19). They are at work for %d seconds before it
        counts what honest clients see, for their JVM compiles its code then; calls that fail count from
        the first moment on.
        """
            .formatted(
                callsPerSecond,
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature(),
                ServerKind.memory(),
                schedule.attacked().toSeconds(),
                schedule.attackedBy(Fate.TIMED_OUT).toSeconds(),
                schedule.attackersWarmUp().toSeconds());
    String machine = sleepless ? measured + SLEEPLESS : measured;
    return schedule.decoy() ? machine + DECOY + BARS + BLAME : machine + BARS;
  }
}
