package dev.gannet.client;

import dev.gannet.api.transport.HttpProxy;
import dev.gannet.client.resolver.HostPort;
import java.net.Authenticator;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The proxy that the JVM is configured to use for HTTPS: by {@code https.proxyHost}, {@code
 * https.proxyPort} and {@code http.nonProxyHosts}, or by its {@link ProxySelector}. User name and
 * password come from its {@link Authenticator}, if there is one. Other kinds of proxies are not
 * used.
 */
final class JvmProxy {
  private JvmProxy() {}

  /** The proxy for this host and port, if there is one. */
  static Optional<HttpProxy> to(HostPort target) {
    @Nullable ProxySelector selector = ProxySelector.getDefault();
    if (selector == null) {
      return Optional.empty();
    }
    String host = target.host().indexOf(':') >= 0 ? "[" + target.host() + "]" : target.host();
    try {
      URI uri = new URI("https", null, host, target.port(), null, null, null);
      for (Proxy proxy : selector.select(uri)) {
        if (proxy.type() == Proxy.Type.HTTP
            && proxy.address() instanceof InetSocketAddress address) {
          return Optional.of(
              withPassword(HttpProxy.of(address.getHostString(), address.getPort())));
        }
        if (proxy.type() == Proxy.Type.DIRECT) {
          break;
        }
      }
    } catch (URISyntaxException | IllegalArgumentException e) {
      // The target cannot be expressed as a URI, so there is no proxy for it.
    }
    return Optional.empty();
  }

  private static HttpProxy withPassword(HttpProxy proxy) {
    @Nullable Authenticator authenticator = Authenticator.getDefault();
    @Nullable PasswordAuthentication answer =
        authenticator == null
            ? null
            : authenticator.requestPasswordAuthenticationInstance(
                proxy.host(),
                null,
                proxy.port(),
                "https",
                "",
                "basic",
                null,
                Authenticator.RequestorType.PROXY);
    return answer == null
        ? proxy
        : proxy.withBasicAuthentication(answer.getUserName(), new String(answer.getPassword()));
  }
}
