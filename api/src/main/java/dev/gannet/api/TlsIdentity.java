package dev.gannet.api;

/**
 * What one side of a TLS connection proves itself with.
 *
 * @param certificateChain its own certificate first
 * @param privateKey PKCS#8 or PKCS#1, not encrypted
 */
public record TlsIdentity(Pem certificateChain, Pem privateKey) {}
