package dev.gannet.examples.extending;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.Resolution;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Reads the addresses of a target from a file, again and again. Each line is a {@code host:port},
 * or {@code policy} and the name of a load-balancing policy, which becomes the service config:
 *
 * <pre>
 * policy round_robin
 * 192.0.2.1:50051
 * 192.0.2.2:50051
 * </pre>
 *
 * <p>The channel calls a resolver's methods one at a time, possibly on an event loop, so the file
 * is read by {@link NameResolver.Context#offload}. The result returns by {@link
 * NameResolver.Context#execute}, which runs it one at a time with these methods: {@code reading}
 * needs no lock.
 */
final class FileResolver implements NameResolver {
  private static final String POLICY = "policy ";

  private final Path file;
  private final Duration interval;
  private final Context context;
  private Listener listener = result -> {};
  private boolean reading;

  FileResolver(Path file, Duration interval, Context context) {
    this.file = file;
    this.interval = interval;
    this.context = context;
  }

  @Override
  public void start(Listener listener) {
    this.listener = listener;
    poll();
  }

  /**
   * Sets the timer first, so that the polling goes on if no thread can be started. The channel
   * cancels this timer when it shuts the resolver down.
   */
  private void poll() {
    context.schedule(this::poll, interval);
    refresh();
  }

  /** If the file is being read already, that result is the answer to this request, too. */
  @Override
  public void refresh() {
    if (!reading) {
      context.offload(this::readAndAnswer);
      reading = true;
    }
  }

  private void readAndAnswer() {
    Resolution result = read();
    context.execute(() -> {
      reading = false;
      listener.onResult(result);
    });
  }

  /** Always returns, so that {@code reading} ends, and the next request reads the file again. */
  private Resolution read() {
    try {
      return parse(Files.readAllLines(file));
    } catch (Throwable e) { // the file is missing or wrong, or a policy on the class path is broken
      return Resolution.failed(
          Status.UNAVAILABLE.withDescription("cannot read " + file + ": " + e).withCause(e));
    }
  }

  private static Resolution.Resolved parse(List<String> lines) {
    Resolution.Resolved addresses =
        Resolution.of(
            lines.stream()
                .filter(line -> !line.isBlank() && !line.startsWith(POLICY))
                .map(FileResolver::endpoint)
                .toList());
    return lines.stream()
        .filter(line -> line.startsWith(POLICY))
        .findFirst()
        .map(line -> withPolicy(addresses, line.substring(POLICY.length()).strip()))
        .orElse(addresses);
  }

  /** Looks the host up if it is a name, which may block. */
  private static Endpoint endpoint(String line) {
    int colon = line.lastIndexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("not a host and a port: " + line);
    }
    int port = Integer.parseInt(line.substring(colon + 1).strip());
    return Endpoint.of(new InetSocketAddress(line.substring(0, colon).strip(), port));
  }

  /** With an unknown policy the channel uses the addresses, and keeps its last service config. */
  private static Resolution.Resolved withPolicy(Resolution.Resolved addresses, String name) {
    Optional<LoadBalancerProvider> policy =
        LoadBalancerProvider.known().stream()
            .filter(it -> it.policyName().equals(name) && !it.needsConfig())
            .findFirst();
    return policy.isPresent()
        ? ServiceConfig.builder().loadBalancer(policy.get()).build().addTo(addresses)
        : ServiceConfig.addInvalidTo(
            addresses, Status.UNAVAILABLE.withDescription("unknown policy " + name));
  }

  @Override
  public void shutdown() {}
}
