package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user's module compiles with what the one dependency brings, and with no more than that. */
final class ModularUserTest {
  private static final Pattern BROUGHT =
      Pattern.compile(
          ".*/(api|http2|protocol|transport|transport-(inprocess|netty)|client|server|protobuf|all)"
              + "/target/.*"
              + "|.*/(netty|protobuf-java)-[^/]*\\.jar");

  private static final String MODULE = "module user { requires dev.gannet; }";

  private static final String PROGRAM =
      """
      package user;

      import dev.gannet.api.*;
      import dev.gannet.client.ManagedChannel;
      import dev.gannet.server.Server;

      final class Program implements ServerInterceptor {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
          return next.startCall(call, headers);
        }

        public static void main(String[] args) throws Exception {
          try (Server server = Server.builder(0).plaintext().start();
              ManagedChannel channel =
                  ManagedChannel.builder("localhost", server.port()).plaintext().build()) {
            System.out.println(channel.authority() + Status.OK);
          }
        }
      }
      """;

  @Test
  void aModuleThatRequiresGannetAloneCompiles(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path module = Files.writeString(folder.resolve("module-info.java"), MODULE);
    Path program = Files.writeString(folder.resolve("Program.java"), PROGRAM);
    Process compiler =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "javac").toString(),
                "--module-path",
                modulePath(),
                "-d",
                folder.resolve("classes").toString(),
                module.toString(),
                program.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(compiler.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(compiler.exitValue()).as(said).isZero();
  }

  private static String modulePath() {
    String path =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> BROUGHT.matcher(entry).matches())
            .collect(Collectors.joining(File.pathSeparator));
    assertThat(path).contains("netty-transport").doesNotContain("jspecify");
    return path;
  }
}
