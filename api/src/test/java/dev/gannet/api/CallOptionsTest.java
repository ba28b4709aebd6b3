package dev.gannet.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class CallOptionsTest {
  private static final Metadata.Key<String> TOKEN = Metadata.Key.ascii("token");
  private static final CallOptions.Key<String> TENANT = CallOptions.Key.of("tenant", "nobody");

  @Test
  void theTextNamesWhatIsSet() {
    assertThat(CallOptions.DEFAULT).hasToString("CallOptions[]");
    assertThat(
            CallOptions.DEFAULT
                .withDeadline(Duration.ofSeconds(2))
                .withCompression("gzip")
                .withAuthority("a.example")
                .withWaitForReady(false)
                .withMaxInboundMessageBytes(10)
                .withMaxOutboundMessageBytes(20))
        .hasToString(
            "CallOptions[deadline PT2S after the start, compression gzip, authority a.example,"
                + " waitForReady false, maxInboundMessageBytes 10, maxOutboundMessageBytes 20]");
  }

  @Test
  void theLastDeadlineReplacesAnEarlierOneOfEitherKind() {
    Deadline fixed = Deadline.after(Duration.ofSeconds(1));
    CallOptions counted = CallOptions.DEFAULT.withDeadline(fixed).withDeadline(Duration.ZERO);
    assertThat(counted.deadline()).isEmpty();
    assertThat(counted.deadlineAfter()).contains(Duration.ZERO);
    CallOptions both = counted.withDeadline(fixed);
    assertThat(both.deadline()).contains(fixed);
    assertThat(both.deadlineAfter()).isEmpty();
  }

  @Test
  void aDeadlineCanBeRemoved() {
    CallOptions options = CallOptions.DEFAULT.withCompression("gzip");
    assertThat(options.withDeadline(Duration.ofSeconds(1)).withoutDeadline()).isEqualTo(options);
    assertThat(options.withDeadline(Deadline.after(Duration.ofSeconds(1))).withoutDeadline())
        .isEqualTo(options);
  }

  @Test
  void aDeadlineCountedFromTheStartCanBeFixedForSeveralCalls() {
    CallOptions options =
        CallOptions.DEFAULT.withCompression("gzip").withDeadline(Duration.ofHours(1));
    CallOptions started = options.startingNow();
    assertThat(started.deadlineAfter()).isEmpty();
    assertThat(started.deadline().map(Deadline::timeout)).contains(Duration.ofHours(1));
    assertThat(started.deadline().orElseThrow().remainingNanos())
        .isLessThanOrEqualTo(Duration.ofHours(1).toNanos());
    assertThat(started.withoutDeadline()).isEqualTo(options.withoutDeadline());
  }

  @Test
  void aFixedDeadlineOrNoneRemainsWhenCallsStart() {
    CallOptions fixed = CallOptions.DEFAULT.withDeadline(Deadline.after(Duration.ofHours(1)));
    assertThat(fixed.startingNow()).isSameAs(fixed);
    assertThat(CallOptions.DEFAULT.startingNow()).isSameAs(CallOptions.DEFAULT);
  }

  @Test
  void waitForReadyIsOnlyPresentIfItWasSet() {
    assertThat(CallOptions.DEFAULT.waitForReady()).isEmpty();
    assertThat(CallOptions.DEFAULT.withWaitForReady(true).waitForReady()).contains(true);
    assertThat(CallOptions.DEFAULT.withWaitForReady(false).waitForReady()).contains(false);
  }

  @Test
  void optionsWithEqualValuesAreEqual() {
    CallOptions one = CallOptions.DEFAULT.withHeader(TOKEN, "ada").withOption(TENANT, "north");
    CallOptions other = CallOptions.DEFAULT.withOption(TENANT, "north").withHeader(TOKEN, "ada");
    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
    assertThat(one)
        .isNotEqualTo(CallOptions.DEFAULT.withOption(TENANT, "north"))
        .isNotEqualTo(other.withHeader(TOKEN, "eve"))
        .isNotEqualTo(other.withOption(TENANT, "south"))
        .isNotEqualTo(other.withWaitForReady(false));
  }

  @Test
  void theTextHasNoSecrets() {
    CallOptions options =
        CallOptions.DEFAULT
            .withHeader(TOKEN, "secret")
            .withOption(TENANT, "secret")
            .withCallCredentials(request -> CompletableFuture.completedStage(new Metadata()));
    assertThat(options)
        .hasToString("CallOptions[headers [token], callCredentials, options [tenant]]");
  }
}
