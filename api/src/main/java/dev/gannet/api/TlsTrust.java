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
 * Whose certificates one side of a TLS connection accepts: those of signers in PEM, or those that a
 * trust manager accepts. Immutable.
 */
public final class TlsTrust {
  private final @Nullable Pem signers;
  private final @Nullable X509TrustManager trustManager;

  private TlsTrust(@Nullable Pem signers, @Nullable X509TrustManager trustManager) {
    this.signers = signers;
    this.trustManager = trustManager;
  }

  /** These signers. A file that changes is {@link Pem#reloaded}. */
  public static TlsTrust of(Pem signers) {
    return new TlsTrust(Objects.requireNonNull(signers, "signers"), null);
  }

  /**
   * A trust manager of one's own, which is asked in each handshake, on an event loop: it must not
   * block. The host name is checked besides, unless it is an {@link
   * javax.net.ssl.X509ExtendedTrustManager}, which does so itself.
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

  /** Who signs; empty if there is a trust manager. */
  public Optional<Pem> signers() {
    return Optional.ofNullable(signers);
  }

  /** Who decides; empty if there are signers. */
  public Optional<X509TrustManager> trustManager() {
    return Optional.ofNullable(trustManager);
  }
}
