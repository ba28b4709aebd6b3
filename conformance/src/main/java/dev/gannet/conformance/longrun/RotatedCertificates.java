package dev.gannet.conformance.longrun;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Two self-signed certificates, made by the JDK's keytool, which are put in turn into the files
 * that a server reads. Confined to one thread.
 */
final class RotatedCertificates implements AutoCloseable {
  private static final String PASSWORD = "for this run";
  private static final String ALIAS = "server";

  private record Pair(String certificate, String key) {}

  private final Path folder;
  private final List<Pair> pairs;
  private int rotations;

  private RotatedCertificates(Path folder, List<Pair> pairs) {
    this.folder = folder;
    this.pairs = pairs;
  }

  static RotatedCertificates make() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("gannet-soak-");
    RotatedCertificates made =
        new RotatedCertificates(folder, List.of(pair(folder, "a"), pair(folder, "b")));
    Files.writeString(
        made.trust(), made.pairs.getFirst().certificate() + made.pairs.getLast().certificate());
    made.rotate();
    return made;
  }

  Path certificate() {
    return folder.resolve("server.pem");
  }

  Path key() {
    return folder.resolve("server.key");
  }

  /** Both certificates, for clients that trust the server. */
  Path trust() {
    return folder.resolve("trust.pem");
  }

  int rotations() {
    return rotations;
  }

  /** Replaces both files with those of the other certificate. */
  void rotate() throws IOException {
    Pair next = pairs.get(rotations % pairs.size());
    rotations++;
    replace(certificate(), next.certificate());
    replace(key(), next.key());
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private void replace(Path file, String content) throws IOException {
    Path next = Files.writeString(folder.resolve("next"), content);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static Pair pair(Path folder, String name) throws IOException, InterruptedException {
    Path store = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost " + name,
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    keytool.getInputStream().transferTo(said);
    if (keytool.waitFor() != 0) {
      throw new IOException("no certificate: " + said.toString(StandardCharsets.UTF_8));
    }
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      return new Pair(
          pem("CERTIFICATE", keys.getCertificate(ALIAS).getEncoded()),
          pem("PRIVATE KEY", keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificate cannot be read back", e);
    }
  }

  private static String pem(String what, byte[] der) {
    String body = Base64.getMimeEncoder().encodeToString(der);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, body, what);
  }
}
