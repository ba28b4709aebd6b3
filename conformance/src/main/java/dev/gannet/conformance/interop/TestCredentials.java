package dev.gannet.conformance.interop;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Pem;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.TlsIdentity;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;

/**
 * The certificates that all interop tests share: that of a server with many names, including {@link
 * #SERVER_NAME}, and that of its issuer. Not secret: the keys are public.
 */
public final class TestCredentials {
  /** One of the names that the server's certificate has. */
  public static final String SERVER_NAME = "foo.test.google.fr";

  private TestCredentials() {}

  /**
   * A server's certificate and key.
   *
   * @throws IOException if they cannot be read
   */
  public static ServerCredentials ofServer() throws IOException {
    return ServerCredentials.tls(TlsIdentity.of(pem("server1.pem"), pem("server1.key")));
  }

  /**
   * Trust only in the tests' own issuer.
   *
   * @throws IOException if its certificate cannot be read
   */
  public static ChannelCredentials ofClient() throws IOException {
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
