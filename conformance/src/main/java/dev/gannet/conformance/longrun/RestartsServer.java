package dev.gannet.conformance.longrun;

import com.google.protobuf.ByteString;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import dev.gannet.server.Server;
import dev.gannet.server.ServerObserver;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command that serves the calls of {@link Restarts}, until SIGTERM. It prints its port, the ids
 * of calls that it has completed ({@code did ID ID ...}) and, last, {@code drained}.
 *
 * <p>A request carries an id in its payload. A stream is answered message by message with {@link
 * #GO_ON}, or with {@link #LEAVE} once the server has been told to stop; then its client ends it.
 */
@Command(
    name = "restarts-server",
    mixinStandardHelpOptions = true,
    hidden = true,
    description = "The server that ./gannet restarts calls; runs until SIGTERM.")
public final class RestartsServer implements Callable<Integer> {
  static final String GO_ON = "go on";
  static final String LEAVE = "leave";

  /** Long enough that some calls are always running when the server is told to stop. */
  private static final int MAX_CALL_MILLIS = 20;

  private static final Duration MAX_DRAIN = Duration.ofSeconds(10);
  private static final int MILLIS_BETWEEN_REPORTS = 20;

  @Option(names = "--port", required = true, description = "The port to listen on, on loopback.")
  private int port;

  /** A command whose options are still to be read. */
  public RestartsServer() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    Ledger ledger = new Ledger();
    Service service = new Service(ledger);
    Server server =
        Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .add(service)
            .observe(service)
            .closeOnSigterm()
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> endOf(server, ledger), "last words"));
    System.out.println("listening on port " + server.port());
    while (!server.awaitTermination(Duration.ofMillis(MILLIS_BETWEEN_REPORTS))) {
      ledger.report();
    }
    return 0;
  }

  private static void endOf(Server server, Ledger ledger) {
    try {
      boolean ended = server.awaitTermination(MAX_DRAIN);
      ledger.report();
      System.out.println(ended ? "drained" : "not drained after " + MAX_DRAIN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    System.out.flush();
  }

  /** The ids of completed calls that were not reported yet. */
  private static final class Ledger {
    private final Queue<String> ids = new ConcurrentLinkedQueue<>();
    private final ReentrantLock reporting = new ReentrantLock();

    void add(String id) {
      ids.add(id);
    }

    void report() {
      reporting.lock();
      try {
        List<String> batch = new ArrayList<>();
        for (String id = ids.poll(); id != null; id = ids.poll()) {
          batch.add(id);
        }
        if (!batch.isEmpty()) {
          System.out.println("did " + String.join(" ", batch));
        }
      } finally {
        reporting.unlock();
      }
    }
  }

  private static final class Service implements TestService, ServerObserver {
    private final Ledger ledger;
    private volatile boolean leaving;

    Service(Ledger ledger) {
      this.ledger = ledger;
    }

    @Override
    public void onShutdown(Server server) {
      leaving = true;
    }

    @Override
    public SimpleResponse unaryCall(SimpleRequest request) throws InterruptedException {
      TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(MAX_CALL_MILLIS));
      ledger.add(request.getPayload().getBody().toStringUtf8());
      return SimpleResponse.newBuilder().setPayload(request.getPayload()).build();
    }

    @Override
    public void fullDuplexCall(
        Incoming<StreamingOutputCallRequest> requests,
        Outgoing<StreamingOutputCallResponse> responses) {
      for (StreamingOutputCallRequest ignored : requests) {
        ByteString word = ByteString.copyFromUtf8(leaving ? LEAVE : GO_ON);
        responses.send(
            StreamingOutputCallResponse.newBuilder()
                .setPayload(Payload.newBuilder().setBody(word))
                .build());
      }
    }
  }
}
