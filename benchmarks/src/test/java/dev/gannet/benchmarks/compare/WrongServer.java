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
import java.util.concurrent.locks.LockSupport;

/**
 * A program whose server is well for some calls, and then answers one with a wrong status, or not
 * at all, or dies.
 */
final class WrongServer {
  private static final int GOOD_CALLS = 50;

  /** What becomes of the call behind the good ones. */
  private enum Ill {
    ANSWERS_WRONGLY,
    DIES,
    HANGS;

    static Ill of(String mode) {
      return switch (mode) {
        case "dies" -> DIES;
        case "hangs" -> HANGS;
        default -> ANSWERS_WRONGLY;
      };
    }
  }

  private final Ill ill;
  private final AtomicInteger calls = new AtomicInteger();

  private WrongServer(Ill ill) {
    this.ill = ill;
  }

  public static void main(String[] args) throws Exception {
    ServerProgram.run(args, options -> new WrongServer(Ill.of(options.mode())).start());
  }

  private int start() throws IOException {
    var method =
        ServerMethodDefinition.of(
            BenchmarkServiceMethods.UNARY_CALL, BlockingHandlers.unary(this::respond));
    return Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .add(ServerServiceDefinition.of(BenchmarkServiceMethods.SERVICE_NAME, List.of(method)))
        .start()
        .port();
  }

  private SimpleResponse respond(SimpleRequest request) {
    if (calls.incrementAndGet() == GOOD_CALLS) {
      switch (ill) {
        case DIES -> Runtime.getRuntime().halt(3);
        case HANGS -> LockSupport.park(); // an interrupt lets it go
        case ANSWERS_WRONGLY -> throw Status.DATA_LOSS.withDescription("on purpose").asException();
      }
    }
    return BenchmarkHandlers.respond(request);
  }
}
