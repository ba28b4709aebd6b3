package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Pem;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerCredentials.ClientAuth;
import dev.gannet.api.Status;
import dev.gannet.api.TlsIdentity;
import dev.gannet.api.TlsTrust;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a side may prove itself with, what it may trust, and what is said of what cannot be used.
 */
@Timeout(60)
final class TlsIdentitiesTest {
  private static final char[] PASSWORD = "secret".toCharArray();

  private static TlsIdentity identity(String name) throws Exception {
    return TlsIdentity.of(TlsFiles.pem(name + ".pem"), TlsFiles.pem(name + ".key"));
  }

  private static CertifiedKey certified(String name) throws Exception {
    return CertifiedKey.of(identity(name));
  }

  private static KeyStore keys(String name) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, PASSWORD);
    CertifiedKey own = certified(name);
    store.setKeyEntry(name, own.key(), PASSWORD, own.chain().toArray(X509Certificate[]::new));
    return store;
  }

  private static KeyStore certificates(String name) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry(name, certified(name).chain().getFirst());
    return store;
  }

  /** Trusts everybody, and leaves names to others. */
  private static final class Trusting implements X509TrustManager {
    private int asked;

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {
      asked++;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType)
        throws CertificateException {
      asked++;
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void keyStoresServeBothSides(SslProvider provider) throws Exception {
    ServerCredentials ofServer =
        ServerCredentials.tls(TlsIdentity.of(keys("localhost"), PASSWORD))
            .withClientAuth(ClientAuth.REQUIRE, TlsTrust.of(certificates("renewed")));
    ChannelCredentials.Tls ofChannel =
        ChannelCredentials.tls().withTrust(TlsTrust.of(certificates("localhost")));
    try (TlsCalls calls = new TlsCalls(provider, ofServer)) {
      assertThat(calls.call(ofChannel.withIdentity(TlsIdentity.of(keys("renewed"), PASSWORD))))
          .isEqualTo(Status.OK);
      assertThat(calls.call(ofChannel).code()).isEqualTo(Status.Code.UNAVAILABLE);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void customManagersAreUsedAndNamesAreStillChecked(SslProvider provider) throws Exception {
    Trusting trusting = new Trusting();
    ChannelCredentials ofChannel = ChannelCredentials.tls().withTrust(TlsTrust.of(trusting));
    TlsIdentity own = TlsIdentity.of(certified("localhost").keyManager());
    try (TlsCalls calls = new TlsCalls(provider, ServerCredentials.tls(own))) {
      assertThat(calls.call(ofChannel)).isEqualTo(Status.OK);
    }
    assertThat(trusting.asked).isPositive();
    try (TlsCalls calls = new TlsCalls(provider, ServerCredentials.tls(identity("other")))) {
      assertThat(calls.call(ofChannel).code()).isEqualTo(Status.Code.UNAVAILABLE);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void theRequestedNameSelectsTheIdentity(SslProvider provider) throws Exception {
    ServerCredentials credentials =
        ServerCredentials.tls(identity("localhost"))
            .withIdentity("Other.example", identity("other"))
            .withIdentity("*.wild.example", identity("other"))
            .withIdentity("kept.wild.example", TlsIdentity.of(keys("renewed"), PASSWORD));
    try (TlsCalls calls = new TlsCalls(provider, credentials)) {
      assertThat(shownFor("other.example", calls)).isEqualTo("CN=other");
      assertThat(shownFor("OTHER.example", calls)).isEqualTo("CN=other");
      assertThat(shownFor("a.wild.example", calls)).isEqualTo("CN=other");
      assertThat(shownFor("kept.wild.example", calls)).isEqualTo("CN=renewed");
      assertThat(shownFor("a.b.wild.example", calls)).contains("tests");
      assertThat(shownFor("unknown.example", calls)).contains("tests");
      assertThat(shownFor("localhost", calls)).contains("tests");
      assertThat(calls.call(ChannelCredentials.tls().withTrust(TlsFiles.pem("localhost.pem"))))
          .isEqualTo(Status.OK);
    }
  }

  private static String shownFor(String name, TlsCalls calls) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
    try (SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), calls.port())) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      parameters.setServerNames(List.of(new SNIHostName(name)));
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
          .getSubjectX500Principal()
          .getName();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JDK", "OPENSSL"})
  void keysOfAllKindsAreAccepted(SslProvider provider) throws Exception {
    try (TlsCalls calls = new TlsCalls(provider, ServerCredentials.tls(identity("other")))) {
      assertThat(shownFor("other.example", calls)).isEqualTo("CN=other");
    }
    assertThat(certified("ed").key().getAlgorithm()).isEqualTo("EdDSA");
  }

  @Test
  void invalidServerNamesAreRefused() throws Exception {
    ServerCredentials.Tls tls = ServerCredentials.tls(identity("localhost"));
    TlsIdentity other = identity("other");
    for (String name : List.of("", "a b", "*", "a.*.b", "a:1")) {
      assertThatThrownBy(() -> tls.withIdentity(name, other))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + name + "'");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "localhost.pem | sec1.key         | is an EC key in SEC1 format; convert it to PKCS#8"
            + " without a password: openssl pkcs8 -topk8 -nocrypt -in",
        "localhost.pem | encrypted.key    | is an encrypted key; give its password to"
            + " TlsIdentity.of, or convert it to PKCS#8 without a password: openssl pkcs8 -topk8"
            + " -nocrypt -in",
        "localhost.pem | oldencrypted.key | is a key whose encryption is not that of PKCS#8;"
            + " convert it to PKCS#8 without a password: openssl pkcs8 -topk8 -nocrypt -in",
        "localhost.pem | renewed.key      | is not the key of the first certificate in the"
            + " certificate chain (subject CN=",
        "localhost.pem | other.key        | is not the key of the first certificate in",
        "localhost.pem | renewed.pem      | the private key contains certificates, but a private"
            + " key is needed: were the two swapped?",
        "localhost.key | localhost.key    | the certificate chain contains a private key, but"
            + " certificates are needed: were the two swapped?"
      })
  void unusableCredentialsAreReportedOnBothSides(String chain, String key, String words)
      throws Exception {
    TlsIdentity bad = TlsIdentity.of(TlsFiles.pem(chain), TlsFiles.pem(key));
    assertThatThrownBy(() -> new TlsCalls(SslProvider.JDK, ServerCredentials.tls(bad)).close())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the server's TLS credentials cannot be used: ")
        .hasMessageContaining(words);
    assertThatThrownBy(() -> new NettyPipes().connector(ChannelCredentials.tls().withIdentity(bad)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the channel's TLS credentials cannot be used: ")
        .hasMessageContaining(words);
  }

  private static TlsIdentity encrypted(String key, String password) throws Exception {
    return TlsIdentity.of(TlsFiles.pem("localhost.pem"), TlsFiles.pem(key), password.toCharArray());
  }

  @ParameterizedTest
  @CsvSource({
    "JDK, localhost.aes.key",
    "OPENSSL, localhost.aes.key",
    "JDK, localhost.3des.key",
    "OPENSSL, localhost.3des.key",
    "JDK, localhost.key",
    "OPENSSL, localhost.key"
  })
  void aKeyIsDecryptedByItsPasswordOnBothSides(SslProvider provider, String key) throws Exception {
    TlsIdentity own = encrypted(key, "secret");
    Pem signer = TlsFiles.pem("localhost.pem");
    ServerCredentials ofServer =
        ServerCredentials.tls(own).withClientAuth(ClientAuth.REQUIRE, signer);
    try (TlsCalls calls = new TlsCalls(provider, ofServer)) {
      assertThat(calls.call(ChannelCredentials.tls().withTrust(signer).withIdentity(own)))
          .isEqualTo(Status.OK);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "localhost.aes.key    | guess1 | cannot be decrypted: the password is wrong, or the key"
            + " is damaged",
        "localhost.3des.key   | guess1 | cannot be decrypted: the password is wrong, or the key"
            + " is damaged",
        "localhost.aes.key    | gu\u00e9ss | cannot be decrypted: the password is wrong, or the key"
            + " is damaged",
        "localhost.scrypt.key | guess1 | is encrypted in a form that the JDK does not read, or is"
            + " damaged; this writes one that it reads: openssl pkcs8 -topk8 -v2 aes-256-cbc",
      })
  void aKeyThatItsPasswordDoesNotDecryptIsReportedWithoutThePassword(
      String key, String password, String words) throws Exception {
    TlsIdentity wrong = encrypted(key, password);
    assertThatThrownBy(() -> new TlsCalls(SslProvider.JDK, ServerCredentials.tls(wrong)).close())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "the server's TLS credentials cannot be used: the private key " + words)
        .hasMessageNotContaining(password);
    assertThatThrownBy(() -> CertifiedKey.of(wrong)).hasMessageContaining(words).hasNoCause();
  }

  @Test
  void aDamagedEncryptedKeyIsReported() throws Exception {
    Pem broken =
        text("-----BEGIN ENCRYPTED PRIVATE KEY-----MIIB-----END ENCRYPTED PRIVATE KEY-----");
    TlsIdentity bad = TlsIdentity.of(TlsFiles.pem("localhost.pem"), broken, "secret".toCharArray());
    assertThatThrownBy(() -> CertifiedKey.of(bad))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "the private key is encrypted in a form that the JDK does not read, or is damaged");
  }

  @Test
  void thePasswordThatWasGivenCanBeWiped() throws Exception {
    char[] password = "secret".toCharArray();
    TlsIdentity identity =
        TlsIdentity.of(TlsFiles.pem("localhost.pem"), TlsFiles.pem("localhost.aes.key"), password);
    Arrays.fill(password, ' ');
    Arrays.fill(identity.keyPassword().orElseThrow(), ' ');
    assertThat(CertifiedKey.of(identity).key().getAlgorithm()).isNotEmpty();
  }

  private static Pem text(String text) throws Exception {
    return Pem.of(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing | the private key has no private key (-----BEGIN PRIVATE KEY-----)",
        "-----BEGIN PRIVATE KEY-----MIIB-----END PRIVATE KEY----- | has an invalid or unsupported"
            + " private key; RSA, EC and EdDSA are supported",
        "-----BEGIN PRIVATE KEY-----AAAAA-----END PRIVATE KEY----- | has a private key that is"
            + " not Base64"
      })
  void anInvalidKeyIsReported(String key, String words) throws Exception {
    TlsIdentity bad = TlsIdentity.of(TlsFiles.pem("localhost.pem"), text(key));
    assertThatThrownBy(() -> CertifiedKey.of(bad)).hasMessageContaining(words);
  }

  @Test
  void aKeyStoreOrDerInPlaceOfPemIsNamed() throws Exception {
    ByteArrayOutputStream pkcs12 = new ByteArrayOutputStream();
    keys("localhost").store(pkcs12, PASSWORD);
    byte[] der = certified("localhost").chain().getFirst().getEncoded();
    for (byte[] binary : List.of(pkcs12.toByteArray(), der)) {
      Pem wrong = Pem.of(new ByteArrayInputStream(binary));
      assertThatThrownBy(() -> CertifiedKey.of(TlsIdentity.of(wrong, wrong)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("the certificate chain is not PEM (-----BEGIN ...) but a binary")
          .hasMessageContaining("TlsIdentity.of(KeyStore, char[])")
          .hasMessageContaining("openssl x509 -inform DER");
    }
  }

  @Test
  void anInvalidCertificateIsReported() throws Exception {
    Pem broken = text("-----BEGIN CERTIFICATE-----MIIB-----END CERTIFICATE-----");
    assertThatThrownBy(() -> PemText.of(broken, "the signers").certificates())
        .hasMessageContaining("the signers has an invalid certificate");
  }
}
