package dev.gannet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the exception of a failed call says about its attempts. */
final class CallFailureTest {
  private static CallFailure.Attempt busy() {
    return CallFailure.Attempt.of(
        Status.UNAVAILABLE.withDescription("busy").withCause(new IllegalStateException()));
  }

  private static CallFailure of(CallFailure.Attempt... attempts) {
    return CallFailure.of(busy()).withAttempts(List.of(attempts));
  }

  @Test
  void attemptsThatFailAlikeOneAfterTheOtherAreToldOnce() {
    CallFailure.Attempt late = CallFailure.Attempt.of(Status.DEADLINE_EXCEEDED);
    assertThat(of(busy(), busy(), busy(), late, busy()))
        .asString()
        .contains(
            "; attempts 1 to 3 without a connection: UNAVAILABLE: busy; attempt 4 without a"
                + " connection: DEADLINE_EXCEEDED; attempt 5 without a connection: UNAVAILABLE: busy;");
  }

  @Test
  void failuresThatSayTheSameAreEqual() {
    assertThat(failure("x")).isEqualTo(failure("x")).hasSameHashCodeAs(failure("x"));
    assertThat(failure("x")).isNotEqualTo(failure("y"));
    assertThat(busy()).isNotEqualTo(CallFailure.Attempt.of(Status.ABORTED.withDescription("busy")));
  }

  private static CallFailure failure(String description) {
    return CallFailure.of(CallFailure.Attempt.of(Status.UNAVAILABLE.withDescription(description)));
  }

  @Test
  void theLastAttemptHasItsNumberIfOthersAreOmitted() {
    CallFailure failure = of(busy(), busy(), busy()).withOmittedAttempts(97);
    assertThat(failure.attemptCount()).isEqualTo(100);
    assertThat(failure)
        .asString()
        .contains(
            "; attempts 1 to 2 without a connection: UNAVAILABLE: busy; attempts 3 to 99 omitted;"
                + " attempt 100 without a connection: UNAVAILABLE: busy;");
    assertThat(failure).isNotEqualTo(of(busy(), busy(), busy()));
  }

  @Test
  void lessThanNoAttemptIsNotOmitted() {
    assertThatThrownBy(() -> of(busy()).withOmittedAttempts(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("omittedAttempts");
  }

  @Test
  void theTextCountsTheAddressesThatAreOmitted() {
    CallFailure.AddressFailure down =
        CallFailure.AddressFailure.of(new InetSocketAddress("192.0.2.1", 5), "refused");
    CallFailure failure = of(busy()).withAddresses(List.of(down)).withOmittedAddresses(1);
    assertThat(failure.omittedAddresses()).isOne();
    assertThat(failure)
        .isNotEqualTo(of(busy()).withAddresses(List.of(down)))
        .asString()
        .contains("; no connection to /192.0.2.1:5: refused; no connection to 1 other address; ");
    Status why = Status.UNAVAILABLE.withDescription("refused");
    assertThat(why.withFailure(failure.withOmittedAddresses(30)).asException())
        .hasMessageContaining("no connection to 30 other addresses");
  }

  @Test
  void lessThanNoAddressIsNotOmitted() {
    assertThatThrownBy(() -> of(busy()).withOmittedAddresses(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("omittedAddresses");
  }
}
