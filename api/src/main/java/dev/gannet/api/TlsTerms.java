package dev.gannet.api;

import java.util.List;

/**
 * Which TLS versions and cipher suites connections may use. A transport checks whether it supports
 * them.
 *
 * @param protocols the versions; empty for the transport's default
 * @param cipherSuites the suites in the order of preference; empty for the transport's default
 */
record TlsTerms(List<String> protocols, List<String> cipherSuites) {
  static final TlsTerms DEFAULT = new TlsTerms(List.of(), List.of());

  TlsTerms withProtocols(String... versions) {
    return new TlsTerms(notEmpty("TLS version", versions), cipherSuites);
  }

  TlsTerms withCipherSuites(String... suites) {
    return new TlsTerms(protocols, notEmpty("cipher suite", suites));
  }

  private static List<String> notEmpty(String what, String... names) {
    if (names.length == 0) {
      throw new IllegalArgumentException("at least one " + what + " is needed");
    }
    return List.of(names);
  }
}
