package dev.gannet.client.subchannel;

import dev.gannet.api.engine.ThrowableText;
import dev.gannet.api.transport.HttpProxy;
import dev.gannet.transport.HostLookUp;
import dev.gannet.transport.ProxiedAddress;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.Scheduler.Cancellable;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.settings.TransportSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;

/**
 * Connects to servers through an HTTP proxy, whose name is looked up for each connection, not on
 * event loops. Addresses other than TCP are connected to directly.
 */
public record ProxyConnector(
    HttpProxy proxy, TransportProvider.Connector behind, Scheduler scheduler)
    implements TransportProvider.Connector {
  @Override
  public Cancellable connect(
      SocketAddress address, TransportSettings settings, TransportProvider.Opening then) {
    if (!(address instanceof InetSocketAddress target)) {
      return behind.connect(address, settings, then);
    }
    return HostLookUp.start(scheduler, proxy.host(), new Found(this, target, settings, then));
  }

  @Override
  public void close() {
    behind.close();
  }

  /** Connects through the proxy once its address is known. */
  private record Found(
      ProxyConnector connector,
      InetSocketAddress target,
      TransportSettings settings,
      TransportProvider.Opening then)
      implements HostLookUp.Then {
    @Override
    public Cancellable connect(InetAddress found) {
      HttpProxy proxy = connector.proxy();
      InetSocketAddress address = new InetSocketAddress(found, proxy.port());
      return connector.behind().connect(new ProxiedAddress(proxy, address, target), settings, then);
    }

    @Override
    public void onFailed(Throwable why) {
      then.onNotOpened(
          why instanceof UnknownHostException
              ? "the proxy " + connector.proxy() + " cannot be resolved: unknown host"
              : "the proxy " + connector.proxy() + " cannot be used: " + ThrowableText.of(why));
    }

    @Override
    public void onCancelled() {
      then.onNotOpened("the connection is no longer needed");
    }
  }
}
