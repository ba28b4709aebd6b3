package dev.gannet.conformance.interop;

import dev.gannet.api.ServerCredentials;
import dev.gannet.server.CallMetricRecorder;
import dev.gannet.server.Server;
import dev.gannet.services.OrcaService;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command that serves {@code grpc.testing.TestService} until it is stopped. Prints the port
 * that it listens on.
 */
@Command(
    name = "interop-server",
    mixinStandardHelpOptions = true,
    description = "The server of gRPC's interop tests; runs until it is interrupted.")
public final class InteropServer implements Callable<Integer> {
  private static final Duration BETWEEN_REPORTS = Duration.ofSeconds(1);

  @Option(
      names = "--port",
      defaultValue = "8080",
      description = "The port to listen on, on all addresses; 0 chooses a free one. Default: 8080.")
  private int port;

  @Option(
      names = "--use_tls",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "false",
      description = "TLS with the interop tests' own certificate (true) or none (false, default).")
  private boolean useTls;

  /** A command whose options are still to be read. */
  public InteropServer() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    CallMetricRecorder load = new CallMetricRecorder();
    try (Server server =
        Server.builder(port)
            .credentials(useTls ? TestCredentials.ofServer() : ServerCredentials.insecure())
            .maxInboundMessageBytes(Payloads.MAX_MESSAGE_BYTES)
            .add(new InteropService(load))
            .add(new OrcaService(load, BETWEEN_REPORTS))
            .intercept(CallMetricRecorder.interceptor())
            .start()) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "shutdown"));
      System.out.println("listening on port " + server.port());
      server.awaitTermination();
    }
    return 0;
  }
}
