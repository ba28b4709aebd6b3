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
import org.jspecify.annotations.Nullable;

/**
 * A self-signed certificate for localhost, created by the JDK's keytool when it is first needed.
 * Not safe for concurrent use.
 */
public final class Certificate implements AutoCloseable {
  private static final String PASSWORD = "only-for-measuring";
  private static final String ALIAS = "server";
  private static final int LINE_CHARS = 64;

  private @Nullable Path folder;

  /** The folder with the certificate and its key. */
  private Path folder() throws IOException, InterruptedException {
    if (folder == null) {
      folder = make();
    }
    return folder;
  }

  private static Path make() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("gannet-compare-tls-");
    Path store = folder.resolve("store.p12");
    keytool(store);
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      write(certificate(folder), "CERTIFICATE", keys.getCertificate(ALIAS).getEncoded());
      write(key(folder), "PRIVATE KEY", keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificate cannot be read back", e);
    }
    Files.delete(store);
    return folder;
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

  private static Path certificate(Path folder) {
    return folder.resolve("server.pem");
  }

  private static Path key(Path folder) {
    return folder.resolve("server.key");
  }

  List<String> serverOptions() throws IOException, InterruptedException {
    return List.of(
        "--tls-certificate", path(certificate(folder())), "--tls-key", path(key(folder())));
  }

  List<String> clientOptions() throws IOException, InterruptedException {
    return List.of("--trust", path(certificate(folder())));
  }

  private static String path(Path file) {
    return file.toAbsolutePath().toString();
  }

  /** Deletes it, if it was made. */
  @Override
  public void close() throws IOException {
    if (folder != null) {
      Files.delete(certificate(folder));
      Files.delete(key(folder));
      Files.delete(folder);
    }
  }
}
