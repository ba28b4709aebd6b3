package dev.gannet.resolver.dns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a name is looked up anew, by a clock of the test's own. */
@Timeout(60)
class LookUpTimesTest {
  private static final String NAME = "greeter.test";
  private static final Duration MIN = Duration.ofSeconds(30);

  private final ScriptedDns dns;

  LookUpTimesTest() throws IOException {
    dns = ScriptedDns.start().name(NAME, 300, "127.0.0.1");
  }

  @AfterEach
  void end() throws IOException {
    dns.close();
  }

  private TestLookUps lookUp(LookUpSettings settings) {
    return new TestLookUps("dns://127.0.0.1:" + dns.port() + "/" + NAME + ":1", settings);
  }

  @Test
  void aRefreshWithinThirtySecondsRepeatsTheResultAndQueriesLater() throws Exception {
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT)) {
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.1:1");
      assertThat(lookUps.timers()).isEmpty();
      dns.name(NAME, 300, "127.0.0.2");
      lookUps.pass(Duration.ofSeconds(10));
      lookUps.refresh();
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.1:1");
      assertThat(lookUps.timers()).containsExactly(Duration.ofSeconds(20));
      lookUps.refresh();
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.1:1");
      assertThat(lookUps.timers()).containsExactly(Duration.ofSeconds(20));
      assertThat(dns.askedFor(NAME, Dns.A)).isEqualTo(1);
      lookUps.pass(Duration.ofSeconds(20));
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.2:1");
      assertThat(lookUps.timers()).isEmpty();
    }
  }

  @Test
  void withForeverAsTimesNothingIsLookedUpAgainAndNoQueryTimesOut() throws Exception {
    Duration forever = ChronoUnit.FOREVER.getDuration();
    LookUpSettings patient =
        LookUpSettings.DEFAULT.withTtlRefresh().withMinTime(forever).withQueryTimeout(forever);
    try (TestLookUps lookUps = lookUp(patient)) {
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.1:1");
      lookUps.pass(Duration.ofDays(1));
      lookUps.refresh();
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.1:1");
      assertThat(dns.askedFor(NAME, Dns.A)).isEqualTo(1);
    }
  }

  @Test
  void aRefreshAfterTheMinimumTimeSendsANewQuery() throws Exception {
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT)) {
      lookUps.next();
      dns.name(NAME, 300, "127.0.0.2");
      lookUps.pass(MIN);
      lookUps.refresh();
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.2:1");
    }
  }

  @Test
  void aRefreshAfterAFailureQueriesAtOnce() throws Exception {
    dns.answer(NAME, Dns.Answer.code(Dns.SERVFAIL));
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT)) {
      assertThat(lookUps.nextFailure()).contains("SERVFAIL");
      dns.name(NAME, 300, "127.0.0.2");
      lookUps.refresh();
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.2:1");
    }
  }

  @Test
  void withTtlRefreshTheNameIsLookedUpAgainAfterItsTtl() throws Exception {
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT.withTtlRefresh())) {
      lookUps.next();
      assertThat(lookUps.timers()).containsExactly(Duration.ofMinutes(5));
      dns.name(NAME, 600, "127.0.0.2");
      lookUps.pass(Duration.ofMinutes(5));
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.2:1");
      assertThat(lookUps.timers()).containsExactly(Duration.ofMinutes(10));
    }
  }

  @Test
  void theShortestTtlOfAllRecordsSetsTheTimer() throws Exception {
    dns.answer(
        NAME,
        Dns.A,
        Dns.Answer.of(
            Dns.cname(NAME, 45, "b.test"),
            Dns.address("b.test", 50, "127.0.0.1"),
            Dns.address("b.test", 70, "127.0.0.2")));
    dns.answer(NAME, Dns.AAAA, Dns.Answer.of(Dns.address(NAME, 40, "::1")));
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT.withTtlRefresh())) {
      lookUps.next();
      assertThat(lookUps.timers()).containsExactly(Duration.ofSeconds(40));
    }
  }

  @Test
  void aShortTtlDoesNotMakeLookUpsMoreFrequent() throws Exception {
    dns.name(NAME, 0, "127.0.0.1");
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT.withTtlRefresh())) {
      lookUps.next();
      assertThat(lookUps.timers()).containsExactly(MIN);
    }
  }

  @Test
  void theNextLookUpIsAfterOneDayAtTheLatest() throws Exception {
    dns.name(NAME, Integer.MAX_VALUE, "127.0.0.1");
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT.withTtlRefresh())) {
      lookUps.next();
      assertThat(lookUps.timers()).containsExactly(Duration.ofDays(1));
    }
  }

  @Test
  void aRefreshStartsTheTimerEarlier() throws Exception {
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT.withTtlRefresh())) {
      lookUps.next();
      lookUps.pass(Duration.ofSeconds(1));
      lookUps.refresh();
      lookUps.next();
      assertThat(lookUps.timers()).containsExactly(Duration.ofSeconds(29));
    }
  }

  @Test
  void withTtlRefreshAFailureIsFollowedByALookUp() throws Exception {
    dns.answer(NAME, Dns.Answer.code(Dns.SERVFAIL));
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT.withTtlRefresh())) {
      assertThat(lookUps.nextFailure()).contains("SERVFAIL");
      assertThat(lookUps.timers()).containsExactly(MIN);
      dns.name(NAME, 300, "127.0.0.2");
      lookUps.pass(MIN);
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.2:1");
    }
  }

  @Test
  void shutdownCancelsTheTimer() throws Exception {
    TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT.withTtlRefresh());
    lookUps.next();
    lookUps.close();
    TestLookUps other = lookUp(LookUpSettings.DEFAULT); // its first look-up follows that end
    other.next();
    other.close();
    lookUps.pass(Duration.ofDays(1));
    assertThat(lookUps.hasNone()).isTrue();
    assertThat(dns.askedFor(NAME, Dns.A)).isEqualTo(2);
  }
}
