package dev.gannet.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.http2.AbuseKind.Rate;
import org.junit.jupiter.api.Test;

/** What exceeds a limit says which one, so that it can be counted by its kind. */
final class ViolationTest {
  @Test
  void anExceededRateNamesTheOffenceAndTheRate() {
    Violation violation = new Violation.OverRate(AbuseKind.PING, new Rate(3, 4));
    assertThat(violation.code()).isEqualTo(ErrorCode.ENHANCE_YOUR_CALM);
    assertThat(violation.detail())
        .isEqualTo("too many PING: the limit is 3 at once and 4 per minute (withOffenceRate)");
  }

  @Test
  void anExceededLimitIsNoBrokenRuleOfTheProtocol() {
    assertThat(new Violation.OverLimit(Excess.PINGS, "too_many_pings").code())
        .isEqualTo(ErrorCode.ENHANCE_YOUR_CALM);
    assertThatThrownBy(() -> new Violation.OfConnection(ErrorCode.ENHANCE_YOUR_CALM, "a limit"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a limit");
  }
}
