package dev.gannet.api;

import java.util.Objects;

/** What one side of a TLS connection proves itself with. Immutable. */
public final class TlsIdentity {
  private final Pem certificateChain;
  private final Pem privateKey;

  /**
   * A certificate and its key.
   *
   * @param certificateChain its own certificate first
   * @param privateKey PKCS#8 or PKCS#1, not encrypted
   */
  public TlsIdentity(Pem certificateChain, Pem privateKey) {
    this.certificateChain = Objects.requireNonNull(certificateChain, "certificateChain");
    this.privateKey = Objects.requireNonNull(privateKey, "privateKey");
  }

  /** The certificates, its own first. */
  public Pem certificateChain() {
    return certificateChain;
  }

  /** The key of the first certificate. */
  public Pem privateKey() {
    return privateKey;
  }
}
