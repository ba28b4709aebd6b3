package dev.gannet.http2.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which texts are a host and perhaps a port (RFC 3986 §3.2.2, §3.2.3). */
final class AuthorityGrammarTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        "greeter.example.com",
        "greeter.example.com:50051",
        "Under_score-dash~tilde.dot",
        "!$&'()*+;=",
        "tmp%2Fwire%2fs%20ock",
        "192.0.2.1:443",
        "999.999.999.999", // no IPv4 address, but a name
        ":50051",
        "host:",
        "host:0",
        "host:65535",
        "host:000000065535",
        "[v1F.a:b!c~d]:80"
      })
  void aHostAndPerhapsAPortAreAnAuthority(String text) {
    assertThat(AuthorityGrammar.matches(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b",
        " a",
        "a\t",
        "\u2603",
        "a\u00e9",
        "a\u007f",
        "user@host",
        "http://host",
        "host/path",
        "host?query",
        "host#part",
        "a\\b",
        "\"a\"",
        "<a>",
        "{a}",
        "a|b",
        "a^b",
        "a`b",
        "%",
        "a%2",
        "%2g",
        "%g2"
      })
  void otherOctetsAreNotAllowedInAnAuthority(String text) {
    assertThat(AuthorityGrammar.matches(text)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"host:65536", "host:99999999999999999999", "host:-1", "host:8o", "a:b:1"})
  void aPortIsANumberUpTo65535(String text) {
    assertThat(AuthorityGrammar.matches(text)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "::",
        "::1",
        "1::",
        "1:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7::",
        "::2:3:4:5:6:7:8",
        "2001:db8::FFFF:0",
        "::192.0.2.1",
        "1:2:3:4:5:6:192.0.2.255",
        "1:2:3:4:5::192.0.2.1"
      })
  void anIpv6AddressMayBeInBracketsOrWithout(String address) {
    assertThat(AuthorityGrammar.matches("[" + address + "]")).isTrue();
    assertThat(AuthorityGrammar.matches("[" + address + "]:50051")).isTrue();
    assertThat(AuthorityGrammar.matches("[" + address + "%25eth0.1~%20]:50051")).isTrue();
    assertThat(AuthorityGrammar.matches(address)).as("as grpc-go sends it").isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":::",
        "1",
        "1:2",
        ":1",
        "1:",
        "1::2::3",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::",
        "1:2:3:4::5:6:7:8",
        "12345::",
        "g::",
        "::256.0.0.1",
        "::1.2.3",
        "::1.2.3.4.5",
        "::01.2.3.4",
        "::1.2.3.",
        "::.1.2.3",
        "::1.2.3.4:5",
        "1.2.3.4::",
        "1.2.3.4",
        "1:2:3:4:5:6:7:1.2.3.4",
        "::%",
        "::%25",
        "::%25a b",
        "::%25%2",
        "::%eth0",
        "v1.",
        "v.a",
        "vg.a",
        "v1",
        "v1.a b",
        "v1.a[",
        "::1]",
        "[::1"
      })
  void onlyAnIpAddressMayBeInBrackets(String address) {
    assertThat(AuthorityGrammar.matches("[" + address + "]")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[::1", "::1]", "[::1]a", "[::1]50051", "a[::1]", "[", "]", "[]", "[::1]:x"})
  void bracketsEncloseTheWholeHost(String text) {
    assertThat(AuthorityGrammar.matches(text)).isFalse();
  }

  /** gRPC's clients in C++ and Python send their target, and that may be a list. */
  @Test
  void aListOfAddressesIsTolerated() {
    for (String list : List.of("192.0.2.1:1,192.0.2.2:2", "[::1]:1,[::2]:2", "a,b", "a:1,,b:2")) {
      assertThat(AuthorityGrammar.matches(list)).as(list).isTrue();
    }
    for (String list : List.of("a:1,b:x", "a:1,b c", "a:x,b:1", "a:1,[::1", "a,u@b")) {
      assertThat(AuthorityGrammar.matches(list)).as(list).isFalse();
    }
  }

  @Test
  void everyOctetOfANameIsAllowedOrNotAsTheRfcSays() {
    for (char c = 0; c <= 0xff; c++) {
      boolean letterOrDigit = c < 0x80 && Character.isLetterOrDigit(c);
      boolean fine = letterOrDigit || "-._~!$&'()*+,;=".indexOf(c) >= 0;
      assertThat(AuthorityGrammar.matches("x" + c + "y:1")).as("octet %x", (int) c).isEqualTo(fine);
    }
  }
}
