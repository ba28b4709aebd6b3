package dev.gannet.benchmarks.compare;

import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.benchmarks.harness.ServerProgram;
import dev.gannet.benchmarks.load.BenchmarkHandlers;
import dev.gannet.server.Server;
import io.grpc.benchmarks.proto.BenchmarkServiceMethods;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program whose server is well for some calls, and then answers one with a wrong status, or dies.
 */
final class WrongServer {
  private static final int GOOD_CALLS = 500;

  private final boolean dies;
  private final AtomicInteger calls = new AtomicInteger();

  private WrongServer(boolean dies) {
    this.dies = dies;
  }

  public static void main(String[] args) throws Exception {
    ServerProgram.run(args, options -> new WrongServer(options.mode().equals("dies")).start());
  }

  private int start() throws IOException {
    var method =
        ServerMethodDefinition.of(
            BenchmarkServiceMethods.UNARY_CALL, BlockingHandlers.unary(this::respond));
    return Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .add(new ServerServiceDefinition(BenchmarkServiceMethods.SERVICE_NAME, List.of(method)))
        .start()
        .port();
  }

  private SimpleResponse respond(SimpleRequest request) {
    if (calls.incrementAndGet() == GOOD_CALLS) {
      if (dies) {
        Runtime.getRuntime().halt(3);
      }
      throw Status.DATA_LOSS.withDescription("on purpose").asException();
    }
    return BenchmarkHandlers.respond(request);
  }
}
