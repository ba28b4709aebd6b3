package dev.gannet.benchmarks.compare.program;

import dev.gannet.api.Dispatch;
import dev.gannet.api.Pem;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.TlsIdentity;
import dev.gannet.benchmarks.harness.ServerProgram;
import dev.gannet.benchmarks.load.BenchmarkHandlers;
import dev.gannet.benchmarks.load.BenchmarkHandlers.Streams;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * Gannet's server. Its modes: inline, virtual, and pool, which is a fixed one; each with {@code
 * -observed} behind it for one with {@link ObservedCalls}; and flaky, inline too, which fails the
 * first attempt of each call.
 */
public final class GannetServer {
  private static final String OBSERVED = "-observed";

  private GannetServer() {}

  /** Serves until standard input ends. */
  public static void main(String[] args) throws Exception {
    ServerProgram.run(args, GannetServer::start);
  }

  private static int start(ServerProgram.Options options) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), options.port());
    boolean observed = options.mode().endsWith(OBSERVED);
    String mode = observed ? options.mode().replace(OBSERVED, "") : options.mode();
    ServerBuilder builder =
        Server.builder(address).dispatch(dispatch(mode)).add(new BenchmarkHandlers(streams(mode)));
    if (observed) {
      ObservedCalls.observed(builder);
    }
    if (mode.equals("flaky")) {
      builder.intercept(new FailedFirstAttempts());
    }
    if (options.tls().isPresent()) {
      ServerProgram.Tls tls = options.tls().get();
      Pem certificate = Pem.of(tls.certificate().toPath());
      Pem key = Pem.of(tls.key().toPath());
      builder.credentials(ServerCredentials.tls(TlsIdentity.of(certificate, key)));
    }
    return builder.start().port();
  }

  private static Dispatch dispatch(String mode) {
    return switch (mode) {
      case "inline", "flaky" -> Dispatch.inline();
      case "virtual" -> Dispatch.virtualThreads();
      case "pool" -> Dispatch.on(fixedPool());
      default -> throw new IllegalArgumentException("no such mode: " + mode);
    };
  }

  /** The handlers for this kind of thread. */
  private static Streams streams(String mode) {
    return mode.equals("virtual") ? Streams.BY_PLAIN_METHODS : Streams.BY_LISTENERS;
  }

  private static Executor fixedPool() {
    int threads = Runtime.getRuntime().availableProcessors();
    return Executors.newFixedThreadPool(
        threads, Thread.ofPlatform().daemon().name("pool-", 0).factory());
  }
}
