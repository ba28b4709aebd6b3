package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.SecurityLevel;
import dev.gannet.server.call.CallCounter;
import dev.gannet.server.call.ContextValue;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.EntityIds;
import dev.gannet.transport.ServerCalls;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A connection from its server's view: its number, the values that filters have set, and its
 * counts. The filters are asked once, on the connection's loop, before its first call.
 */
final class ServedConnection implements ConnectionContext {
  private final long id = EntityIds.next();
  private final ConnectionInfo info;
  private final @Nullable ConnectionCounter counter;
  private final List<ServerTransportFilter> passed = new ArrayList<>();
  private @Nullable ContextValue values;
  private boolean ready;

  /**
   * A connection that was just opened.
   *
   * @param ofServer counts the server's calls; null if nothing is counted
   */
  ServedConnection(ConnectionInfo info, @Nullable CallCounter ofServer) {
    this.info = info;
    this.counter = ofServer == null ? null : new ConnectionCounter(ofServer);
  }

  /**
   * Asks the filters.
   *
   * @throws RuntimeException if one of them refuses; or any other exception of a filter
   */
  void begin(List<ServerTransportFilter> filters) {
    for (ServerTransportFilter filter : filters) {
      filter.onTransportReady(this);
      passed.add(filter);
    }
    ready = true;
  }

  /** The filters that have accepted it, and have to be notified of its end. */
  List<ServerTransportFilter> passedFilters() {
    return passed;
  }

  /** Serves the connection's calls: the server itself if there is nothing to add. */
  ServerCalls calls(CallIntake ofServer) {
    return values == null && counter == null
        ? ofServer
        : new ConnectionCalls(ofServer, values, counter);
  }

  ConnectionSnapshot snapshot() {
    return counter == null ? ConnectionCounter.uncounted(id, info) : counter.snapshot(id, info);
  }

  @Override
  public SocketAddress localAddress() {
    return info.localAddress();
  }

  @Override
  public SocketAddress remoteAddress() {
    return info.remoteAddress();
  }

  @Override
  public Optional<SSLSession> sslSession() {
    return info.tls();
  }

  @Override
  public SecurityLevel securityLevel() {
    return info.securityLevel();
  }

  @Override
  public Optional<String> applicationProtocol() {
    return info.applicationProtocol();
  }

  @Override
  public <T> Optional<T> value(CallContext.Key<T> key) {
    return ContextValue.find(values, key);
  }

  @Override
  public <T> void setValue(CallContext.Key<T> key, T value) {
    if (ready) {
      throw new IllegalStateException("values can only be set in onTransportReady");
    }
    values = ContextValue.with(values, key, value);
  }
}
