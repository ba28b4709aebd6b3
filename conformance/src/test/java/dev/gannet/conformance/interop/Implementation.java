package dev.gannet.conformance.interop;

import dev.gannet.conformance.Main;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** An implementation of gRPC, and how its programs are started. */
enum Implementation {
  /** Ours, on the class path that the launcher runs it on. */
  GANNET,
  /** The published one, from a folder that the build has filled. */
  GRPC_JAVA;

  private static final Path OUR_CLASSES = Path.of("target", "classes");
  private static final Path TEST_CLASSES = Path.of("target", "test-classes");
  private static final Path OUR_CLASS_PATH = Path.of("target", "run.classpath");
  private static final Path GRPC_JAVA_JARS = Path.of("grpc-java", "target", "lib");
  private static final String GRPC_JAVA_PACKAGE = "io.grpc.testing.integration.";

  /** Quick to start, loud about leaks; nothing here runs long enough for the big compiler. */
  private static final List<String> JVM_FLAGS =
      List.of(
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Xshare:auto",
          "--enable-native-access=ALL-UNNAMED",
          "-Dio.netty.leakDetection.level=paranoid");

  /** A server on a free port. */
  ChildProgram startServer(Security security) throws IOException {
    return switch (this) {
      case GANNET ->
          ChildProgram.startServer(
              command(
                  Main.class.getName(),
                  "interop-server",
                  List.of("--port=0"),
                  security.serverFlags()),
              Pattern.compile("listening on port (\\d+)"));
      case GRPC_JAVA ->
          ChildProgram.startServer(
              command(
                  GRPC_JAVA_PACKAGE + "TestServiceServer",
                  "",
                  List.of("--port=" + freePort()),
                  security.serverFlags()),
              Pattern.compile("Server started on port (\\d+)"));
    };
  }

  /** Runs these cases with clients of one style. */
  static ChildProgram runOurClient(
      List<String> testCases, ClientStyle style, String port, Security security)
      throws IOException, InterruptedException {
    List<String> flags = new ArrayList<>(clientFlags(String.join(",", testCases), port));
    flags.add("--style=" + style);
    return ChildProgram.run(
        GANNET.command(Main.class.getName(), "interop-client", flags, security.clientFlags()));
  }

  /** Runs one case, or several with commas between them. */
  static ChildProgram runGrpcJavasClient(String testCase, String port, Security security)
      throws IOException, InterruptedException {
    return ChildProgram.run(
        GRPC_JAVA.command(
            GrpcJavaCases.class.getName(),
            "",
            clientFlags(testCase, port),
            security.clientFlags()));
  }

  private static List<String> clientFlags(String testCase, String port) {
    return List.of("--server_host=127.0.0.1", "--server_port=" + port, "--test_case=" + testCase);
  }

  private List<String> command(
      String mainClass, String subCommand, List<String> flags, List<String> securityFlags)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM_FLAGS);
    command.addAll(List.of("-cp", classPath(), mainClass));
    if (!subCommand.isEmpty()) {
      command.add(subCommand);
    }
    command.addAll(flags);
    command.addAll(securityFlags);
    return command;
  }

  private String classPath() throws IOException {
    return switch (this) {
      case GANNET -> OUR_CLASSES + File.pathSeparator + Files.readString(OUR_CLASS_PATH);
      case GRPC_JAVA ->
          TEST_CLASSES
              + File.pathSeparator
              + GRPC_JAVA_JARS.toAbsolutePath()
              + File.separator
              + "*";
    };
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
