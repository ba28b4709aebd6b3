package dev.gannet.resolver.dns;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order of addresses (RFC 6724). */
class AddressSelectionTest {
  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static List<String> sorted(List<String> addresses, List<String> unreachable) {
    List<InetAddress> without = unreachable.stream().map(AddressSelectionTest::address).toList();
    return AddressSelection.sorted(
            addresses.stream().map(AddressSelectionTest::address).toList(),
            it -> !without.contains(it))
        .stream()
        .map(InetAddress::getHostAddress)
        .toList();
  }

  @Test
  void addressesAreSortedByPolicyTableAndScope() {
    List<String> inOrder =
        List.of(
            "0:0:0:0:0:0:0:1", // loopback
            "fe80:0:0:0:0:0:0:1", // link-local: of the same precedence as global, and a smaller
            // scope
            "2a00:0:0:0:0:0:0:1", // global
            "192.0.2.1",
            "2002:0:0:0:0:0:0:1", // 6to4
            "2001:0:0:0:0:0:0:1", // Teredo
            "fc00:0:0:0:0:0:0:1", // unique local
            "fec0:0:0:0:0:0:0:1"); // site-local
    List<String> reversed = new ArrayList<>(inOrder).reversed();
    assertThat(sorted(reversed, List.of())).isEqualTo(inOrder);
  }

  @Test
  void unreachableAddressesComeLast() {
    assertThat(sorted(List.of("2a00:0:0:0:0:0:0:1", "192.0.2.1"), List.of("2a00::1")))
        .containsExactly("192.0.2.1", "2a00:0:0:0:0:0:0:1");
  }

  @Test
  void equallyGoodAddressesKeepTheServersOrder() {
    assertThat(sorted(List.of("192.0.2.9", "10.0.0.1", "192.0.2.1"), List.of()))
        .containsExactly("192.0.2.9", "10.0.0.1", "192.0.2.1");
  }

  @Test
  void loopbackHasARoute() {
    assertThat(AddressSelection.hasRoute(address("127.0.0.1"))).isTrue();
  }
}
