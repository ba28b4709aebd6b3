package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Registration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each action runs once, whether it is added before or after the occasion. */
final class PendingActionsTest {
  private final PendingActions actions = new PendingActions("a test");
  private final List<String> ran = new ArrayList<>();

  @Test
  void actionsRunOnceInTheirOrder() {
    actions.add(() -> ran.add("a"));
    actions.add(() -> ran.add("b"));
    assertThat(actions.areFired()).isFalse();
    actions.fire();
    actions.fire();
    assertThat(actions.areFired()).isTrue();
    assertThat(ran).containsExactly("a", "b");
  }

  @Test
  void anActionThatIsAddedAfterwardsRunsAtOnce() {
    actions.fire();
    actions.add(() -> ran.add("late"));
    assertThat(ran).containsExactly("late");
  }

  @Test
  void anActionWhoseRegistrationIsClosedDoesNotRun() {
    Registration registration = actions.add(() -> ran.add("a"));
    registration.close();
    actions.fire();
    registration.close();
    assertThat(ran).isEmpty();
  }

  @Test
  void anActionThatFailsKeepsNoOtherFromRunning() {
    actions.add(() -> {
      throw new IllegalStateException("on purpose");
    });
    actions.add(() -> ran.add("b"));
    actions.fire();
    assertThat(ran).containsExactly("b");
  }
}
