package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallScope;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a scope of calls keeps in memory. */
final class ClosedScopesTest {
  private final ServedCall served = new ServedCall(Optional.empty());
  private final CallScope scope = served.makes(() -> CallScope.builder().open());

  @Test
  void aClosedScopeLeavesNothingAtTheCallInWhichItWasOpened() {
    assertThat(served.actions).hasSize(1);
    scope.close();
    assertThat(served.actions).isEmpty();
  }

  @Test
  void aCancelledScopeLeavesNothingAtTheCallInWhichItWasOpened() {
    scope.cancel("over");
    assertThat(served.actions).isEmpty();
  }

  @Test
  void aScopeOpenedAfterTheCancellationLeavesNothing() {
    served.cancel();
    CallScope late = served.makes(() -> CallScope.builder().open());
    assertThat(late.isCancelled()).isTrue();
    assertThat(served.actions).isEmpty();
  }
}
