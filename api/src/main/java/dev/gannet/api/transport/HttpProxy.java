package dev.gannet.api.transport;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP proxy for connections: the channel asks it for a tunnel by CONNECT (RFC 9110 §9.3.6), in
 * plaintext; TLS runs through the tunnel, from end to end. Immutable.
 */
public final class HttpProxy {
  private static final int LARGEST_PORT = 0xffff;

  private final String host;
  private final int port;
  private final @Nullable String authorization;

  private HttpProxy(String host, int port, @Nullable String authorization) {
    this.host = host;
    this.port = port;
    this.authorization = authorization;
  }

  /**
   * The proxy at this host and port.
   *
   * @param host a name, which is looked up for each connection, or an IP address
   * @throws IllegalArgumentException if the host is empty, or the port is not 1 to 65535
   */
  public static HttpProxy of(String host, int port) {
    if (host.isEmpty() || port < 1 || port > LARGEST_PORT) {
      throw new IllegalArgumentException(
          "not a proxy (host, port 1 to 65535): " + host + ":" + port);
    }
    return new HttpProxy(host, port, null);
  }

  /**
   * The same proxy with basic authentication (RFC 7617), which is sent without being requested.
   * Name and password are readable on the network between here and the proxy.
   *
   * @throws IllegalArgumentException if the name has a colon
   */
  public HttpProxy withBasicAuthentication(String user, String password) {
    if (user.indexOf(':') >= 0) {
      throw new IllegalArgumentException("a user name with a colon cannot be sent (RFC 7617 §2)");
    }
    byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return new HttpProxy(host, port, "Basic " + Base64.getEncoder().encodeToString(both));
  }

  /** A name or an IP address. */
  public String host() {
    return host;
  }

  /** The port of the proxy. */
  public int port() {
    return port;
  }

  /** The value of {@code Proxy-Authorization}; a secret. */
  public Optional<String> authorization() {
    return Optional.ofNullable(authorization);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HttpProxy proxy
        && host.equals(proxy.host)
        && port == proxy.port
        && Objects.equals(authorization, proxy.authorization);
  }

  @Override
  public int hashCode() {
    return Objects.hash(host, port, authorization);
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
