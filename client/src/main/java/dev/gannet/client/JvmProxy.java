package dev.gannet.client;

import dev.gannet.api.engine.ThrowableText;
import dev.gannet.api.transport.HttpProxy;
import dev.gannet.client.resolver.HostPort;
import java.net.Authenticator;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
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

  /**
   * The proxy for this host and port, if there is one.
   *
   * @throws IllegalArgumentException if there is one that cannot be used, for example because of
   *     its port: the channel must not go past it
   */
  static Optional<HttpProxy> to(HostPort target) {
    @Nullable ProxySelector selector = ProxySelector.getDefault();
    if (selector == null) {
      return Optional.empty();
    }
    URI uri;
    try {
      String host = target.host().indexOf(':') >= 0 ? "[" + target.host() + "]" : target.host();
      uri = new URI("https", null, host, target.port(), null, null, null);
    } catch (URISyntaxException e) {
      return Optional.empty(); // a name that no URI can contain has no proxy
    }
    try {
      return first(selector.select(uri));
    } catch (RuntimeException e) { // of the JVM's selector, which reads properties, or a user's
      throw new IllegalArgumentException(
          "the JVM's proxy for "
              + uri
              + " (https.proxyHost and https.proxyPort, or its ProxySelector and Authenticator)"
              + " cannot be used: "
              + ThrowableText.of(e)
              + "; ManagedChannelBuilder.proxy or noProxy replaces it",
          e);
    }
  }

  private static Optional<HttpProxy> first(List<Proxy> proxies) {
    for (Proxy proxy : proxies) {
      if (proxy.type() == Proxy.Type.HTTP && proxy.address() instanceof InetSocketAddress address) {
        return Optional.of(withPassword(HttpProxy.of(address.getHostString(), address.getPort())));
      }
      if (proxy.type() == Proxy.Type.DIRECT) {
        break;
      }
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
