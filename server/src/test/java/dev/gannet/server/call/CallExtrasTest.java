package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.Registration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a long call does again and again does not add up. */
final class CallExtrasTest {
  private final CallExtras extras = new CallExtras();
  private final AtomicInteger closes = new AtomicInteger();

  @Test
  void aRegistrationIsClosedAtTheEndOfItsCall() {
    extras.closeAtEnd(closes::incrementAndGet);
    extras.end();
    extras.end();
    assertThat(closes).hasValue(1);
  }

  @Test
  void aRegistrationThatWasClosedIsNotKept() {
    Registration registration = extras.closeAtEnd(closes::incrementAndGet);
    registration.close();
    extras.end();
    assertThat(closes).hasValue(1);
  }

  @Test
  void aValueReplacesTheEarlierOneOfItsKey() {
    CallContext.Key<String> user = CallContext.Key.of("user");
    CallContext.Key<Integer> count = CallContext.Key.of("count");
    ContextValue values = ContextValue.with(null, user, "ada");
    for (int i = 0; i < 5; i++) {
      values = ContextValue.with(values, count, i);
    }
    values = ContextValue.with(values, user, "bob");
    assertThat(ContextValue.find(values, user)).contains("bob");
    assertThat(ContextValue.find(values, count)).contains(4);
    assertThat(Objects.requireNonNull(values.before()).before()).isNull();
  }
}
