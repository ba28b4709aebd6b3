package dev.gannet.http2.frame;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the first two bytes of a peer say about its protocol. */
final class ForeignProtocolTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HTTP/1.1 400 Bad Request | the peer uses HTTP/1.1, not HTTP/2",
        "GET / HTTP/1.1 | the peer uses HTTP/1.1, not HTTP/2",
        "SSH-2.0-OpenSSH_9.6 | the peer uses SSH, not HTTP/2",
        "220 mail ESMTP | the peer sends text, not HTTP/2; is the port the right one?",
        "-ERR unknown command | the peer sends text, not HTTP/2; is the port the right one?",
      })
  void textIsRecognized(String sent, String expected) {
    assertThat(ForeignProtocol.ofFirstOctets(sent.charAt(0), sent.charAt(1))).contains(expected);
  }

  @Test
  void recordsOfTlsAreRecognized() {
    String expected = "the peer uses TLS, but this side uses plaintext";
    assertThat(ForeignProtocol.ofFirstOctets(0x15, 3)).contains(expected);
    assertThat(ForeignProtocol.ofFirstOctets(0x16, 3)).contains(expected);
  }

  @Test
  void otherBytesAreNot() {
    assertThat(ForeignProtocol.ofFirstOctets(0, 'A')).isEmpty();
    assertThat(ForeignProtocol.ofFirstOctets('A', 0)).isEmpty();
    assertThat(ForeignProtocol.ofFirstOctets(0x16, 4)).isEmpty();
    assertThat(ForeignProtocol.ofFirstOctets(0xff, 0xff)).isEmpty();
  }
}
