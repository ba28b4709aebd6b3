package dev.gannet.transport.netty;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Converts private keys to the only form that the JDK reads, PKCS#8 (RFC 5958). RSA keys in the
 * older PKCS#1 form (RFC 8017, A.1.2) are put into a PKCS#8 envelope, and encrypted keys are
 * decrypted.
 */
final class PrivateKeys {
  /** Version 0, then the algorithm rsaEncryption with its NULL parameters, in DER. */
  private static final byte[] RSA_ENVELOPE_HEAD = {
    0x02,
    0x01,
    0x00,
    0x30,
    0x0d,
    0x06,
    0x09,
    0x2a,
    (byte) 0x86,
    0x48,
    (byte) 0x86,
    (byte) 0xf7,
    0x0d,
    0x01,
    0x01,
    0x01,
    0x05,
    0x00
  };

  private static final int DER_OCTET_STRING = 0x04;
  private static final int DER_SEQUENCE = 0x30;

  /** The scheme whose parameters name the algorithms (RFC 8018, 6.2), as the JDK may call it. */
  private static final Set<String> PBES2 = Set.of("PBES2", "1.2.840.113549.1.5.13");

  private PrivateKeys() {}

  /**
   * The key in an encrypted PKCS#8 envelope (RFC 5958, 3), in DER like the envelope.
   *
   * @throws java.security.NoSuchAlgorithmException if the JDK does not have its algorithm
   * @throws GeneralSecurityException if the password is wrong
   * @throws IOException if the JDK does not read this envelope
   */
  static byte[] decrypt(byte[] encrypted, char[] password)
      throws GeneralSecurityException, IOException {
    EncryptedPrivateKeyInfo envelope = new EncryptedPrivateKeyInfo(encrypted);
    AlgorithmParameters parameters = envelope.getAlgParameters();
    String algorithm = algorithm(envelope.getAlgName(), parameters);
    PBEKeySpec given = new PBEKeySpec(password);
    try {
      SecretKey key = SecretKeyFactory.getInstance(algorithm).generateSecret(given);
      Cipher cipher = Cipher.getInstance(algorithm);
      cipher.init(Cipher.DECRYPT_MODE, key, parameters);
      return envelope.getKeySpec(cipher).getEncoded();
    } finally {
      given.clearPassword();
    }
  }

  /** The parameters of PBES2 have the name of the algorithm as their text. */
  private static String algorithm(String name, @Nullable AlgorithmParameters parameters) {
    return parameters != null && PBES2.contains(name) ? parameters.toString() : name;
  }

  /** An RSA key of PKCS#1 as PKCS#8, both in DER. */
  static byte[] pkcs8OfRsa(byte[] pkcs1) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.writeBytes(RSA_ENVELOPE_HEAD);
    writeDer(DER_OCTET_STRING, pkcs1, content);
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    writeDer(DER_SEQUENCE, content.toByteArray(), whole);
    return whole.toByteArray();
  }

  private static void writeDer(int tag, byte[] value, ByteArrayOutputStream out) {
    out.write(tag);
    int length = value.length;
    if (length < 0x80) {
      out.write(length);
    } else {
      int octets = (32 - Integer.numberOfLeadingZeros(length) + 7) / 8;
      out.write(0x80 | octets);
      for (int i = octets - 1; i >= 0; i--) {
        out.write(length >>> (8 * i));
      }
    }
    out.writeBytes(value);
  }
}
