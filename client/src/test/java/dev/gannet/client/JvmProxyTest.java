package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.transport.HttpProxy;
import dev.gannet.client.resolver.ForwardingNameResolverProvider;
import dev.gannet.client.resolver.HostPort;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.transport.http2.Http2Transport;
import java.io.IOException;
import java.net.Authenticator;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the JVM's settings for HTTPS say of the proxy on the way to a server. */
final class JvmProxyTest {
  private static final HostPort SERVER = HostPort.of("server", 1);
  private static final InetSocketAddress PLACE = InetSocketAddress.createUnresolved("proxy", 3128);
  private static final Proxy HTTP = new Proxy(Proxy.Type.HTTP, PLACE);
  private static final Proxy SOCKS = new Proxy(Proxy.Type.SOCKS, PLACE);

  private final ProxySelector before = ProxySelector.getDefault();

  @AfterEach
  void restore() {
    ProxySelector.setDefault(before);
    Authenticator.setDefault(Nulls.none());
  }

  private static Optional<HttpProxy> among(Proxy... proxies) {
    select(proxies);
    return JvmProxy.to(SERVER);
  }

  private static void select(Proxy... proxies) {
    ProxySelector.setDefault(
        new ProxySelector() {
          @Override
          public List<Proxy> select(URI uri) {
            return List.of(proxies);
          }

          @Override
          public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
        });
  }

  /** A resolver around DNS, which the application has set. */
  private static final class Around extends ForwardingNameResolverProvider {
    Around(NameResolverProvider names) {
      super(names);
    }
  }

  /** A resolver that leaves names to proxies. */
  private static final class Leaving extends ForwardingNameResolverProvider {
    Leaving(NameResolverProvider names) {
      super(names);
    }

    @Override
    public boolean leavesNamesToProxy() {
      return true;
    }
  }

  private static String connectsTo(NameResolverProvider names) {
    return connectsTo("dns:///192.0.2.1:50051", names);
  }

  private static String connectsTo(String target, NameResolverProvider names) {
    FakePipes pipes = new FakePipes();
    ManagedChannel channel =
        ManagedChannel.builder(target)
            .addNameResolver(names)
            .plaintext()
            .transport(Http2Transport.over(pipes))
            .build();
    channel.state(true);
    pipes.loop.runUntilIdle();
    channel.shutdownNow();
    return pipes.opened.getFirst().address.toString();
  }

  @Test
  void theResolverOfAnApplicationIsUsedAlthoughTheJvmHasAProxy() {
    select(HTTP);
    NameResolverProvider names = new FixedResolver.Provider("dns");
    assertThat(connectsTo(names)).contains("192.0.2.1:50051");
    assertThat(connectsTo(new Around(names))).contains("192.0.2.1:50051");
  }

  @Test
  void aDnsServerThatTheTargetNamesIsAskedAlthoughTheJvmHasAProxy() {
    select(new Proxy(Proxy.Type.HTTP, new InetSocketAddress("192.0.2.99", 3128)));
    NameResolverProvider names = new Leaving(new FixedResolver.Provider("dns"));
    assertThat(connectsTo("dns:///192.0.2.1:50051", names)).contains("192.0.2.99:3128");
    assertThat(connectsTo("dns://192.0.2.53/192.0.2.1:50051", names)).contains("192.0.2.1:50051");
  }

  @Test
  void onlyResolversOfDnsLeaveNamesToProxies() {
    NameResolverProvider dns = NameResolverProvider.dns(Duration.ofMinutes(1));
    assertThat(dns.leavesNamesToProxy()).isTrue();
    assertThat(new Around(dns).leavesNamesToProxy()).isFalse();
    assertThat(NameResolverProvider.ipv4().leavesNamesToProxy()).isFalse();
  }

  @Test
  void aResolverOfAnApplicationMayHaveAnotherSyntax() {
    select(HTTP);
    ManagedChannel channel =
        ManagedChannel.builder("dns:///192.0.2.1:1,192.0.2.2:2")
            .addNameResolver(new FixedResolver.Provider("dns"))
            .overrideAuthority("both.example")
            .plaintext()
            .transport(Http2Transport.over(new FakePipes()))
            .build();
    channel.shutdownNow();
    assertThat(channel.isShutdown()).isTrue();
  }

  @Test
  void theFirstHttpProxyIsUsed() {
    assertThat(among(HTTP)).contains(HttpProxy.of("proxy", 3128));
    assertThat(among(SOCKS, HTTP)).contains(HttpProxy.of("proxy", 3128));
  }

  @Test
  void aDirectConnectionThatIsListedFirstIsUsed() {
    assertThat(among(Proxy.NO_PROXY, HTTP)).isEmpty();
  }

  @Test
  void proxiesOfOtherKindsAreNotUsed() {
    assertThat(among(SOCKS)).isEmpty();
    assertThat(among()).isEmpty();
  }

  @Test
  void aJvmWithoutSelectorKnowsNoProxy() {
    ProxySelector.setDefault(Nulls.none());
    assertThat(JvmProxy.to(SERVER)).isEmpty();
  }

  @Test
  void theAuthenticatorGivesNameAndPassword() {
    Authenticator.setDefault(
        new Authenticator() {
          @Override
          protected PasswordAuthentication getPasswordAuthentication() {
            return new PasswordAuthentication("me", "secret".toCharArray());
          }
        });
    HttpProxy open = HttpProxy.of("proxy", 3128);
    assertThat(among(HTTP)).contains(open.withBasicAuthentication("me", "secret"));
  }

  @Test
  void aProxyThatCannotBeUsedIsNotBypassed() {
    Authenticator.setDefault(
        new Authenticator() {
          @Override
          protected PasswordAuthentication getPasswordAuthentication() {
            return new PasswordAuthentication("a:b", "secret".toCharArray());
          }
        });
    select(HTTP);
    assertRefused("a user name with a colon cannot be sent (RFC 7617 §2)");
    select(new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved("proxy", 0)));
    assertRefused("not a proxy (host, port 1 to 65535): proxy:0");
    ProxySelector.setDefault(
        new ProxySelector() {
          @Override
          public List<Proxy> select(URI uri) {
            throw new IllegalArgumentException("port out of range:80800");
          }

          @Override
          public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
        });
    assertRefused("port out of range:80800");
  }

  private static void assertRefused(String why) {
    assertThatThrownBy(() -> JvmProxy.to(SERVER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the JVM's proxy for https://server:1 (https.proxyHost and https.proxyPort, or its"
                + " ProxySelector and Authenticator) cannot be used: "
                + why
                + "; ManagedChannelBuilder.proxy or noProxy replaces it");
  }

  @Test
  void anAuthenticatorWithoutCredentialsIsAllowed() {
    Authenticator.setDefault(new Authenticator() {});
    assertThat(among(HTTP)).contains(HttpProxy.of("proxy", 3128));
  }
}
