package dev.gannet.transport.netty;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The TLS versions and cipher suites of a context: those that RFC 9113 §9.2 allows, or those of
 * them that the credentials choose.
 *
 * @param protocols not empty
 * @param suites in the order of preference
 */
record TlsParameters(List<String> protocols, List<String> suites) {
  private static final String TLS_1_3 = "TLSv1.3";
  private static final String TLS_1_2 = "TLSv1.2";

  private static final List<String> SUITES_OF_1_3 =
      List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

  /** With forward secrecy and AEAD, as RFC 9113 §9.2.2 requires. */
  private static final List<String> SUITES_OF_1_2 =
      List.of(
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  private static final TlsParameters ALL =
      new TlsParameters(
          List.of(TLS_1_3, TLS_1_2),
          List.copyOf(joined(new ArrayList<>(SUITES_OF_1_3), SUITES_OF_1_2)));

  private static List<String> joined(List<String> some, List<String> more) {
    some.addAll(more);
    return some;
  }

  /**
   * The terms that credentials choose.
   *
   * @param protocols empty for all
   * @param suites empty for all
   * @throws IllegalArgumentException if the provider does not support them, or a version has no
   *     suite
   */
  static TlsParameters of(List<String> protocols, List<String> suites, SslProvider provider) {
    checkKnown("TLS version", protocols, ALL.protocols);
    checkKnown("cipher suite", suites, ALL.suites);
    if (suites.isEmpty()) {
      return new TlsParameters(protocols.isEmpty() ? ALL.protocols : protocols, ALL.suites);
    }
    List<String> usable = ALL.protocols.stream().filter(it -> hasSuite(it, suites)).toList();
    for (String protocol : protocols) {
      if (!usable.contains(protocol)) {
        throw new IllegalArgumentException(
            protocol + " has none of the chosen cipher suites; it has " + text(suitesOf(protocol)));
      }
    }
    TlsParameters chosen = new TlsParameters(protocols.isEmpty() ? usable : protocols, suites);
    if (provider != SslProvider.JDK && isBoringSsl()) {
      chosen.checkForBoringSsl();
    }
    return chosen;
  }

  /**
   * Checks the suites of a context that was made by these terms.
   *
   * @throws IllegalArgumentException if suites were chosen that its TLS library does not support
   */
  void checkUsed(List<String> used) {
    List<String> unsupported = suites.stream().filter(it -> !used.contains(it)).toList();
    if (!suites.equals(ALL.suites) && !unsupported.isEmpty()) {
      throw new IllegalArgumentException(
          "the TLS library of this process does not support the cipher suites "
              + text(unsupported));
    }
  }

  private static void checkKnown(String what, List<String> chosen, List<String> known) {
    for (String each : chosen) {
      if (!known.contains(each)) {
        throw new IllegalArgumentException(
            "the " + what + " '" + each + "' is not supported; supported are " + text(known));
      }
    }
  }

  private static String text(List<String> names) {
    return String.join(", ", names);
  }

  private static List<String> suitesOf(String protocol) {
    return protocol.equals(TLS_1_3) ? SUITES_OF_1_3 : SUITES_OF_1_2;
  }

  private static boolean hasSuite(String protocol, List<String> chosen) {
    return suitesOf(protocol).stream().anyMatch(chosen::contains);
  }

  private static boolean isBoringSsl() {
    return "BoringSSL".equals(OpenSsl.versionString());
  }

  /** BoringSSL uses all suites of TLS 1.3 or none. */
  private void checkForBoringSsl() {
    Set<String> ofNewest = new LinkedHashSet<>(suites);
    ofNewest.retainAll(SUITES_OF_1_3);
    if (protocols.contains(TLS_1_3) && ofNewest.size() < SUITES_OF_1_3.size()) {
      throw new IllegalArgumentException(
          "BoringSSL, which is used because netty-tcnative-boringssl-static is on the class path,"
              + " cannot choose among the cipher suites of TLSv1.3: choose all of them ("
              + text(SUITES_OF_1_3)
              + "), or withProtocols(\"TLSv1.2\"), or remove netty-tcnative");
    }
  }
}
