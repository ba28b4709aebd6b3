package dev.gannet.conformance.interop;

import java.util.List;

/** What is around the bytes of a connection. */
enum Security {
  PLAINTEXT,
  TLS;

  List<String> serverFlags() {
    return List.of("--use_tls=" + (this == TLS));
  }

  List<String> clientFlags() {
    return switch (this) {
      case PLAINTEXT -> List.of("--use_tls=false");
      case TLS ->
          List.of(
              "--use_tls=true", "--use_test_ca=true", "--server_host_override=foo.test.google.fr");
    };
  }
}
