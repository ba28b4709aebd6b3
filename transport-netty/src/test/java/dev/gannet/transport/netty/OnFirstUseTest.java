package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is made on first use. */
final class OnFirstUseTest {
  @Test
  void theValueIsCreatedOnce() {
    AtomicInteger made = new AtomicInteger();
    OnFirstUse<Integer> once = new OnFirstUse<>(made::incrementAndGet);
    assertThat(once.get()).isEqualTo(1);
    assertThat(once.get()).isEqualTo(1);
  }

  @Test
  void aFailedCreationIsTriedAgain() {
    AtomicInteger tried = new AtomicInteger();
    OnFirstUse<String> once =
        new OnFirstUse<>(() -> {
          if (tried.incrementAndGet() == 1) {
            throw new IllegalStateException("too many open files");
          }
          return "loops";
        });
    assertThatThrownBy(once::get).hasMessage("too many open files");
    assertThat(once.get()).isEqualTo("loops");
  }
}
