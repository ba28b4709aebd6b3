package dev.gannet.examples.tls;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Pem;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.TlsIdentity;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Mutual TLS with files that are renewed while the program runs, for example by cert-manager. New
 * connections use the new content; open connections are not closed.
 *
 * @param certificate of this program, in PEM
 * @param key of its certificate, in PEM
 * @param signers the certificate authorities that the peer must be signed by, in PEM
 * @param interval how often the files are checked for changes
 */
public record RenewedTls(Path certificate, Path key, Path signers, Duration interval) {
  /** Credentials of a server that requires client certificates. */
  public ServerCredentials server() {
    return ServerCredentials.tls(identity())
        .withClientAuth(ServerCredentials.ClientAuth.REQUIRE, renewed(signers));
  }

  /** Credentials of a channel that sends a client certificate. */
  public ChannelCredentials channel() {
    return ChannelCredentials.tls().withTrust(renewed(signers)).withIdentity(identity());
  }

  private TlsIdentity identity() {
    return TlsIdentity.of(renewed(certificate), renewed(key));
  }

  private Pem renewed(Path file) {
    return Pem.reloaded(file, interval);
  }
}
