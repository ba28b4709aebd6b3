package dev.gannet.client.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Targets that list addresses, and addresses that the application knows. */
final class AddressListsTest {
  private static List<String> endpointsOf(NameResolverProvider provider, String text) {
    List<Resolution> results = new ArrayList<>();
    NameResolver resolver = provider.create(target(text), new NoContext());
    resolver.start(results::add);
    resolver.refresh();
    resolver.shutdown();
    assertThat(results).hasSize(2);
    return ((Resolution.Resolved) results.getFirst())
        .endpoints().stream()
            .map(it -> (InetSocketAddress) it.addresses().getFirst())
            .map(it -> it.getAddress().getHostAddress() + " " + it.getPort())
            .toList();
  }

  private static Target target(String text) {
    return Target.parse(text, List.of("ipv4", "ipv6", "dns", "unix")::contains);
  }

  @Test
  void anIpv4TargetIsAListOfAddresses() {
    NameResolverProvider provider = NameResolverProvider.ipv4();
    assertThat(endpointsOf(provider, "ipv4:127.0.0.1:5001,192.0.2.1"))
        .containsExactly("127.0.0.1 5001", "192.0.2.1 443");
    assertThat(provider.authority(target("ipv4:127.0.0.1:5001,192.0.2.1")))
        .isEqualTo("127.0.0.1:5001");
  }

  @Test
  void anIpv6TargetIsAListOfAddresses() {
    NameResolverProvider provider = NameResolverProvider.ipv6();
    assertThat(endpointsOf(provider, "ipv6:[::1]:5001,[2001:db8::2],2001:db8::3"))
        .containsExactly(
            "0:0:0:0:0:0:0:1 5001", "2001:db8:0:0:0:0:0:2 443", "2001:db8:0:0:0:0:0:3 443");
    assertThat(provider.authority(target("ipv6:::1"))).isEqualTo("[::1]:443");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ipv4:",
        "ipv4:a:1",
        "ipv4:1.2.3.4:",
        "ipv4:1.2.3.4,",
        "ipv4:1.2.3:1",
        "ipv4:1.2.3.400:1",
        "ipv4:1.2.3.04:1",
        "ipv4://who/1.2.3.4:1",
        "ipv4:[::1]:1",
        "ipv6:1.2.3.4:1",
        "ipv6:[::x]:1",
        "ipv6:[:::]:1",
        "ipv6:[::1]:70000"
      })
  void anInvalidListOfAddressesIsNamed(String text) {
    Target target = target(text);
    NameResolverProvider provider =
        target.scheme().equals("ipv4") ? NameResolverProvider.ipv4() : NameResolverProvider.ipv6();
    assertThatThrownBy(() -> provider.authority(target))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a list of addresses")
        .hasMessageContaining(text);
  }

  @Test
  void nothingInAListOfAddressesIsLookedUp() {
    for (String host : TestHosts.LIKE_ADDRESSES) { // whose look-up would succeed
      boolean ipv6 = host.indexOf(':') >= 0;
      NameResolverProvider provider =
          ipv6 ? NameResolverProvider.ipv6() : NameResolverProvider.ipv4();
      Target target = target(ipv6 ? "ipv6:[" + host + "]:1" : "ipv4:" + host + ":1");
      assertThatThrownBy(() -> provider.authority(target))
          .as(host)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + host + "'");
      assertThatThrownBy(() -> provider.create(target, new NoContext()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void allOctetsOfAnIpv4AddressAreKnown() {
    for (int octet = 0; octet < 256; octet++) {
      String address = "%d.%<d.%<d.%<d".formatted(octet);
      assertThat(endpointsOf(NameResolverProvider.ipv4(), "ipv4:" + address))
          .containsExactly(address + " 443");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "unix:run/service.sock, run/service.sock",
    "unix:/run/service.sock, /run/service.sock",
    "unix:///run/service.sock, /run/service.sock",
  })
  void aUnixTargetIsTheFileOfASocket(String text, String path) {
    NameResolverProvider provider = NameResolverProvider.unix();
    List<Resolution> results = new ArrayList<>();
    provider.create(target(text), new NoContext()).start(results::add);
    assertThat(((Resolution.Resolved) results.getFirst()).endpoints())
        .containsExactly(Endpoint.of(UnixDomainSocketAddress.of(path)));
    assertThat(provider.authority(target(text))).isEqualTo("localhost");
    assertThat(provider.bringsServiceConfig()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"unix:", "unix:///", "unix://run/service.sock", "unix:a\u0000b"})
  void anInvalidPathOfASocketIsNamed(String text) {
    assertThatThrownBy(() -> NameResolverProvider.unix().authority(target(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not the path of a socket")
        .hasMessageContaining(text);
  }

  @Test
  void fixedEndpointsKeepTheNameOfTheTarget() {
    Endpoint known = Endpoint.of(new InetSocketAddress("192.0.2.1", 1));
    FixedEndpoints provider = FixedEndpoints.of(List.of(known), NameResolverProvider.dns());
    assertThat(endpointsOf(provider, "name.test:5")).containsExactly("192.0.2.1 1");
    assertThat(provider.scheme()).isEqualTo("dns");
    assertThat(provider.authority(target("name.test:5"))).isEqualTo("name.test:5");
    assertThat(provider.describe(target("name.test:5"))).isEqualTo("name.test:5");
    assertThatThrownBy(() -> FixedEndpoints.of(List.of(), NameResolverProvider.dns()))
        .hasMessageContaining("one endpoint");
  }
}
