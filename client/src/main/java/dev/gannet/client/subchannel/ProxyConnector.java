package dev.gannet.client.subchannel;

import dev.gannet.api.engine.ThrowableText;
import dev.gannet.api.transport.HttpProxy;
import dev.gannet.transport.ProxiedAddress;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.Scheduler.Cancellable;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.settings.TransportSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

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
    Connecting connecting = new Connecting(this, target, settings, then);
    scheduler.offload(connecting);
    return connecting;
  }

  @Override
  public void close() {
    behind.close();
  }

  /** One connection, beginning with the lookup of the proxy's name. */
  private static final class Connecting implements Runnable, Cancellable {
    private final ProxyConnector by;
    private final InetSocketAddress target;
    private final TransportSettings settings;
    private final TransportProvider.Opening then;
    private volatile @Nullable Cancellable begun;
    private volatile boolean cancelled;

    Connecting(
        ProxyConnector by,
        InetSocketAddress target,
        TransportSettings settings,
        TransportProvider.Opening then) {
      this.by = by;
      this.target = target;
      this.settings = settings;
      this.then = then;
    }

    @Override
    public void run() {
      HttpProxy proxy = by.proxy();
      try {
        InetAddress found = InetAddress.getByName(proxy.host());
        if (cancelled) {
          then.onNotOpened("the connection is no longer needed");
          return;
        }
        InetSocketAddress proxyAddress = new InetSocketAddress(found, proxy.port());
        begun =
            by.behind().connect(new ProxiedAddress(proxy, proxyAddress, target), settings, then);
      } catch (UnknownHostException e) {
        then.onNotOpened("the proxy " + proxy + " cannot be resolved: unknown host");
      } catch (RuntimeException | Error e) {
        then.onNotOpened("the proxy " + proxy + " cannot be used: " + ThrowableText.of(e));
      }
      cancelIfCancelled();
    }

    @Override
    public void cancel() {
      cancelled = true;
      cancelIfCancelled();
    }

    /**
     * Write-then-check: the cancelling thread may not have found the connection, and the starting
     * thread may not have seen the cancellation.
     */
    private void cancelIfCancelled() {
      Cancellable connection = begun;
      if (cancelled && connection != null) {
        connection.cancel();
      }
    }
  }
}
