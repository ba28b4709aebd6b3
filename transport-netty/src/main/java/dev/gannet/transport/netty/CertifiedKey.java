package dev.gannet.transport.netty;

import dev.gannet.api.TlsIdentity;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509KeyManager;

/**
 * A private key with its certificate chain, the key's own certificate first.
 *
 * @param key that fits the first certificate
 */
record CertifiedKey(PrivateKey key, List<X509Certificate> chain) {
  /**
   * The key and certificates of PEM texts.
   *
   * @throws IllegalArgumentException if they cannot be used, or the key does not fit
   */
  static CertifiedKey of(TlsIdentity identity) {
    PemText chainText =
        PemText.of(identity.certificateChain().orElseThrow(), "the certificate chain");
    PemText keyText = PemText.of(identity.privateKey().orElseThrow(), "the private key");
    List<X509Certificate> chain = chainText.certificates();
    PrivateKey key = keyText.privateKey(identity.keyPassword());
    keyText.checkFits(key, chainText, chain.getFirst());
    return new CertifiedKey(key, chain);
  }

  /** The same as a key manager of the JDK. */
  X509KeyManager keyManager() {
    char[] password = {};
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, password);
      store.setKeyEntry("key", key, password, chain.toArray(X509Certificate[]::new));
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, password);
      return Arrays.stream(factory.getKeyManagers())
          .filter(X509KeyManager.class::isInstance)
          .map(X509KeyManager.class::cast)
          .findFirst()
          .orElseThrow();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException("the JDK does not accept the key: " + e.getMessage(), e);
    }
  }
}
