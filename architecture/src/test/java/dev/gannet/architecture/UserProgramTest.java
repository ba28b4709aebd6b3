package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs of users, as modules of their own that see stable packages alone. */
@Timeout(120)
final class UserProgramTest {
  private static final Pattern OTHERS_LIBRARIES =
      Pattern.compile(
          ".*/(netty-[^/]*|protobuf-java-[^/]*|jackson-core-[^/]*|jspecify-[^/]*)\\.jar");

  private static final String MODULE = "module user.program { requires dev.gannet; }";

  private static final String MODULE_WITH_PLUG_INS =
      """
      module user.program {
        requires dev.gannet;
        requires dev.gannet.serviceconfig;
        provides dev.gannet.client.resolver.NameResolverProvider with user.program.Main.Here;
        provides dev.gannet.client.balancer.LoadBalancerProvider with user.program.Main.OnlyOne;
      }
      """;

  private static final String PROGRAM =
      """
      package user.program;

      import dev.gannet.api.*;
      import dev.gannet.api.stub.BlockingCalls;
      import dev.gannet.api.stub.BlockingHandlers;
      import dev.gannet.api.transport.*;
      import dev.gannet.client.ManagedChannel;
      import dev.gannet.server.Server;
      import java.net.InetAddress;
      import java.net.InetSocketAddress;
      import java.nio.ByteBuffer;
      import java.nio.charset.StandardCharsets;
      import java.time.Duration;
      import java.util.List;
      import java.util.concurrent.CompletableFuture;

      public final class Main {
        static final Metadata.Key<String> USER = Metadata.Key.ascii("user");
        static final CallContext.Key<String> PRINCIPAL = CallContext.Key.of("principal");

        static final MethodDescriptor<String, String> HELLO =
            MethodDescriptor.of(MethodType.UNARY, "user.Greeter/Hello", new Text(), new Text());

        record Text() implements Marshaller<String> {
          @Override public void write(String text, MessageSink sink) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            sink.reserve(bytes.length).put(bytes);
          }
          @Override public String parse(ByteBuffer bytes) {
            return StandardCharsets.UTF_8.decode(bytes).toString();
          }
        }

        record Named(String name) implements ClientInterceptor {
          @Override public <Q, R> ClientCall<Q, R> interceptCall(
              MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
            Metadata user = new Metadata();
            user.add(USER, name);
            return next.newCall(method, options.withMetadata(user));
          }
        }

        record Knows() implements ServerInterceptor {
          @Override public <Q, R> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            call.context().setValue(PRINCIPAL, headers.get(USER).orElse("nobody"));
            return next.startCall(call, headers);
          }
        }

        static String hello(String request) {
          return request + ", " + CallContext.current().orElseThrow().value(PRINCIPAL).orElse("?");
        }

        public static void main(String[] arguments) throws Exception {
          ServerServiceDefinition greeter =
              ServerServiceDefinition.of("user.Greeter",
                  List.of(ServerMethodDefinition.of(HELLO, BlockingHandlers.unary(Main::hello))));
          try (EventLoops loops = EventLoops.ofThreads(1);
              Server server =
                  Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                      .add(greeter)
                      .intercept(new Knows())
                      .eventLoops(loops)
                      .maxConcurrentCallsPerConnection(10)
                      .memoryBudget(MemoryBudget.ofBytes(64 << 20))
                      .workBudget(WorkBudget.ofBytesPerSecond(1 << 20))
                      .transportLimits(limits ->
                          limits.withMaxHeaderFields(20).withOffenceRate(Offence.PING, 10, 10))
                      .socketOptions(options -> options.withBacklog(10))
                      .start();
              ManagedChannel channel =
                  ManagedChannel.builder("127.0.0.1", server.port())
                      .plaintext()
                      .intercept(new Named("Ada"))
                      .keepAliveTime(Duration.ofMinutes(1))
                      .transportLimits(limits -> limits.withMaxFrameBytes(1 << 20))
                      .build()) {
            CompletableFuture<String> answer = new CompletableFuture<>();
            ClientCall<String, String> call =
                channel.newCall(HELLO, CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(30)));
            call.start(new ClientCall.Listener<>() {
              @Override public void onMessage(String message) { answer.complete(message); }
              @Override public void onClose(Status status, Metadata trailers) {
                answer.completeExceptionally(status.asException());
              }
            }, new Metadata());
            call.request(2);
            call.sendMessage("Hello");
            call.halfClose();
            System.out.println(answer.get());
          }
        }
      }
      """;

  @TempDir private Path folder = Path.of("");

  /** The libraries of ours and of others, as they stand on this test's class path. */
  private static String modulePath() {
    String own =
        ProjectModule.LIBRARY.stream()
            .map(module -> Path.of("..", module.folder(), "target", "classes"))
            .filter(Files::exists)
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    String all = Path.of("..", "all", "target", "classes").toString();
    String others =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> OTHERS_LIBRARIES.matcher(entry).matches())
            .collect(Collectors.joining(File.pathSeparator));
    return String.join(File.pathSeparator, own, all, others);
  }

  private String compile(String program) throws IOException {
    return compile(MODULE, program);
  }

  private String compile(String module, String program) throws IOException {
    Path sources = Files.createDirectories(folder.resolve("source/user/program"));
    Path descriptor = Files.writeString(folder.resolve("source/module-info.java"), module);
    Path main = Files.writeString(sources.resolve("Main.java"), program);
    StringWriter said = new StringWriter();
    PrintWriter output = new PrintWriter(said);
    ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
    List<String> arguments = new ArrayList<>(List.of("--release", "21", "-proc:none"));
    arguments.addAll(
        List.of("--module-path", modulePath(), "-d", folder.resolve("user").toString()));
    arguments.addAll(List.of(descriptor.toString(), main.toString()));
    javac.run(output, output, arguments.toArray(String[]::new));
    return said.toString();
  }

  private String run() throws Exception {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--module-path",
                folder.resolve("user") + File.pathSeparator + modulePath(),
                "--module",
                "user.program/user.program.Main")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(output, StandardCharsets.UTF_8);
  }

  @Test
  void serverAndClientWithLimitsAndInterceptorsNeedStablePackagesAlone() throws Exception {
    assertThat(compile(PROGRAM)).doesNotContain("error");
    assertThat(run()).contains("Hello, Ada");
  }

  @Test
  void everythingThatCanBePluggedInNeedsStablePackagesAlone() throws Exception {
    assertThat(compile(MODULE_WITH_PLUG_INS, read("/programs/PlugIns.java.txt")))
        .doesNotContain("error");
    assertThat(run().lines())
        .contains(
            "Hello by the door front on levels 7 and 8",
            "Hello again by the door front on levels 7 and 8",
            "ascii marshaller",
            "binary marshaller",
            "bindable service",
            "call credentials for Hello",
            "call limit left",
            "call limit of Hello",
            "call tracker",
            "client call tracer OK",
            "client interceptor",
            "client stream tracer OK",
            "client stream with TLS: false",
            "compressor",
            "decompressor",
            "end of the endpoint chooser",
            "endpoint chooser",
            "handler registry",
            "headers interceptor",
            "marshaller",
            "picker of Hello",
            "policy",
            "policy config for a test",
            "ready endpoint",
            "resolver",
            "server extension",
            "server interceptor",
            "server observer",
            "server stream tracer OK",
            "tracker of a chosen endpoint 1",
            "transport filter");
  }

  private static String read(String resource) throws IOException {
    try (InputStream in = UserProgramTest.class.getResourceAsStream(resource)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void programsCannotUseEngineTypes() throws IOException {
    for (String engine :
        List.of(
            "dev.gannet.transport.settings.ConnectionLimits",
            "dev.gannet.http2.Limits",
            "dev.gannet.api.engine.EngineParts")) {
      String said = compile("package user.program; final class Main { " + engine + " leak; }");
      assertThat(said).as(engine).contains("is not visible");
    }
  }
}
