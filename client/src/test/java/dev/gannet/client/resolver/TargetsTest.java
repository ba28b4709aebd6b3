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
  void aTargetIsTakenApart(
      String text, String scheme, String authority, String path, String endpoint, String whole) {
    Target target = Target.parse(text, "test"::equals);
    assertThat(target.scheme()).isEqualTo(scheme);
    assertThat(target.authority()).isEqualTo(authority);
    assertThat(target.path()).isEqualTo(path);
    assertThat(target.endpoint()).isEqualTo(endpoint);
    assertThat(target).hasToString(whole);
  }

  @Test
  void aTextMayBeginLikeOneWithAScheme() {
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
  void aHostAndAPort(String text, String host, int port, String shown) {
    HostPort parsed = HostPort.parse(text);
    assertThat(parsed.host()).isEqualTo(host);
    assertThat(parsed.port()).isEqualTo(port);
    assertThat(parsed).hasToString(shown);
  }

  @ParameterizedTest
  @ValueSource(strings = {"host", ":80", "a:b:80", "host:http", "host:65536", "host:-1", "[]:80"})
  void whatIsNotAHostAndAPort(String text) {
    assertThatThrownBy(() -> HostPort.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a/b", "["})
  void whatIsNotAHost(String text) {
    if (text.equals("[")) { // one bracket is a part of the name, however unlikely
      assertThat(HostPort.of(text, 1).host()).isEqualTo("[");
    } else {
      assertThatThrownBy(() -> HostPort.of(text, 1)).hasMessageContaining("not a host");
    }
  }
}
