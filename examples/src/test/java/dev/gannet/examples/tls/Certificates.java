package dev.gannet.examples.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/**
 * A key and a certificate that signs itself, made by the JDK's keytool for one run of a test.
 *
 * @param certificate in PEM; also the signer for peers that trust it
 * @param key in PEM
 */
record Certificates(Path certificate, Path key) {
  private static final char[] PASSWORD = "for tests".toCharArray();

  static Certificates make(Path folder, String name)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = folder.resolve(name + ".p12");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            name,
            "-keyalg",
            "EC",
            "-dname",
            "CN=" + name,
            "-ext",
            "san=dns:localhost,ip:127.0.0.1",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            String.valueOf(PASSWORD));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool has made no certificate: " + said);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    return new Certificates(
        write(folder.resolve(name + ".pem"), "CERTIFICATE", keys.getCertificate(name).getEncoded()),
        write(
            folder.resolve(name + ".key"),
            "PRIVATE KEY",
            keys.getKey(name, PASSWORD).getEncoded()));
  }

  private static Path write(Path file, String what, byte[] der) throws IOException {
    String body = Base64.getMimeEncoder().encodeToString(der);
    return Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, body, what));
  }
}
