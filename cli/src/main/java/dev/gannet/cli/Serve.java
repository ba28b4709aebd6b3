package dev.gannet.cli;

import dev.gannet.cli.greeter.GreeterMethods;
import dev.gannet.server.Server;
import dev.gannet.services.AdminServices;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A server that runs until the process is stopped. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description =
        "Serves the greeter of cli/src/main/protobuf/greeter.proto until Ctrl-C or SIGTERM;"
            + " then waits up to five seconds for running calls to end. Serves health checks,"
            + " reflection and channelz, too.")
final class Serve implements Callable<Integer> {
  private static final int LARGEST_PORT = 65_535;

  private final PrintWriter out;

  @Option(
      names = "--port",
      paramLabel = "P",
      description = "The port to listen on; 0 chooses a free one.")
  private int port = 50_051;

  @Option(names = "--host", paramLabel = "H", description = "The local address to listen on.")
  private String host = "127.0.0.1";

  Serve(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (Server server =
        Server.builder(address())
            .plaintext()
            .add(new DemoGreeter())
            .add(new AdminServices())
            .start()) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "stop"));
      String address = (host.contains(":") ? "[" + host + "]" : host) + ":" + server.port();
      out.println("Serving " + GreeterMethods.SERVICE_NAME + " on " + address + ". Call it with");
      out.println(
          "  grpcurl -plaintext -d '{\"name\": \"Ada\"}' "
              + address
              + " "
              + GreeterMethods.SAY_HELLO.fullMethodName());
      server.awaitTermination();
    }
    return 0;
  }

  private InetSocketAddress address() {
    if (port < 0 || port > LARGEST_PORT) {
      throw new WrongUsageException("--port must be from 0 to " + LARGEST_PORT + ": " + port);
    }
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw new WrongUsageException("--host cannot be resolved: " + host);
    }
    return address;
  }

  private void stop(Server server) {
    out.println("Stopping: no new calls; running calls have a few seconds to end.");
    server.close();
    out.println("Stopped.");
  }
}
