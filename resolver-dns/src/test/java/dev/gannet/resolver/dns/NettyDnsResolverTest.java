package dev.gannet.resolver.dns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Look-ups at a scripted server: what is found, what is not, and why. */
@Timeout(60)
class NettyDnsResolverTest {
  private static final String NAME = "greeter.test";

  private final ScriptedDns dns;

  NettyDnsResolverTest() throws IOException {
    dns = ScriptedDns.start();
  }

  @AfterEach
  void end() throws IOException {
    dns.close();
  }

  private TestLookUps lookUp(LookUpSettings settings) {
    return lookUp(NAME, settings);
  }

  private TestLookUps lookUp(String name, LookUpSettings settings) {
    return new TestLookUps("dns://127.0.0.1:" + dns.port() + "/" + name + ":50051", settings);
  }

  private String server() {
    return "DNS server 127.0.0.1:" + dns.port();
  }

  private static LookUpSettings impatient() {
    return LookUpSettings.DEFAULT.withQueryTimeout(Duration.ofMillis(100));
  }

  @Test
  void allAddressesOfBothFamiliesAreFound() throws InterruptedException {
    dns.name(NAME, 60, "127.0.0.2", "127.0.0.1", "::1");
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT)) {
      assertThat(lookUps.nextAddresses())
          .containsExactlyInAnyOrder("127.0.0.2:50051", "127.0.0.1:50051", "0:0:0:0:0:0:0:1:50051");
    }
    assertThat(dns.asked()).containsExactlyInAnyOrder(NAME + " 1", NAME + " 28");
  }

  @Test
  void addressesOfOneFamilyKeepTheServersOrder() throws InterruptedException {
    dns.name(NAME, 60, "127.0.0.3", "127.0.0.1", "127.0.0.2", "127.0.0.3");
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT)) {
      assertThat(lookUps.nextAddresses())
          .containsExactly("127.0.0.3:50051", "127.0.0.1:50051", "127.0.0.2:50051");
    }
  }

  @Test
  void namesAreCaseInsensitive() throws InterruptedException {
    dns.name(NAME, 60, "127.0.0.1");
    try (TestLookUps lookUps = lookUp("Greeter.TEST", LookUpSettings.DEFAULT)) {
      assertThat(lookUps.nextAddresses()).hasSize(1);
    }
  }

  @Test
  void anUnknownNameFails() throws InterruptedException {
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT)) {
      assertThat(lookUps.nextFailure())
          .isEqualTo(
              "UNAVAILABLE: cannot resolve greeter.test: "
                  + server()
                  + " does not know the name greeter.test (NXDOMAIN)");
    }
  }

  @Test
  void aNameWithoutAddressesFails() throws InterruptedException {
    dns.answer(NAME, Dns.Answer.of());
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT)) {
      assertThat(lookUps.nextFailure()).contains(server() + " has no address of greeter.test");
    }
  }

  @ParameterizedTest
  @CsvSource({"2, SERVFAIL", "5, REFUSED", "4, NOTIMP", "1, FORMERR"})
  void aServerThatAnswersWithAnErrorIsNamed(int code, String name) throws InterruptedException {
    dns.answer(NAME, Dns.Answer.code(code));
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT)) {
      assertThat(lookUps.nextFailure()).contains(server() + " answered " + name);
    }
    assertThat(dns.askedFor(NAME, Dns.A)).isEqualTo(1);
  }

  @Test
  void aServerThatDoesNotAnswerIsAskedTwiceAndNamed() throws InterruptedException {
    dns.silent(true);
    try (TestLookUps lookUps = lookUp(impatient())) {
      assertThat(lookUps.nextFailure())
          .contains(server() + " did not answer in 100 ms, asked twice");
    }
    assertThat(dns.askedFor(NAME, Dns.A)).isEqualTo(2);
  }

  @Test
  void theAddressesOfOneFamilyAreUsedIfTheOtherQueryFails() throws InterruptedException {
    dns.name(NAME, 300, "127.0.0.1").answer(NAME, Dns.AAAA, Dns.Answer.code(Dns.SERVFAIL));
    try (TestLookUps lookUps =
        lookUp(LookUpSettings.DEFAULT.withTtlRefresh().withMinTime(Duration.ofSeconds(7)))) {
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.1:50051");
      assertThat(lookUps.timers()).containsExactly(Duration.ofSeconds(7));
    }
  }

  @Test
  void aTruncatedAnswerIsRequestedAgainOverTcp() throws InterruptedException {
    String[] many =
        IntStream.range(0, 500)
            .mapToObj(it -> "127.1." + it / 250 + "." + it % 250)
            .toArray(String[]::new);
    dns.name(NAME, 60, many);
    dns.answer(
        NAME,
        Dns.A,
        Dns.Answer.of(
                List.of(many).stream()
                    .map(it -> Dns.address(NAME, 60, it))
                    .toArray(Dns.Entry[]::new))
            .onlyByTcp());
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT)) {
      assertThat(lookUps.nextAddresses()).hasSize(500);
    }
    assertThat(dns.asked()).contains("tcp " + NAME + " 1");
  }

  @Test
  void aTruncatedAnswerWithoutTcpIsAFailure() throws Exception {
    dns.answer(NAME, Dns.Answer.of(Dns.address(NAME, 60, "127.0.0.1")).onlyByTcp());
    dns.closeTcp();
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT)) {
      assertThat(lookUps.nextFailure())
          .contains(server() + " truncated its answer, and TCP gave no complete one");
    }
  }

  @Test
  void moreAddressesThanTheLimitAreAFailure() throws InterruptedException {
    dns.name(NAME, 60, "127.0.0.1", "127.0.0.2", "::1");
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT.withMaxAddresses(2))) {
      assertThat(lookUps.nextFailure())
          .contains(server() + " has 3 addresses of greeter.test, more than maxAddresses (2)");
    }
  }

  @Test
  void aliasesAreFollowedWithinAnAnswer() throws InterruptedException {
    dns.answer(
        NAME,
        Dns.A,
        Dns.Answer.of(
            Dns.address("c.test", 60, "127.0.0.1"),
            Dns.cname(NAME, 60, "B.test"),
            Dns.cname("b.test", 60, "c.test"),
            Dns.address("other.test", 60, "127.0.0.9")));
    dns.answer(NAME, Dns.AAAA, Dns.Answer.of(Dns.cname(NAME, 60, "b.test")).withSoa());
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT)) {
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.1:50051");
    }
    assertThat(dns.asked()).hasSize(2);
  }

  @Test
  void aliasesAreFollowedByFurtherQueries() throws InterruptedException {
    dns.answer(NAME, Dns.Answer.of(Dns.cname(NAME, 60, "b.test"))).name("b.test", 60, "127.0.0.1");
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT)) {
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.1:50051");
    }
    assertThat(dns.askedFor("b.test", Dns.AAAA)).isEqualTo(1);
  }

  @Test
  void aliasesInACircleAreAFailure() throws InterruptedException {
    dns.answer(NAME, Dns.Answer.of(Dns.cname(NAME, 60, "b.test")));
    dns.answer("b.test", Dns.Answer.of(Dns.cname("b.test", 60, NAME)));
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT)) {
      assertThat(lookUps.nextFailure())
          .contains(server() + " returned a CNAME loop back to greeter.test");
    }
  }

  @Test
  void tooManyAliasesAreAFailure() throws InterruptedException {
    dns.answer(
        NAME,
        Dns.Answer.of(
            IntStream.range(0, 20)
                .mapToObj(it ->
                    Dns.cname(it == 0 ? NAME : "n" + it + ".test", 60, "n" + (it + 1) + ".test"))
                .toArray(Dns.Entry[]::new)));
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT)) {
      assertThat(lookUps.nextFailure())
          .contains(server() + " has more than 8 CNAME records in a row, up to n9.test");
    }
  }

  @Test
  void anAliasWithoutANameIsAMalformedAnswer() throws InterruptedException {
    dns.answer(
        NAME,
        Dns.Answer.of(new Dns.Entry(NAME, Dns.CNAME, 60, ByteBuffer.wrap(new byte[] {9, 'x'}))));
    try (TestLookUps lookUps = lookUp(impatient())) {
      assertThat(lookUps.nextFailure()).contains(server());
    }
  }

  @Test
  void anAddressOfTheWrongLengthIsIgnored() throws InterruptedException {
    dns.answer(
        NAME,
        Dns.A,
        Dns.Answer.of(
            new Dns.Entry(NAME, Dns.A, 60, ByteBuffer.allocate(3)),
            Dns.address(NAME, 60, "127.0.0.1")));
    dns.answer(NAME, Dns.AAAA, Dns.Answer.of());
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT)) {
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.1:50051");
    }
  }

  @Test
  void aServerThatIsLateOnceIsGoodEnough() throws InterruptedException {
    dns.name(NAME, 60, "127.0.0.1").slow();
    try (TestLookUps lookUps = lookUp(impatient())) {
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.1:50051");
    }
  }

  @Test
  void theDurationOfALookUpIsLimitedHoweverManyQueriesItNeeds() throws InterruptedException {
    dns.slow();
    answerByAliases(NAME, Dns.A);
    answerByAliases(NAME, Dns.AAAA);
    try (TestLookUps lookUps = lookUp(impatient())) {
      assertThat(lookUps.nextFailure())
          .contains("no answer in 400 ms: " + server() + " did not answer in 100 ms");
    }
  }

  /** So that it takes many queries. */
  private void answerByAliases(String first, int type) {
    for (int i = 0; i < 8; i++) {
      String name = i == 0 ? first : "n" + i + ".test";
      dns.answer(name, type, Dns.Answer.of(Dns.cname(name, 60, "n" + (i + 1) + ".test")));
    }
  }

  @Test
  void addressesThatAreKnownInTimeAreUsedIfTheOtherFamilyTakesTooLong() throws Exception {
    dns.name(NAME, 300, "127.0.0.1").slow();
    answerByAliases(NAME, Dns.AAAA);
    try (TestLookUps lookUps =
        lookUp(impatient().withTtlRefresh().withMinTime(Duration.ofSeconds(7)))) {
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.1:50051");
      assertThat(lookUps.timers()).containsExactly(Duration.ofSeconds(7));
    }
  }

  @Test
  void addressesAreUsedIfTheServiceConfigTakesTooLong() throws Exception {
    dns.name(NAME, 300, "127.0.0.1").slow();
    answerByAliases("_grpc_config." + NAME, Dns.TXT);
    try (TestLookUps lookUps = lookUp(impatient().withConfigPolicies(List.of()))) {
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.1:50051");
    }
  }

  @Test
  void anUnreachableServerIsNamedInTheFailure() throws IOException, InterruptedException {
    dns.close();
    try (TestLookUps lookUps = lookUp(impatient())) {
      assertThat(lookUps.nextFailure()).contains(server());
    }
  }

  @Test
  void aLookUpIsAbandonedWhenItsResolverIsShutDown() throws InterruptedException {
    dns.silent(true);
    TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT);
    lookUps.refresh();
    lookUps.close();
    lookUps.refresh();
    assertThat(lookUps.hasNone()).isTrue();
    TestLookUps.awaitUsers(0);
  }
}
