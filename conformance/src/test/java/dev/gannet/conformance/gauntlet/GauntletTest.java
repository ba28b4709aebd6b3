package dev.gannet.conformance.gauntlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.conformance.gauntlet.attack.Attack;
import dev.gannet.conformance.gauntlet.attack.AttackDescription;
import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import dev.gannet.conformance.gauntlet.attack.Attacks;
import dev.gannet.conformance.gauntlet.attack.RunningAttack;
import dev.gannet.conformance.gauntlet.attack.Tally;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each attack for a moment, from one connection at a time: honest calls succeed meanwhile, and who
 * must be cut off is, for the reason that the attack gives. The whole gauntlet, with what it costs,
 * is a command.
 */
final class GauntletTest {
  private static final Duration MOMENT = Duration.ofMillis(150);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static Fortress fortress;

  @BeforeAll
  static void start() throws IOException {
    fortress = new Fortress();
  }

  @AfterAll
  static void stop() {
    fortress.close();
  }

  static Stream<String> names() {
    return Attacks.all().stream().map(it -> it.description().name());
  }

  @ParameterizedTest
  @MethodSource("names")
  void honestCallsSucceedAndAttackersAreCutOff(String name) {
    Attack attack = Attacks.named(name).orElseThrow();
    AttackDescription description = attack.description();
    try (RunningAttack assault = RunningAttack.start(attack, fortress.ports(), 1)) {
      long beginNanos = System.nanoTime();
      while (isWithin(MOMENT, beginNanos)
          || (!isDone(assault, description) && isWithin(PATIENCE, beginNanos))) {
        fortress.serve();
      }
      if (description.fate() == Fate.CUT_OFF) {
        assertThat(assault.tally().endings().keySet())
            .as("what ended the connections of %s", name)
            .anyMatch(it -> it.contains(description.reason()), description.reason());
      }
      assault.end();
      assertThat(assault.tally().opened()).as("connections").isPositive();
      assertThat(assault.tally().sentBytes()).as("bytes sent").isPositive();
    }
    fortress.serve();
  }

  /** An attacker may have to wait for a processor before it begins. */
  private static boolean isDone(RunningAttack assault, AttackDescription description) {
    return assault.hasSent()
        && (description.fate() != Fate.CUT_OFF || isCutOff(assault.tally(), description));
  }

  private static boolean isCutOff(Tally tally, AttackDescription description) {
    return tally.endings().keySet().stream().anyMatch(it -> it.contains(description.reason()));
  }

  private static boolean isWithin(Duration time, long sinceNanos) {
    return System.nanoTime() - sinceNanos < time.toNanos();
  }
}
