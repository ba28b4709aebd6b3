package dev.gannet.resolver.dns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Names that may stand for several: each is asked for until one is known. */
@Timeout(60)
class SearchDomainsTest {
  private static final String NAME = "greeter.test";
  private static final String IN_DOMAIN = "greeter.test.corp.invalid";

  @TempDir Path folder;

  private final ScriptedDns dns;

  SearchDomainsTest() throws IOException {
    dns = ScriptedDns.start();
  }

  @AfterEach
  void end() throws IOException {
    dns.close();
  }

  private TestLookUps lookUp(String domain) throws IOException {
    Path conf = folder.resolve("resolv.conf");
    Files.writeString(conf, "nameserver 127.0.0.1\nsearch " + domain + "\noptions ndots:5\n");
    SystemDns system = new SystemDns(conf, Optional.of(folder.resolve("none")), dns.port());
    return new TestLookUps(
        "dns:///" + NAME + ":1",
        LookUpSettings.DEFAULT.withQueryTimeout(Duration.ofSeconds(1)).with(system));
  }

  private String server() {
    return "DNS server 127.0.0.1:" + dns.port();
  }

  @Test
  void theNameIsUsedIfTheSearchDomainDoesNotHaveIt() throws Exception {
    dns.name(NAME, 60, "127.0.0.1");
    try (TestLookUps lookUps = lookUp("corp.invalid")) {
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.1:1");
    }
  }

  @Test
  void theNameIsUsedIfTheServerAnswersWithAnErrorForTheSearchDomain() throws Exception {
    dns.name(NAME, 60, "127.0.0.1").answer(IN_DOMAIN, Dns.Answer.code(Dns.SERVFAIL));
    try (TestLookUps lookUps = lookUp("corp.invalid")) {
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.1:1");
    }
  }

  @Test
  void aFailureSaysWhatWasAnsweredForWhichName() throws Exception {
    dns.answer(IN_DOMAIN, Dns.Answer.code(Dns.SERVFAIL));
    try (TestLookUps lookUps = lookUp("corp.invalid")) {
      assertThat(lookUps.nextFailure())
          .isEqualTo(
              "UNAVAILABLE: cannot resolve greeter.test: "
                  + server()
                  + " answered SERVFAIL(2) (asked for greeter.test.corp.invalid)");
    }
  }

  @Test
  void anErrorForTheNameItselfIsNotToldOfTheOtherName() throws Exception {
    dns.answer(NAME, Dns.Answer.code(Dns.SERVFAIL));
    try (TestLookUps lookUps = lookUp("corp.invalid")) {
      assertThat(lookUps.nextFailure()).endsWith(": " + server() + " answered SERVFAIL(2)");
    }
  }

  @Test
  void aServerThatDoesNotAnswerIsNotAskedForTheNextName() throws Exception {
    dns.silent(true);
    try (TestLookUps lookUps = lookUp("corp.invalid")) {
      assertThat(lookUps.nextFailure())
          .contains("did not answer in 1000 ms, asked twice")
          .contains("(asked for greeter.test.corp.invalid)");
    }
    assertThat(dns.askedFor(NAME, Dns.A)).isZero();
  }

  @Test
  void aNameThatBecomesTooLongIsSkipped() throws Exception {
    dns.name(NAME, 60, "127.0.0.1");
    String domain = ("d".repeat(60) + ".").repeat(4) + "invalid";
    try (TestLookUps lookUps = lookUp(domain)) {
      assertThat(lookUps.nextAddresses()).containsExactly("127.0.0.1:1");
    }
    assertThat(dns.asked()).allMatch(it -> it.startsWith(NAME + " "));
  }
}
