package dev.gannet.api;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The identity that one side of a TLS connection presents: a certificate and its key in PEM, or a
 * key manager. Immutable.
 */
public final class TlsIdentity {
  private final @Nullable Pem certificateChain;
  private final @Nullable Pem privateKey;
  private final char @Nullable [] keyPassword;
  private final @Nullable X509KeyManager keyManager;

  private TlsIdentity(Pem certificateChain, Pem privateKey, char @Nullable [] keyPassword) {
    this.certificateChain = Objects.requireNonNull(certificateChain, "certificateChain");
    this.privateKey = Objects.requireNonNull(privateKey, "privateKey");
    this.keyPassword = keyPassword;
    this.keyManager = null;
  }

  private TlsIdentity(X509KeyManager keyManager) {
    this.certificateChain = null;
    this.privateKey = null;
    this.keyPassword = null;
    this.keyManager = Objects.requireNonNull(keyManager, "keyManager");
  }

  /**
   * A certificate and its key. Use {@link Pem#reloaded} for files that change.
   *
   * @param certificateChain its own certificate first
   * @param privateKey PKCS#8 or PKCS#1, not encrypted; with a password see {@link #of(Pem, Pem,
   *     char[])}
   */
  public static TlsIdentity of(Pem certificateChain, Pem privateKey) {
    return new TlsIdentity(certificateChain, privateKey, null);
  }

  /**
   * A certificate and its encrypted key. Use {@link Pem#reloaded} for files that change; the
   * password stays the same.
   *
   * @param certificateChain its own certificate first
   * @param privateKey encrypted PKCS#8 ({@code BEGIN ENCRYPTED PRIVATE KEY}), by one of the
   *     algorithms of the JDK, as {@code openssl pkcs8 -topk8} writes it. A key that is not
   *     encrypted is used as it is
   * @param password of the key, in ASCII; copied
   */
  public static TlsIdentity of(Pem certificateChain, Pem privateKey, char[] password) {
    return new TlsIdentity(
        certificateChain, privateKey, Objects.requireNonNull(password, "password").clone());
  }

  /**
   * A custom key manager. It is called in each handshake, on an event loop, and must not block. An
   * {@link javax.net.ssl.X509ExtendedKeyManager} gets the engine.
   */
  public static TlsIdentity of(X509KeyManager keyManager) {
    return new TlsIdentity(keyManager);
  }

  /**
   * The keys of a key store and their certificates.
   *
   * @param password of the keys
   * @throws GeneralSecurityException if the keys cannot be read
   */
  public static TlsIdentity of(KeyStore keys, char[] password) throws GeneralSecurityException {
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, password);
    for (KeyManager manager : factory.getKeyManagers()) {
      if (manager instanceof X509KeyManager x509) {
        return of(x509);
      }
    }
    throw new GeneralSecurityException("the JDK has no key manager for such keys");
  }

  /** The certificates, its own first; empty if there is a key manager. */
  public Optional<Pem> certificateChain() {
    return Optional.ofNullable(certificateChain);
  }

  /** The key of the first certificate; empty if there is a key manager. */
  public Optional<Pem> privateKey() {
    return Optional.ofNullable(privateKey);
  }

  /** A copy of the password of the key; empty if none was given. */
  public Optional<char[]> keyPassword() {
    char[] given = keyPassword;
    return given == null ? Optional.empty() : Optional.of(given.clone());
  }

  /** The object that provides certificates and keys; empty if they are PEM. */
  public Optional<X509KeyManager> keyManager() {
    return Optional.ofNullable(keyManager);
  }
}
