package dev.gannet.resolver.dns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Resolution;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Service configs in TXT records (gRFC A2). */
@Timeout(60)
class ConfigLookUpTest {
  private static final String NAME = "greeter.test";
  private static final String RECORD = "_grpc_config.greeter.test";
  private static final Duration MIN = Duration.ofSeconds(30);
  private static final LookUpSettings SETTINGS =
      LookUpSettings.DEFAULT.withConfigPolicies(List.of());

  private final ScriptedDns dns;

  ConfigLookUpTest() throws IOException {
    dns = ScriptedDns.start().name(NAME, 300, "127.0.0.1");
  }

  @AfterEach
  void end() throws IOException {
    dns.close();
  }

  private TestLookUps lookUp(LookUpSettings settings) {
    return new TestLookUps("dns://127.0.0.1:" + dns.port() + "/" + NAME + ":1", settings, "host-1");
  }

  private void record(String... texts) {
    dns.answer(
        RECORD,
        Dns.TXT,
        Dns.Answer.of(
            List.of(texts).stream().map(it -> Dns.txt(RECORD, 300, it)).toArray(Dns.Entry[]::new)));
  }

  private static String config(int seconds, String criteria) {
    return "grpc_config=[{"
        + criteria
        + "\"serviceConfig\":{\"methodConfig\":[{\"name\":[{}],\"timeout\":\""
        + seconds
        + "s\"}]}}]";
  }

  private static Optional<Duration> timeout(Resolution.Resolved result) {
    return ServiceConfig.in(result).flatMap(it -> it.methodConfig("a/B").timeout());
  }

  private static String fault(Resolution.Resolved result) {
    return ServiceConfig.faultOf(result).flatMap(it -> it.description()).orElse("none");
  }

  @Test
  void byDefaultNoConfigIsQueried() throws Exception {
    record(config(1, ""));
    try (TestLookUps lookUps = lookUp(LookUpSettings.DEFAULT)) {
      assertThat(timeout(lookUps.nextResolved())).isEmpty();
    }
    assertThat(dns.askedFor(RECORD, Dns.TXT)).isZero();
  }

  @Test
  void theConfigOfTheTxtRecordIsPartOfTheResult() throws Exception {
    record("v=spf1 -all", config(7, " ".repeat(600)));
    try (TestLookUps lookUps = lookUp(SETTINGS)) {
      assertThat(timeout(lookUps.nextResolved())).contains(Duration.ofSeconds(7));
    }
  }

  @Test
  void anotherRecordThatIsNotUtf8DoesNotMatter() throws Exception {
    dns.answer(
        RECORD,
        Dns.TXT,
        Dns.Answer.of(
            new Dns.Entry(
                RECORD, Dns.TXT, 300, ByteBuffer.wrap(new byte[] {2, (byte) 0xff, (byte) 0xfe})),
            Dns.txt(RECORD, 300, config(7, ""))));
    try (TestLookUps lookUps = lookUp(SETTINGS)) {
      Resolution.Resolved result = lookUps.nextResolved();
      assertThat(fault(result)).isEqualTo("none");
      assertThat(timeout(result)).contains(Duration.ofSeconds(7));
    }
  }

  @Test
  void theCriteriaOfAConfigSelectItsClients() throws Exception {
    record(config(7, "\"clientHostname\":[\"host-1\"],\"clientLanguage\":[\"java\"],"));
    try (TestLookUps lookUps = lookUp(SETTINGS)) {
      assertThat(timeout(lookUps.nextResolved())).contains(Duration.ofSeconds(7));
    }
    record(config(7, "\"percentage\":0,"));
    try (TestLookUps lookUps = lookUp(SETTINGS)) {
      Resolution.Resolved result = lookUps.nextResolved();
      assertThat(timeout(result)).isEmpty();
      assertThat(fault(result)).isEqualTo("none");
    }
  }

  @Test
  void theConfigIsKeptIfTheRecordCannotBeReadAfterAnIdleTime() throws Exception {
    record(config(7, ""));
    try (TestLookUps lookUps = lookUp(SETTINGS)) {
      lookUps.next();
      dns.answer(RECORD, Dns.TXT, Dns.Answer.code(Dns.SERVFAIL));
      lookUps.restart();
      assertThat(timeout(lookUps.nextResolved())).contains(Duration.ofSeconds(7));
    }
  }

  @Test
  void aChannelDrawsItsPercentileOnce() throws Exception {
    record(config(7, "\"percentage\":50,"));
    try (TestLookUps lookUps = lookUp(SETTINGS)) {
      Optional<Duration> first = timeout(lookUps.nextResolved());
      for (int i = 0; i < 20; i++) {
        lookUps.restart();
        assertThat(timeout(lookUps.nextResolved())).isEqualTo(first);
      }
    }
  }

  @Test
  void withoutATxtRecordThereIsNoConfigAndNoFault() throws Exception {
    try (TestLookUps lookUps = lookUp(SETTINGS)) {
      Resolution.Resolved result = lookUps.nextResolved();
      assertThat(ServiceConfig.in(result)).isEmpty();
      assertThat(fault(result)).isEqualTo("none");
    }
    assertThat(dns.askedFor(RECORD, Dns.TXT)).isEqualTo(1);
  }

  @Test
  void aBadConfigIsAFaultThatNamesRecordAndField() throws Exception {
    record("grpc_config=[{\"serviceConfig\":{\"methodConfig\":[{\"timeout\":1}]}}]");
    try (TestLookUps lookUps = lookUp(SETTINGS)) {
      assertThat(fault(lookUps.nextResolved()))
          .contains(RECORD, "[0].serviceConfig.methodConfig[0].timeout must be a string");
    }
  }

  @Test
  void twoRecordsWithAConfigAreAFault() throws Exception {
    record(config(1, ""), config(2, ""));
    try (TestLookUps lookUps = lookUp(SETTINGS)) {
      assertThat(fault(lookUps.nextResolved())).contains("2 TXT records begin with grpc_config=");
    }
  }

  @Test
  void aRecordThatIsNotTextIsAFault() throws Exception {
    byte[] config = ((char) 13 + "grpc_config=\u00ff").getBytes(StandardCharsets.ISO_8859_1);
    dns.answer(
        RECORD,
        Dns.TXT,
        Dns.Answer.of(new Dns.Entry(RECORD, Dns.TXT, 60, ByteBuffer.wrap(config))));
    try (TestLookUps lookUps = lookUp(SETTINGS)) {
      assertThat(fault(lookUps.nextResolved())).contains("is not UTF-8");
    }
    dns.answer(
        RECORD,
        Dns.TXT,
        Dns.Answer.of(new Dns.Entry(RECORD, Dns.TXT, 60, ByteBuffer.wrap(new byte[] {20, 'x'}))));
    try (TestLookUps lookUps = lookUp(SETTINGS)) {
      assertThat(fault(lookUps.nextResolved())).contains("ends within a string");
    }
  }

  @Test
  void aLargeRecordIsReadOverTcp() throws Exception {
    dns.answer(
        RECORD,
        Dns.TXT,
        Dns.Answer.of(Dns.txt(RECORD, 60, config(7, " ".repeat(60_000)))).onlyByTcp());
    try (TestLookUps lookUps = lookUp(SETTINGS)) {
      assertThat(timeout(lookUps.nextResolved())).contains(Duration.ofSeconds(7));
    }
  }

  @Test
  void theLastConfigIsKeptWhileTheQueryForItFails() throws Exception {
    record(config(7, ""));
    try (TestLookUps lookUps = lookUp(SETTINGS)) {
      assertThat(timeout(lookUps.nextResolved())).contains(Duration.ofSeconds(7));
      dns.answer(RECORD, Dns.TXT, Dns.Answer.code(Dns.SERVFAIL));
      lookUps.pass(MIN);
      lookUps.refresh();
      assertThat(timeout(lookUps.nextResolved())).contains(Duration.ofSeconds(7));
      dns.answer(RECORD, Dns.TXT, Dns.Answer.code(Dns.NXDOMAIN));
      lookUps.pass(MIN);
      lookUps.refresh();
      assertThat(timeout(lookUps.nextResolved())).isEmpty();
    }
  }

  @Test
  void theConfigIsRemovedWhenTheRecordNoLongerContainsIt() throws Exception {
    record(config(7, ""));
    try (TestLookUps lookUps = lookUp(SETTINGS)) {
      assertThat(timeout(lookUps.nextResolved())).contains(Duration.ofSeconds(7));
      record("something else");
      lookUps.pass(MIN);
      lookUps.refresh();
      assertThat(timeout(lookUps.nextResolved())).isEmpty();
      dns.answer(RECORD, Dns.TXT, Dns.Answer.code(Dns.SERVFAIL));
      lookUps.pass(MIN);
      lookUps.refresh();
      assertThat(timeout(lookUps.nextResolved())).isEmpty();
    }
  }

  @Test
  void theTtlOfTheTxtRecordLimitsTheTimerAsWell() throws Exception {
    dns.answer(RECORD, Dns.TXT, Dns.Answer.of(Dns.txt(RECORD, 40, config(7, ""))));
    try (TestLookUps lookUps = lookUp(SETTINGS.withTtlRefresh())) {
      lookUps.next();
      assertThat(lookUps.timers()).containsExactly(Duration.ofSeconds(40));
    }
  }

  /** A system that tells the name of its machine when the test says so. */
  private static final class SlowSystem {
    private final Semaphore asked = new Semaphore(0);
    private final CompletableFuture<String> name = new CompletableFuture<>();

    String hostname() {
      asked.release();
      return name.join();
    }
  }

  @Test
  void aNameOfThisMachineThatDoesNotComeIsNotWaitedFor() throws Exception {
    record(config(7, "\"clientHostname\":[\"host-1\"],"));
    SlowSystem system = new SlowSystem();
    String target = "dns://127.0.0.1:" + dns.port() + "/" + NAME + ":1";
    try (TestLookUps lookUps = new TestLookUps(target, SETTINGS, system::hostname)) {
      system.asked.acquire();
      lookUps.pass(Duration.ofSeconds(5));
      Resolution.Resolved result = lookUps.nextResolved();
      assertThat(timeout(result)).isEmpty();
      assertThat(fault(result)).isEqualTo("none");
      lookUps.pass(MIN);
      lookUps.refresh();
      assertThat(timeout(lookUps.nextResolved())).isEmpty();
      assertThat(system.asked.availablePermits()).isZero(); // one thread hangs, and no other
      lookUps.restart();
      assertThat(timeout(lookUps.nextResolved())).isEmpty();
      assertThat(system.asked.availablePermits()).isZero();
    } finally {
      system.name.complete("host-1");
    }
  }

  @Test
  void aLookUpGoesOnWhileTheNameOfThisMachineIsAwaitedAndUsesItLater() throws Exception {
    record(config(7, "\"clientHostname\":[\"host-1\"],"));
    SlowSystem system = new SlowSystem();
    String target = "dns://127.0.0.1:" + dns.port() + "/" + NAME + ":1";
    try (TestLookUps lookUps = new TestLookUps(target, SETTINGS, system::hostname)) {
      system.asked.acquire();
      lookUps.pass(Duration.ofSeconds(5));
      lookUps.nextResolved();
      system.name.complete("host-1");
      for (Optional<Duration> now = Optional.empty(); now.isEmpty(); ) {
        lookUps.pass(MIN); // the thread that has the name may still be about to say so
        lookUps.refresh();
        now = timeout(lookUps.nextResolved());
      }
      assertThat(lookUps.hasNone()).isTrue();
    }
  }
}
