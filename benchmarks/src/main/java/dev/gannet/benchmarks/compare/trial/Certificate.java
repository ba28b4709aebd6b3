package dev.gannet.benchmarks.compare.trial;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** A self-signed certificate for localhost, created by the JDK's keytool for this run. */
public record Certificate(Path folder) {
  private static final String PASSWORD = "only-for-measuring";
  private static final String ALIAS = "server";
  private static final int LINE_CHARS = 64;

  /** Creates one in its own folder. */
  public static Certificate make() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("gannet-compare-tls-");
    Path store = folder.resolve("store.p12");
    keytool(store);
    Certificate made = new Certificate(folder);
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      write(made.certificate(), "CERTIFICATE", keys.getCertificate(ALIAS).getEncoded());
      write(made.key(), "PRIVATE KEY", keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificate cannot be read back", e);
    }
    Files.delete(store);
    return made;
  }

  private static void keytool(Path store) throws IOException, InterruptedException {
    String program = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process process =
        new ProcessBuilder(
                program,
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-validity",
                "30",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (process.waitFor() != 0) {
      throw new IOException("keytool has made no certificate");
    }
  }

  private static void write(Path file, String what, byte[] der) throws IOException {
    String body = Base64.getMimeEncoder(LINE_CHARS, new byte[] {'\n'}).encodeToString(der);
    String pem = "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n";
    Files.writeString(file, pem, US_ASCII);
  }

  private Path certificate() {
    return folder.resolve("server.pem");
  }

  private Path key() {
    return folder.resolve("server.key");
  }

  /** Deletes it. */
  public void delete() throws IOException {
    Files.delete(certificate());
    Files.delete(key());
    Files.delete(folder);
  }

  List<String> serverOptions() {
    return List.of("--tls-certificate", path(certificate()), "--tls-key", path(key()));
  }

  List<String> clientOptions() {
    return List.of("--trust", path(certificate()));
  }

  private static String path(Path file) {
    return file.toAbsolutePath().toString();
  }
}
