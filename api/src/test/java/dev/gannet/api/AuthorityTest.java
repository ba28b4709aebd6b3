package dev.gannet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What servers refuse as {@code :authority} is refused where it is said. */
final class AuthorityTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "my_service.default.svc:443",
        "a-b.example.com.:0",
        "192.0.2.1:65535",
        "host:",
        "tenant%2Fa",
        "a,b",
        "[2001:db8::1]",
        "[::ffff:192.0.2.1]:80",
        "[fe80::1%25eth0]:1",
        "[v1.fe:d]",
        "123"
      })
  void aHostWithOrWithoutAPortIsAnAuthority(String authority) {
    assertThat(CallOptions.DEFAULT.withAuthority(authority).authority()).hasValue(authority);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":80",
        "u@h",
        "@",
        "tenant/a",
        "a b",
        " a",
        "h:65536",
        "h:99999999999",
        "h:-1",
        "h:1a",
        "h:1:2",
        "2001:db8::1",
        "[2001:db8::1",
        "[2001:db8::1]a",
        "[1::2::3]",
        "[]",
        "[v.a]",
        "h?q",
        "h#f",
        "a\\b",
        "%2",
        "%zz",
        "h\u00f6",
        "h\u0000",
        "<h>"
      })
  void anInvalidAuthorityIsRejected(String authority) {
    assertThatThrownBy(() -> CallOptions.DEFAULT.withAuthority(authority))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "'" + authority + "' is not an authority (host or host:port, RFC 3986 §3.2): ");
  }
}
