package dev.gannet.resolver.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gannet.client.ManagedChannel;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Target;
import dev.gannet.testing.ResolverTestbed;
import java.time.Duration;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Targets, and how the provider is found and set. */
class DnsNameResolverProviderTest {
  private static final DnsNameResolverProvider PROVIDER = new DnsNameResolverProvider();

  private static Target target(String text) {
    return Target.parse(text, scheme -> true);
  }

  @Test
  void serviceLoaderFindsItBeforeTheBuiltInOne() {
    assertThat(ServiceLoader.load(NameResolverProvider.class))
        .singleElement()
        .isInstanceOf(DnsNameResolverProvider.class)
        .matches(it -> it.priority() > NameResolverProvider.dns().priority())
        .matches(it -> it.scheme().equals("dns"))
        .matches(it -> !it.bringsServiceConfig());
  }

  @Test
  void serviceConfigsAreProvidedOnlyIfEnabled() {
    assertThat(PROVIDER.withServiceConfig().bringsServiceConfig()).isTrue();
    assertThat(PROVIDER.withTtlRefresh().bringsServiceConfig()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "dns:///greeter.test:50051, greeter.test:50051, greeter.test:50051",
    "dns://192.0.2.53/greeter.test, greeter.test, dns://192.0.2.53/greeter.test",
    "dns://192.0.2.53:5353/greeter.test:1, greeter.test:1, dns://192.0.2.53:5353/greeter.test:1",
    "dns://[2001:db8::53]:5353/g.test:1, g.test:1, dns://[2001:db8::53]:5353/g.test:1",
    "dns:///[::1]:50051, [::1]:50051, [::1]:50051",
  })
  void theDnsServerIsNotPartOfTheAuthority(String target, String authority, String described) {
    assertThat(PROVIDER.authority(target(target))).isEqualTo(authority);
    assertThat(PROVIDER.describe(target(target))).isEqualTo(described);
  }

  @ParameterizedTest
  @CsvSource({
    "dns://192.0.2.53/x, 192.0.2.53, 53",
    "dns://192.0.2.53:5353/x, 192.0.2.53, 5353",
    "dns://[::1]/x, 0:0:0:0:0:0:0:1, 53",
    "dns://[::1]:5353/x, 0:0:0:0:0:0:0:1, 5353",
  })
  void theAuthorityOfTheTargetUriIsTheDnsServer(String target, String address, int port) {
    assertThat(DnsTarget.of(target(target)).server())
        .hasValueSatisfying(it -> {
          assertThat(it.getAddress().getHostAddress()).isEqualTo(address);
          assertThat(it.getPort()).isEqualTo(port);
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dns://ns.example.com/greeter.test:1",
        "dns://::1/greeter.test:1",
        "dns://192.0.2.53:0/greeter.test:1",
        "dns://192.0.2.53:65536/greeter.test:1",
        "dns://192.0.2.53:x/greeter.test:1",
        "dns://[::1/greeter.test:1",
        "dns://user@192.0.2.53/greeter.test:1",
      })
  void aTargetWithAnInvalidDnsServerIsRefused(String target) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ManagedChannel.builder(target).plaintext().build())
        .withMessageContaining("not a DNS server")
        .withMessageContaining(target);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dns:///",
        "dns:///:1",
        "dns:///a..b:1",
        "dns:///.a:1",
        "dns:///a:b:1",
        "dns:///a:99999",
      })
  void aTargetWithAnInvalidNameIsRefused(String target) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ManagedChannel.builder(target).plaintext().build())
        .withMessageContaining(target);
  }

  @ParameterizedTest
  @CsvSource({"xds:///svc, xds", "consul:svc, consul", "unix-abstract:x, unix-abstract"})
  void aTargetWithAnUnknownSchemeIsRefusedByItsName(String target, String scheme) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ManagedChannel.builder(target).plaintext().build())
        .withMessageStartingWith("'" + target + "' is not a target (host:port, ")
        .withMessageContaining("no resolver is registered for the scheme '" + scheme + "'");
  }

  @Test
  void aNameInPlaceOfAPortMayBeTheFaultOfEither() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ManagedChannel.builder("host:http").plaintext().build())
        .withMessageContaining("no resolver is registered for the scheme 'host', and ")
        .withMessageContaining("the port 'http' is not a number");
  }

  @Test
  void namesThatAreTooLongForDnsAreRefused() {
    String label = "a".repeat(63);
    assertThat(DnsTarget.of(target("dns:///" + label + ".test:1")).host()).startsWith(label);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DnsTarget.of(target("dns:///" + label + "a.test:1")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DnsTarget.of(target("dns:///" + (label + ".").repeat(4) + "test:1")))
        .withMessageContaining("253");
  }

  @Test
  void namesInOtherScriptsAreTurnedIntoAscii() {
    assertThat(DnsTarget.of(target("dns:///gr\u00fc\u00dfe.test:1")).host())
        .isEqualTo("xn--grsse-lva.test");
  }

  @Test
  void settingsAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PROVIDER.withMaxAddresses(0))
        .withMessageContaining("maxAddresses");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PROVIDER.withQueryTimeout(Duration.ZERO))
        .withMessageContaining("timeout of a query");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PROVIDER.withMinTimeBetweenLookUps(Duration.ofSeconds(-1)))
        .withMessageContaining("between look-ups");
  }

  @Test
  void aQueryTimeoutIsRoundedUpToMilliseconds() {
    assertThat(LookUpSettings.DEFAULT.withQueryTimeout(Duration.ofNanos(1)).queryTimeoutMillis())
        .isEqualTo(1);
    assertThat(
            LookUpSettings.DEFAULT
                .withQueryTimeout(Duration.ofNanos(2_000_001))
                .queryTimeoutMillis())
        .isEqualTo(3);
    assertThat(
            LookUpSettings.DEFAULT
                .withQueryTimeout(Duration.ofSeconds(Long.MAX_VALUE))
                .queryTimeoutMillis())
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void nothingIsLookedUpForAnAddress() {
    try (ResolverTestbed bed = ResolverTestbed.of(PROVIDER, "dns://192.0.2.53/127.0.0.1:50051")) {
      bed.start();
      bed.refresh();
      assertThat(bed.results())
          .hasSize(2)
          .allMatch(it -> it.toString().contains("/127.0.0.1:50051"));
      assertThat(bed.offloads()).isZero();
      assertThat(bed.clock().pendingTimers()).isZero();
    }
  }
}
