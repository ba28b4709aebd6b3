package dev.gannet.http2.frame;

import java.util.Optional;

/**
 * Recognizes, by the first bytes of a peer that does not speak HTTP/2, the protocol that it speaks:
 * most often a wrong port was used.
 */
final class ForeignProtocol {
  private static final int TLS_ALERT = 0x15;
  private static final int TLS_HANDSHAKE = 0x16;
  private static final int TLS_MAJOR_VERSION = 0x03;

  private ForeignProtocol() {}

  /** A text for a violation, if the bytes are known. */
  static Optional<String> ofFirstOctets(int first, int second) {
    if ((first == TLS_ALERT || first == TLS_HANDSHAKE) && second == TLS_MAJOR_VERSION) {
      return Optional.of("the peer uses TLS, but this side uses plaintext");
    }
    if (first == 'S' && second == 'S') {
      return Optional.of("the peer uses SSH, not HTTP/2");
    }
    if (isCapital(first) && isCapital(second)) { // a request or a response
      return Optional.of("the peer uses HTTP/1.1, not HTTP/2");
    }
    return isPrintable(first) && isPrintable(second)
        ? Optional.of("the peer sends text, not HTTP/2; is the port the right one?")
        : Optional.empty();
  }

  private static boolean isCapital(int octet) {
    return octet >= 'A' && octet <= 'Z';
  }

  private static boolean isPrintable(int octet) {
    return octet >= ' ' && octet <= '~';
  }
}
