package dev.gannet.conformance.connect;

import com.google.protobuf.ByteString;
import connectrpc.conformance.v1.ServerCompat.ServerCompatRequest;
import connectrpc.conformance.v1.ServerCompat.ServerCompatResponse;
import dev.gannet.api.Pem;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerCredentials.ClientAuth;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * The command that serves {@code connectrpc.conformance.v1.ConformanceService} as one request on
 * its standard input demands, writes its address to its standard output, and runs until it is
 * stopped.
 */
@Command(
    name = "conformance-server",
    mixinStandardHelpOptions = true,
    description = "The server under test of the connectrpc conformance suite, which starts it.")
public final class ConformanceServer implements Callable<Integer> {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  /** A command without options. */
  public ConformanceServer() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    SuitePipe suite = SuitePipe.overStandardStreams();
    ServerCompatRequest wanted =
        suite
            .read(ServerCompatRequest.parser())
            .orElseThrow(() -> new EOFException("no request on standard input"));
    rehearse(wanted);
    try (Server server = start(wanted)) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "shutdown"));
      suite.write(described(server, wanted));
      server.awaitTermination();
    }
    return 0;
  }

  private static void rehearse(ServerCompatRequest wanted)
      throws IOException, InterruptedException {
    if (wanted.getUseTls()) {
      WarmUp.withTls();
    } else {
      WarmUp.inTheClear();
    }
  }

  static Server start(ServerCompatRequest wanted) throws IOException {
    ServerBuilder builder =
        Server.builder(new InetSocketAddress(LOOPBACK, 0))
            .credentials(credentials(wanted))
            .add(new EchoService());
    if (wanted.getMessageReceiveLimit() != 0) {
      builder.maxInboundMessageBytes(wanted.getMessageReceiveLimit());
    }
    return builder.start();
  }

  private static ServerCredentials credentials(ServerCompatRequest wanted) throws IOException {
    if (!wanted.getUseTls()) {
      return ServerCredentials.insecure();
    }
    ServerCredentials.Tls tls = ServerCredentials.tls(TlsFiles.identity(wanted.getServerCreds()));
    ByteString clientTrust = wanted.getClientTlsCert();
    return clientTrust.isEmpty()
        ? tls
        : tls.withClientAuth(ClientAuth.REQUIRE, Pem.of(clientTrust.newInput()));
  }

  private static ServerCompatResponse described(Server server, ServerCompatRequest wanted) {
    return ServerCompatResponse.newBuilder()
        .setHost(LOOPBACK.getHostAddress())
        .setPort(server.port())
        .setPemCert(wanted.getServerCreds().getCert())
        .build();
  }
}
