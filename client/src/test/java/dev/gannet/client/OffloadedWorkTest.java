package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work that a resolver has offloaded belongs to the resolver: if it throws, the resolver fails. */
final class OffloadedWorkTest {
  private final TestChannel test = new TestChannel();

  @AfterEach
  void close() {
    test.channel().shutdownNow();
  }

  private void offloadsWorkThatThrows() {
    test.resolver
        .last()
        .context
        .offload(() -> {
          throw new LinkageError("no file");
        });
  }

  @Test
  void itsExceptionIsAFailureOfTheResolver() {
    test.resolver.answer = Optional.empty();
    TestCall call = test.call();
    offloadsWorkThatThrows();
    test.loop.runUntilIdle();
    assertThat(call.text()).contains("the resolver for 'test' failed: no file");
    assertThat(call.status().cause()).containsInstanceOf(LinkageError.class);
  }

  @Test
  void afterTheEndOfItsResolverItIsNoFailureOfTheNextOne() {
    test.connected();
    offloadsWorkThatThrows();
    test.channel().enterIdle();
    test.resolver.answer = Optional.empty();
    TestCall call = test.call();
    test.loop.runUntilIdle();
    assertThat(call.isOver()).isFalse();
  }
}
