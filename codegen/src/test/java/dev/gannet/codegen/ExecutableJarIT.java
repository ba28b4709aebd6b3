package dev.gannet.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged plug-in, run by protoc itself: by the script that users put into their path, and by
 * one as Gradle's protobuf plug-in writes it around a jar.
 */
@Timeout(120)
final class ExecutableJarIT {
  private static final Path JAR = Path.of(System.getProperty("gannet.codegen.jar"));
  private static final Path PROTOC_FOLDER = Path.of(System.getProperty("gannet.protoc.folder"));
  private static final Path SCRIPT = Path.of("protoc-gen-gannet").toAbsolutePath();

  private static final String GREETER =
      """
      syntax = "proto3";
      package p;
      option java_multiple_files = true;
      service Greeter {
        rpc SayHello(M) returns (M);
      }
      message M {}
      """;

  @TempDir private Path folder = Path.of("");

  private Path out = Path.of("");

  /** How protoc has ended, and what it said. */
  private record Ended(int exitCode, String output) {}

  @BeforeEach
  void make() throws IOException {
    out = Files.createDirectories(folder.resolve("out"));
  }

  /** What {@code artifact = "…@jar"} becomes in Gradle. */
  private Path trampoline() throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path script = folder.resolve("protoc-gen-gannet-trampoline.sh");
    Files.writeString(
        script, "#!/bin/sh\nexec '%s' -jar '%s' \"$@\"\n".formatted(java, JAR.toAbsolutePath()));
    return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Ended protoc(Path plugin, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(protoc().toString());
    command.add("--plugin=protoc-gen-gannet=" + plugin);
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("GANNET_CODEGEN_JAR", JAR.toAbsolutePath().toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }

  /** The protoc of this build, of the system that it runs on. */
  private static Path protoc() throws IOException {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(PROTOC_FOLDER, "protoc-*.exe")) {
      Path protoc = found.iterator().next();
      return Files.setPosixFilePermissions(protoc, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  private List<String> generated() throws IOException {
    try (Stream<Path> files = Files.walk(out)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> out.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void protocRunsTheScriptOfThePath() throws Exception {
    Files.writeString(folder.resolve("greeter.proto"), GREETER);
    Ended ended = protoc(SCRIPT, "--gannet_out=out", "greeter.proto");
    assertThat(ended).isEqualTo(new Ended(0, ""));
    assertThat(generated())
        .containsExactly(
            "p/Greeter.java",
            "p/GreeterAsync.java",
            "p/GreeterAsyncClient.java",
            "p/GreeterClient.java",
            "p/GreeterMethods.java");
  }

  @Test
  void protocRunsTheJarAsGradleWrapsIt() throws Exception {
    Files.writeString(folder.resolve("greeter.proto"), GREETER);
    Ended ended =
        protoc(trampoline(), "--gannet_out=styles=blocking:out", "--java_out=out", "greeter.proto");
    assertThat(ended).isEqualTo(new Ended(0, ""));
    assertThat(generated())
        .contains("p/Greeter.java", "p/GreeterClient.java", "p/M.java")
        .doesNotContain("p/GreeterAsync.java");
  }

  @Test
  void optionsMayBePassedSeparately() throws Exception {
    Files.writeString(folder.resolve("greeter.proto"), GREETER);
    Ended ended =
        protoc(
            trampoline(),
            "--gannet_out=out",
            "--gannet_opt=styles=observer",
            "--gannet_opt=runtime=lite",
            "greeter.proto");
    assertThat(ended).isEqualTo(new Ended(0, ""));
    assertThat(generated())
        .containsExactly("p/GreeterMethods.java", "p/GreeterObserverClient.java");
  }

  @Test
  void anUnknownOptionEndsProtocWithItsName() throws Exception {
    Files.writeString(folder.resolve("greeter.proto"), GREETER);
    Ended ended = protoc(trampoline(), "--gannet_out=reactive:out", "greeter.proto");
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.output())
        .isEqualTo(
            "--gannet_out: The Gannet plug-in does not know the option \"reactive\". It knows"
                + " styles and runtime.\n");
    assertThat(generated()).isEmpty();
  }

  @Test
  void aNameClashEndsProtocWithFileAndLine() throws Exception {
    Files.writeString(folder.resolve("greeter.proto"), GREETER + "\nmessage GreeterClient {\n}\n");
    Ended ended = protoc(trampoline(), "--gannet_out=out", "greeter.proto");
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.output())
        .startsWith(
            "--gannet_out: greeter.proto:4:1: The Java class p.GreeterClient would be generated"
                + " twice, for the message p.GreeterClient and for the service p.Greeter;");
    assertThat(generated()).isEmpty();
  }

  @Test
  void aMissingImportEndsProtocWithFileAndLine() throws Exception {
    Files.writeString(
        folder.resolve("greeter.proto"),
        GREETER.replace("package p;", "package p;\nimport \"nowhere.proto\";"));
    Ended ended = protoc(trampoline(), "--gannet_out=out", "greeter.proto");
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.output())
        .contains("nowhere.proto: File not found.", "greeter.proto:3:1: Import");
    assertThat(generated()).isEmpty();
  }

  @Test
  void anInvalidRequestEndsThePluginWithAnError() throws Exception {
    Process plugin = new ProcessBuilder(trampoline().toString()).redirectErrorStream(true).start();
    try (var stdin = plugin.getOutputStream()) {
      stdin.write("no request".getBytes(StandardCharsets.UTF_8));
    }
    String said = new String(plugin.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(plugin.waitFor()).isEqualTo(1);
    assertThat(said).contains("InvalidProtocolBufferException");
  }
}
