package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.suites.Faults.Operation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever fails, calls end, the next ones go well, and nothing is lost: one small course of events
 * is played again and again, and each time the next thing in it fails that can.
 */
final class TortureTest {
  /** Fewer than these, and the things that can fail are not counted any more. */
  private static final int MIN_FAULTS = 50;

  private static final Logger LOG = Logger.getLogger("dev.gannet");

  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(null);
  }

  @ParameterizedTest
  @EnumSource
  void afterAnyFailureCallsEndAndTheNextOnesSucceed(MethodType type) {
    MethodDescriptor<String, String> method = Texts.method(type, "Method");
    List<String> broken = new ArrayList<>();
    Set<Operation> failed = EnumSet.noneOf(Operation.class);
    int number = 0;
    Torment torment;
    do {
      torment = new Torment(++number);
      broken.addAll(torment.play(method));
      torment.faults().struck().ifPresent(failed::add);
    } while (torment.faults().struck().isPresent());
    assertThat(broken).as("%s, %d things that can fail", type, number - 1).isEmpty();
    assertThat(number).isGreaterThan(MIN_FAULTS);
    assertThat(failed).containsExactly(Operation.values());
  }
}
