package dev.gannet.transport;

import dev.gannet.api.transport.HttpProxy;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;

/** The address of a server that is reached through an HTTP proxy. Immutable. */
public final class ProxiedAddress extends SocketAddress {
  private static final long serialVersionUID = 1;

  private final transient HttpProxy proxy;
  private final InetSocketAddress proxyAddress;
  private final InetSocketAddress target;

  /**
   * The address of this server behind this proxy.
   *
   * @param proxyAddress the resolved address of the proxy
   * @param target usually unresolved: resolving it is the proxy's task
   */
  public ProxiedAddress(HttpProxy proxy, InetSocketAddress proxyAddress, InetSocketAddress target) {
    this.proxy = Objects.requireNonNull(proxy, "proxy");
    this.proxyAddress = proxyAddress;
    this.target = target;
  }

  /** The proxy as the user configured it. */
  public HttpProxy proxy() {
    return proxy;
  }

  /** The address to connect to. */
  public InetSocketAddress proxyAddress() {
    return proxyAddress;
  }

  /** The address that the proxy is asked to connect to. */
  public InetSocketAddress target() {
    return target;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ProxiedAddress address
        && proxy.equals(address.proxy)
        && proxyAddress.equals(address.proxyAddress)
        && target.equals(address.target);
  }

  @Override
  public int hashCode() {
    return Objects.hash(proxyAddress, target);
  }

  @Override
  public String toString() {
    return target.getHostString() + ":" + target.getPort() + " through the proxy " + proxy;
  }
}
