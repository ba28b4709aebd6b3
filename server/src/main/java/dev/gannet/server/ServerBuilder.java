package dev.gannet.server;

import dev.gannet.api.BindableService;
import dev.gannet.api.Dispatch;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.transport.ConnectionLimits;
import dev.gannet.transport.pipe.PipeProvider;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a server will be. Not for several threads at once; may be used for one server. */
public final class ServerBuilder {
  private static final int DEFAULT_MAX_INBOUND_MESSAGE_BYTES = 4 << 20;

  private final SocketAddress address;
  private final List<ServerServiceDefinition> services = new ArrayList<>();
  private final List<ServerInterceptor> interceptors = new ArrayList<>();
  private ServerCredentials credentials = ServerCredentials.insecure();
  private Dispatch dispatch = Dispatch.virtualThreads();
  private ConnectionLimits limits = ConnectionLimits.DEFAULT;
  private int maxInboundMessageBytes = DEFAULT_MAX_INBOUND_MESSAGE_BYTES;
  private int maxConnections = ConnectionCaps.UNLIMITED;
  private int maxConnectionsPerAddress = ConnectionCaps.UNLIMITED;
  private Optional<PipeProvider> pipes = Optional.empty();

  ServerBuilder(SocketAddress address) {
    this.address = address;
  }

  /** Serves this object's methods. */
  public ServerBuilder add(BindableService service) {
    return add(service.bindService());
  }

  /** Serves these methods. */
  public ServerBuilder add(ServerServiceDefinition service) {
    services.add(service);
    return this;
  }

  /** Puts an interceptor in front of all services; the one added last sees a call first. */
  public ServerBuilder intercept(ServerInterceptor interceptor) {
    interceptors.add(interceptor);
    return this;
  }

  /** TLS, or none; none by default. */
  public ServerBuilder credentials(ServerCredentials credentials) {
    this.credentials = credentials;
    return this;
  }

  /** Where handlers run unless their method says otherwise; on virtual threads by default. */
  public ServerBuilder dispatch(Dispatch dispatch) {
    this.dispatch = dispatch;
    return this;
  }

  /** The longest request message taken, in bytes after decompression; 4 MiB by default. */
  public ServerBuilder maxInboundMessageBytes(int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("maxInboundMessageBytes cannot be negative: " + bytes);
    }
    maxInboundMessageBytes = bytes;
    return this;
  }

  /** How many calls one connection may have under way at once; 256 by default. */
  public ServerBuilder maxConcurrentCallsPerConnection(int calls) {
    limits = limits.withMaxConcurrentCalls(calls);
    return this;
  }

  /** The largest request header list taken, in bytes counted as HTTP/2 does; 8 KiB by default. */
  public ServerBuilder maxInboundMetadataBytes(int bytes) {
    limits = limits.withMaxInboundMetadataBytes(bytes);
    return this;
  }

  /**
   * How many connections may be open at once, those in their handshake among them; one more is
   * closed before TLS. No limit by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ServerBuilder maxConnections(int connections) {
    maxConnections = checkPositive("maxConnections", connections);
    return this;
  }

  /**
   * How many connections one IP address may have open at once; one more is closed before TLS. No
   * limit by default; behind a proxy all clients have one address.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ServerBuilder maxConnectionsPerAddress(int connections) {
    maxConnectionsPerAddress = checkPositive("maxConnectionsPerAddress", connections);
    return this;
  }

  private static int checkPositive(String name, int value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be positive: " + value);
    }
    return value;
  }

  /** Who accepts connections; what {@code ServiceLoader} finds by default. */
  public ServerBuilder pipes(PipeProvider pipes) {
    this.pipes = Optional.of(pipes);
    return this;
  }

  /**
   * Starts the server.
   *
   * @throws IOException if it cannot listen on the address, because the port is in use, say
   * @throws IllegalArgumentException if a method is served twice, or the credentials cannot be used
   * @throws IllegalStateException if no transport is on the class path
   */
  public Server start() throws IOException {
    List<ServerServiceDefinition> intercepted =
        services.stream()
            .map(service -> ServerInterceptor.intercept(service, interceptors))
            .toList();
    return Server.start(
        address,
        new ServerSettings(
            intercepted,
            credentials,
            dispatch,
            limits,
            new ConnectionCaps(maxConnections, maxConnectionsPerAddress),
            maxInboundMessageBytes,
            pipes.orElseGet(PipeProvider::find)));
  }
}
