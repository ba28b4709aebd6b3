package dev.gannet.transport.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.gannet.api.Status;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class ServerDeadlineTest {
  private static final long GRACE_NANOS = 10_000_000_000L;
  private static final OptionalLong NO_TIMEOUT = OptionalLong.empty();

  private long nowNanos = 1_000;

  private ServerDeadline deadline(CallBounds limits, OptionalLong timeoutNanos) {
    return limits.deadline(timeoutNanos, () -> nowNanos);
  }

  private static CallBounds limits(long maxNanos, long defaultNanos) {
    return CallBounds.DEFAULT.withMaxCallNanos(maxNanos).withDefaultCallNanos(defaultNanos);
  }

  @Test
  void allCallsWithoutADeadlineShareOneObject() {
    ServerDeadline none = deadline(CallBounds.DEFAULT, NO_TIMEOUT);
    assertThat(none).isSameAs(ServerDeadline.NONE);
    assertThat(none.isSet()).isFalse();
    assertThat(none.isClients()).isFalse();
    assertThat(none.deadline()).isEmpty();
    assertThat(none.clientsRemainingNanos()).isEmpty();
    assertThatIllegalStateException().isThrownBy(none::endNanos);
    assertThatIllegalStateException().isThrownBy(none::remainingNanos);
  }

  @Test
  void theClientsDeadlineEndsACallAtOnce() {
    ServerDeadline set = deadline(limits(60, 5), OptionalLong.of(50));
    assertThat(set.isSet()).isTrue();
    assertThat(set.isClients()).isTrue();
    assertThat(set.endsAtOnce()).isTrue();
    assertThat(set.endNanos()).isEqualTo(1_050);
    nowNanos += 20;
    assertThat(set.remainingNanos()).isEqualTo(30);
    assertThat(set.clientsRemainingNanos()).hasValue(30);
    assertThat(set.deadline().orElseThrow().atNanos()).isEqualTo(1_050);
    assertThat(set.lateStatus().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(set.lateStatus().description()).hasValue("deadline exceeded (set by the client)");
  }

  @Test
  void theServersMaximumHasPriorityOnlyIfItIsEarlier() {
    assertThat(deadline(limits(50, 5), OptionalLong.of(50)).isClients()).isTrue();
    ServerDeadline maximum = deadline(limits(49, 5), OptionalLong.of(50));
    assertThat(maximum.isClients()).isFalse();
    assertThat(maximum.clientsRemainingNanos()).isEmpty();
    assertThat(maximum.endNanos()).isEqualTo(1_049);
    assertThat(maximum.lateStatus().description())
        .hasValue("the server's maxCallDuration is exceeded");
  }

  @Test
  void theDefaultIsForCallsWithoutTimeoutAndBelowTheMaximum() {
    ServerDeadline byDefault = deadline(limits(50, 49), NO_TIMEOUT);
    assertThat(byDefault.endNanos()).isEqualTo(1_049);
    assertThat(byDefault.lateStatus().description())
        .hasValue(
            "the server's defaultCallDuration is exceeded, and the client has set no deadline");
    ServerDeadline maximum = deadline(limits(50, 50), NO_TIMEOUT);
    assertThat(maximum.endNanos()).isEqualTo(1_050);
    assertThat(maximum.lateStatus().description())
        .hasValue("the server's maxCallDuration is exceeded");
  }

  @Test
  void aServersLimitIsFollowedByAGraceThatTheHandlerDoesNotSee() {
    ServerDeadline limit = deadline(limits(50, CallBounds.NO_LIMIT), NO_TIMEOUT);
    assertThat(limit.endsAtOnce()).isFalse();
    ServerDeadline grace = limit.withGrace();
    assertThat(grace.endsAtOnce()).isTrue();
    assertThat(grace.endNanos()).isEqualTo(1_050 + GRACE_NANOS);
    assertThat(grace.remainingNanos()).isEqualTo(50 + GRACE_NANOS);
    assertThat(grace.deadline()).isEqualTo(limit.deadline());
    assertThat(grace.lateStatus().description()).isEqualTo(limit.lateStatus().description());
  }
}
