package dev.gannet.conformance.interop;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Pem;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.TlsIdentity;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;

/**
 * The certificates that all interop tests share: a server of many names, {@code foo.test.google.fr}
 * among them, and who signed for it. Worth nothing outside tests: the keys are public.
 */
public final class TestCredentials {
  private TestCredentials() {}

  /** What a server shows. */
  public static ServerCredentials ofServer() throws IOException {
    return ServerCredentials.tls(new TlsIdentity(pem("server1.pem"), pem("server1.key")));
  }

  /** Trusts the tests' own signer and nobody else. */
  static ChannelCredentials ofClient() throws IOException {
    return ChannelCredentials.tls().withTrust(pem("ca.pem"));
  }

  private static Pem pem(String name) throws IOException {
    try (InputStream file = TestCredentials.class.getResourceAsStream("/certs/" + name)) {
      if (file == null) {
        throw new FileNotFoundException("certs/" + name + " is not on the class path");
      }
      return Pem.of(file);
    }
  }
}
