package dev.gannet.client.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a target's text means (gRPC Name Resolution). */
final class TargetsTest {
  @ParameterizedTest
  @CsvSource({
    "test:///name, test, '', /name, name, test:///name",
    "TEST:///name, test, '', /name, name, test:///name",
    "test://who/name/more, test, who, /name/more, name/more, test://who/name/more",
    "test:name, test, '', name, name, test:name",
    "test:/name, test, '', /name, name, test:///name",
    "test:///, test, '', /, '', test:///",
    "localhost:80, dns, '', /localhost:80, localhost:80, dns:///localhost:80",
    "other:///name, dns, '', /other:///name, other:///name, dns:///other:///name",
    "[::1]:80, dns, '', /[::1]:80, [::1]:80, dns:///[::1]:80"
  })
  void aTargetIsParsedIntoItsParts(
      String text, String scheme, String authority, String path, String endpoint, String whole) {
    Target target = Target.parse(text, "test"::equals);
    assertThat(target.scheme()).isEqualTo(scheme);
    assertThat(target.authority()).isEqualTo(authority);
    assertThat(target.path()).isEqualTo(path);
    assertThat(target.endpoint()).isEqualTo(endpoint);
    assertThat(target).hasToString(whole);
  }

  @ParameterizedTest
  @CsvSource({
    "test:///a%20b%2Fc, '', /a b/c",
    "test://w%68o/%C3%A9, who, /é",
    "test:///[fe80::1%25eth0]:80, '', /[fe80::1%eth0]:80",
    "test:///[fe80::1%eth0]:80, '', /[fe80::1%eth0]:80",
    "test:///[fe80::1%12]:80, '', /[fe80::1%12]:80",
    "test:///[fe80::1%2512]:80, '', /[fe80::1%12]:80",
    "test:///[fe80::1%25]:80, '', /[fe80::1%25]:80",
    "test:///[fe80::1%2525]:80, '', /[fe80::1%25]:80",
    "test:///[fe80::1%bce0]:80, '', /[fe80::1%bce0]:80",
    "test:///[fe80::1%41]%41, '', /[fe80::1%41]A",
    "test:///100%, '', /100%",
    "test:///100%2, '', /100%2",
    "test:///%g0%0g, '', /%g0%0g"
  })
  void percentEncodedCharactersAreDecoded(String text, String authority, String path) {
    Target target = Target.parse(text, "test"::equals);
    assertThat(target.authority()).isEqualTo(authority);
    assertThat(target.path()).isEqualTo(path);
    assertThat(target).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[fe80::1%12]:80", "[fe80::1%2512]:80", "a%20b:80", "other:///a%20b"})
  void aTextWithoutAKnownSchemeIsNotDecoded(String text) {
    assertThat(Target.parse(text, "test"::equals).endpoint()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[fe80::1%12]:80", "[fe80::1%25]:80", "[fe80::1%eth0]:80", "100%41"})
  void anEncodedTextIsDecodedToItself(String text) {
    Target target = Target.parse("test:///" + Target.encoded(text), "test"::equals);
    assertThat(target.endpoint()).isEqualTo(text);
  }

  @Test
  void aTextWithAColonMayBeginWithAScheme() {
    assertThat(Target.hasScheme("a:b")).isTrue();
    assertThat(Target.hasScheme("ab")).isFalse();
    assertThat(Target.hasScheme("[::1]:80")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "host:80, host, 80, host:80",
    "[::1]:0, ::1, 0, [::1]:0",
    "[fe80::1%eth0]:65535, fe80::1%eth0, 65535, [fe80::1]:65535"
  })
  void aHostAndAPortAreParsed(String text, String host, int port, String shown) {
    HostPort parsed = HostPort.parse(text);
    assertThat(parsed.host()).isEqualTo(host);
    assertThat(parsed.port()).isEqualTo(port);
    assertThat(parsed).hasToString(shown);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "host, the port is missing",
        ":80, the host is missing",
        "a:b:80, an IPv6 address must be in brackets",
        "host:http, the port 'http' is not a number",
        "host:65536, the port 65536 is not in 0 to 65535",
        "host:-1, the port -1 is not in 0 to 65535",
        "host:-0, the port -0 is not in 0 to 65535",
        "host:+80, the port '+80' is not a number",
        "host:١٢, the port '١٢' is not a number",
        "host:99999999999, the port 99999999999 is not in 0 to 65535",
        "[host]:80, '[host]' is not a host: brackets are for IPv6 addresses",
        "[]:80, the host is missing",
        "a b:80, 'a b' is not a host: it contains a space"
      })
  void invalidHostsAndPortsAreRefusedWithTheReason(String text, String reason) {
    assertThatThrownBy(() -> HostPort.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "'" + text + "' is not host:port or [IPv6 address]:port: " + reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a/b", "["})
  void anInvalidHostIsRefused(String text) {
    if (text.equals("[")) { // one bracket is a part of the name, however unlikely
      assertThat(HostPort.of(text, 1).host()).isEqualTo("[");
    } else {
      assertThatThrownBy(() -> HostPort.of(text, 1)).hasMessageContaining("not a host");
    }
  }
}
