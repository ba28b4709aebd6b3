package dev.gannet.examples.extending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.testing.ResolverTestbed;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The hosts of another resolver, at the port of the proxies. */
final class OtherPortTest {
  @Test
  void eachHostIsReachedAtTheOtherPort() {
    NameResolverProvider provider = new OtherPort(NameResolverProvider.ipv4(), 15_001);
    try (ResolverTestbed resolver =
        ResolverTestbed.of(provider, "ipv4:192.0.2.1:50051,192.0.2.2:50052")) {
      resolver.start();
      assertThat(resolver.lastResult())
          .isEqualTo(
              Resolution.of(
                  List.of(
                      Endpoint.of(new InetSocketAddress("192.0.2.1", 15_001)),
                      Endpoint.of(new InetSocketAddress("192.0.2.2", 15_001)))));
    }
  }
}
