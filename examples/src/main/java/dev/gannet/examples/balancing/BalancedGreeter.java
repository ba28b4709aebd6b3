package dev.gannet.examples.balancing;

import dev.gannet.client.ManagedChannel;
import dev.gannet.client.resolver.NameResolverProvider;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;

/** Channels whose calls go to several servers in turn. */
public final class BalancedGreeter {
  private BalancedGreeter() {}

  /** A channel to servers whose addresses are known. */
  public static ManagedChannel to(List<? extends SocketAddress> servers) {
    return ManagedChannel.builder("greeter.example.com:50051") // the name of the servers
        .addresses(servers)
        .roundRobin()
        .plaintext()
        .build();
  }

  /**
   * A channel to all servers that a name in DNS has. The name is resolved again each minute, so
   * that new servers are found.
   */
  public static ManagedChannel byName(String hostAndPort) {
    return ManagedChannel.builder("dns:///" + hostAndPort)
        .addNameResolver(NameResolverProvider.dns(Duration.ofMinutes(1)))
        .roundRobin()
        .plaintext()
        .build();
  }
}
