package dev.gannet.transport.netty;

import dev.gannet.api.Pem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.NoSuchPaddingException;

/**
 * Reads certificates and keys from PEM texts (RFC 7468). A text that cannot be used leads to an
 * {@link IllegalArgumentException} that says which text it is and what to do about it.
 *
 * @param name the file, or the purpose of the text
 * @param blocks what is between the lines BEGIN and END
 */
record PemText(String name, List<Block> blocks) {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String PKCS8 = "PRIVATE KEY";
  private static final String PKCS1 = "RSA PRIVATE KEY";
  private static final String SEC1 = "EC PRIVATE KEY";
  private static final String ENCRYPTED = "ENCRYPTED PRIVATE KEY";

  private static final char DER_SEQUENCE = 0x30;
  private static final char JKS = 0xfe;

  /** In the headers of RFC 1421, which old keys have. */
  private static final String OLD_ENCRYPTED = "ENCRYPTED";

  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");

  /** One object in PEM, by its label. */
  record Block(String label, String text) {
    byte[] der() {
      return Base64.getMimeDecoder().decode(text);
    }
  }

  /**
   * Parses a text.
   *
   * @param purpose its name in messages, if it is not a file
   */
  static PemText of(Pem pem, String purpose) {
    String name = pem.file().map(Object::toString).orElse(purpose);
    List<Block> blocks = new ArrayList<>();
    String text = read(pem, name);
    if (isBinary(text)) {
      throw new IllegalArgumentException(
          name
              + " is not PEM (-----BEGIN ...) but a binary file, such as DER (.der, .cer) or a key"
              + " store (.p12, .pfx, .jks). Load a key store into a java.security.KeyStore and pass"
              + " that to TlsIdentity.of(KeyStore, char[]) or TlsTrust.of(KeyStore); convert DER to"
              + " PEM: openssl x509 -inform DER -in FILE -out FILE.pem (keys: openssl pkey)");
    }
    Matcher matcher = BLOCK.matcher(text);
    while (matcher.find()) {
      blocks.add(new Block(matcher.group(1), matcher.group(2)));
    }
    return new PemText(name, blocks);
  }

  /** DER and PKCS#12 begin with the tag of a SEQUENCE and a long length; JKS with a number. */
  private static boolean isBinary(String text) {
    return text.length() > 1
        && text.charAt(1) >= 0x80
        && (text.charAt(0) == DER_SEQUENCE || text.charAt(0) == JKS);
  }

  private static String read(Pem pem, String name) {
    try (InputStream stream = pem.open()) {
      return new String(stream.readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw unreadable(name, e);
    } catch (UncheckedIOException e) {
      throw unreadable(name, Objects.requireNonNull(e.getCause()));
    }
  }

  private static IllegalArgumentException unreadable(String name, IOException e) {
    String why =
        e instanceof NoSuchFileException ? "there is no such file" : String.valueOf(e.getMessage());
    return new IllegalArgumentException(name + " cannot be read: " + why, e);
  }

  private IllegalArgumentException bad(String why) {
    return new IllegalArgumentException(name + " " + why);
  }

  private boolean has(String label) {
    return blocks.stream().anyMatch(it -> it.label().equals(label));
  }

  /** All its certificates; at least one. */
  List<X509Certificate> certificates() {
    List<X509Certificate> all = new ArrayList<>();
    for (Block block : blocks) {
      if (block.label().equals(CERTIFICATE)) {
        all.add(certificate(block));
      }
    }
    if (all.isEmpty()) {
      boolean isKey = blocks.stream().anyMatch(it -> it.label().endsWith(PKCS8));
      throw bad(
          isKey
              ? "contains a private key, but certificates are needed: were the two swapped?"
              : "has no certificate (-----BEGIN CERTIFICATE-----)");
    }
    return all;
  }

  private X509Certificate certificate(Block block) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(block.der()));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw bad("has an invalid certificate: " + e.getMessage());
    }
  }

  /**
   * The first private key.
   *
   * @param password for an encrypted key
   */
  PrivateKey privateKey(Optional<char[]> password) {
    for (Block block : blocks) {
      Optional<byte[]> pkcs8 = pkcs8(block, password);
      if (pkcs8.isPresent()) {
        return key(pkcs8.get());
      }
    }
    throw bad(
        has(CERTIFICATE)
            ? "contains certificates, but a private key is needed: were the two swapped?"
            : "has no private key (-----BEGIN PRIVATE KEY-----)");
  }

  private Optional<byte[]> pkcs8(Block block, Optional<char[]> password) {
    return switch (block.label()) {
      case PKCS8 -> Optional.of(der(block));
      case PKCS1 -> {
        if (block.text().contains(OLD_ENCRYPTED)) {
          throw toConvert("is a key whose encryption is not that of PKCS#8;");
        }
        yield Optional.of(PrivateKeys.pkcs8OfRsa(der(block)));
      }
      case SEC1 -> throw toConvert("is an EC key in SEC1 format;");
      case ENCRYPTED ->
          Optional.of(
              decrypted(
                  der(block),
                  password.orElseThrow(() ->
                      toConvert("is an encrypted key; give its password to TlsIdentity.of, or"))));
      default -> Optional.empty();
    };
  }

  private byte[] decrypted(byte[] encrypted, char[] password) {
    try {
      return PrivateKeys.decrypt(encrypted, password);
    } catch (IOException | NoSuchAlgorithmException | NoSuchPaddingException e) {
      throw bad(
          "is encrypted in a form that the JDK does not read, or is damaged; this writes one that"
              + " it reads: openssl pkcs8 -topk8 -v2 aes-256-cbc -in "
              + name
              + " -out pkcs8.key");
    } catch (GeneralSecurityException e) { // its text may be misleading
      throw bad("cannot be decrypted: the password is wrong, or the key is damaged");
    }
  }

  private byte[] der(Block block) {
    try {
      return block.der();
    } catch (IllegalArgumentException e) {
      throw bad("has a private key that is not Base64: " + e.getMessage());
    }
  }

  private IllegalArgumentException toConvert(String what) {
    return bad(
        what
            + " convert it to PKCS#8 without a password: openssl pkcs8 -topk8 -nocrypt -in "
            + name
            + " -out pkcs8.key");
  }

  private PrivateKey key(byte[] pkcs8) {
    PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(pkcs8);
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (GeneralSecurityException e) {
        // It may belong to the next one.
      }
    }
    throw bad("has an invalid or unsupported private key; RSA, EC and EdDSA are supported");
  }

  /** Returns normally if the certificate verifies what the key signs. */
  void checkFits(PrivateKey key, PemText chain, X509Certificate certificate) {
    PublicKey publicKey = certificate.getPublicKey();
    if (!fits(key, publicKey)) {
      throw bad(
          "is not the key of the first certificate in "
              + chain.name()
              + " (subject "
              + certificate.getSubjectX500Principal()
              + ")");
    }
  }

  private static boolean fits(PrivateKey key, PublicKey publicKey) {
    String signatures =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    if (signatures.equals("RSASSA-PSS")) {
      return true; // its parameters are left to TLS
    }
    byte[] anything = {1, 2, 3};
    try {
      Signature signer = Signature.getInstance(signatures);
      signer.initSign(key);
      signer.update(anything);
      byte[] signature = signer.sign();
      signer.initVerify(publicKey);
      signer.update(anything);
      return signer.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
