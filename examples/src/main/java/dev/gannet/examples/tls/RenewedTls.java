package dev.gannet.examples.tls;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Pem;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.TlsIdentity;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Mutual TLS with files that are renewed while the program runs, as cert-manager and its like do
 * it. Connections that open after a change use what is new; open ones stay.
 *
 * @param certificate of this program, in PEM
 * @param key of its certificate, in PEM
 * @param signers whom to trust on the other side, in PEM
 * @param interval how often the files are looked at
 */
public record RenewedTls(Path certificate, Path key, Path signers, Duration interval) {
  /** A server that shows the newest certificate, and trusts the newest signers. */
  public ServerCredentials server() {
    return ServerCredentials.tls(identity())
        .withClientAuth(ServerCredentials.ClientAuth.REQUIRE, renewed(signers));
  }

  /** A channel that does the same. */
  public ChannelCredentials channel() {
    return ChannelCredentials.tls().withTrust(renewed(signers)).withIdentity(identity());
  }

  private TlsIdentity identity() {
    return new TlsIdentity(renewed(certificate), renewed(key));
  }

  private Pem renewed(Path file) {
    return Pem.reloaded(file, interval);
  }
}
