package dev.gannet.api;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificates that one side of a TLS connection accepts: those signed by authorities in PEM,
 * or those that a trust manager accepts. Immutable.
 */
public final class TlsTrust {
  private final @Nullable Pem signers;
  private final @Nullable X509TrustManager trustManager;

  private TlsTrust(@Nullable Pem signers, @Nullable X509TrustManager trustManager) {
    this.signers = signers;
    this.trustManager = trustManager;
  }

  /** These certificate authorities. Use {@link Pem#reloaded} for a file that changes. */
  public static TlsTrust of(Pem signers) {
    return new TlsTrust(Objects.requireNonNull(signers, "signers"), null);
  }

  /**
   * A custom trust manager. It is called in each handshake, on an event loop, and must not block.
   * The host name is also verified, unless it is an {@link javax.net.ssl.X509ExtendedTrustManager},
   * which does so itself.
   */
  public static TlsTrust of(X509TrustManager trustManager) {
    return new TlsTrust(null, Objects.requireNonNull(trustManager, "trustManager"));
  }

  /**
   * The certificates of a key store.
   *
   * @throws GeneralSecurityException if they cannot be read
   */
  public static TlsTrust of(KeyStore signers) throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(signers);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509TrustManager x509) {
        return of(x509);
      }
    }
    throw new GeneralSecurityException("the JDK has no trust manager for such certificates");
  }

  /** The certificate authorities; empty if there is a trust manager. */
  public Optional<Pem> signers() {
    return Optional.ofNullable(signers);
  }

  /** The trust manager; empty if there are certificate authorities. */
  public Optional<X509TrustManager> trustManager() {
    return Optional.ofNullable(trustManager);
  }
}
