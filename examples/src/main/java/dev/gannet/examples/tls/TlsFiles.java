package dev.gannet.examples.tls;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Pem;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.TlsIdentity;
import java.io.IOException;
import java.nio.file.Path;

/** Credentials of servers and channels, from PEM files. */
public final class TlsFiles {
  private TlsFiles() {}

  /**
   * A server with this certificate.
   *
   * @throws IOException if a file cannot be read
   */
  public static ServerCredentials server(Path certificate, Path key) throws IOException {
    return ServerCredentials.tls(identity(certificate, key));
  }

  /**
   * A server that rejects clients without a certificate of one of these signers.
   *
   * @throws IOException if a file cannot be read
   */
  public static ServerCredentials mutualServer(Path certificate, Path key, Path clientSigners)
      throws IOException {
    return ServerCredentials.tls(identity(certificate, key))
        .withClientAuth(ServerCredentials.ClientAuth.REQUIRE, Pem.of(clientSigners));
  }

  /**
   * A channel that only trusts servers with a certificate of one of these signers. {@link
   * ChannelCredentials#tls} alone trusts the signers that the JVM trusts.
   *
   * @throws IOException if the file cannot be read
   */
  public static ChannelCredentials channel(Path serverSigners) throws IOException {
    return ChannelCredentials.tls().withTrust(Pem.of(serverSigners));
  }

  /**
   * The same; in addition it sends its own certificate to servers that request one.
   *
   * @throws IOException if a file cannot be read
   */
  public static ChannelCredentials mutualChannel(Path serverSigners, Path certificate, Path key)
      throws IOException {
    return ChannelCredentials.tls()
        .withTrust(Pem.of(serverSigners))
        .withIdentity(identity(certificate, key));
  }

  private static TlsIdentity identity(Path certificate, Path key) throws IOException {
    return TlsIdentity.of(Pem.of(certificate), Pem.of(key));
  }
}
