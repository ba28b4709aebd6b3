package dev.gannet.client.subchannel;

import dev.gannet.api.Status;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.client.subchannel.ConnectionValues.Phase;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.EntityIds;
import dev.gannet.transport.FaultReports;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.settings.TransportSettings;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a subchannel, from the moment when a transport is asked for it until it is
 * closed. It receives everything that the transport reports, and passes it on: to the {@link
 * ConnectAttempt} how the opening goes, until that has decided whether the connection is used; to
 * the subchannel that it is open, accepts no more calls, or is closed; to {@link ConnectionHealth}
 * the faults of the server. Once it is open, it has a transport, and is in one of these phases,
 * which only advance:
 *
 * <pre>
 *   not open ──opened──► STARTING ──new calls use it──► READY ──going away──► DRAINING
 *                           └────────────────going away──────────────────────────▲
 * </pre>
 *
 * <p>Safe for all threads. The transport reports on the thread of the connection; the subchannel
 * decides in a task when new calls use it.
 */
final class SubchannelConnection implements TransportProvider.Opening {
  /** Receives the events of an open connection, on any thread. */
  interface Owner {
    /** Called once, before the other events of the connection. */
    void onOpened(SubchannelConnection connection);

    /** The server has changed its limit of concurrent calls. */
    void onStreamLimit();

    void onGoingAway(SubchannelConnection connection);

    void onTerminated(SubchannelConnection connection);
  }

  private final ChannelSettings settings;
  private final String authority;
  private final ConnectionHealth health;
  private final TransportSettings transportSettings;
  private final Owner owner;
  private final ConnectAttempt attempt;
  private final long id = EntityIds.next();
  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.STARTING);

  /** Null until it is open. */
  private volatile @Nullable ClientTransport transport;

  private volatile long maxConcurrentStreams = Long.MAX_VALUE;

  /**
   * A connection that is not open.
   *
   * @param health provides its settings, and gets the faults of its server
   * @param attempt decides whether it is used
   */
  SubchannelConnection(
      ChannelSettings settings,
      Endpoint endpoint,
      ConnectionHealth health,
      Owner owner,
      ConnectAttempt attempt) {
    this.settings = settings;
    this.authority = endpoint.authority().orElse(settings.naming().authority());
    this.health = health;
    this.transportSettings = health.connections();
    this.owner = owner;
    this.attempt = attempt;
  }

  /** The connection's number, which grows with each connection. */
  long id() {
    return id;
  }

  TransportSettings transportSettings() {
    return transportSettings;
  }

  boolean isOpen() {
    return transport != null;
  }

  /** The transport, which does not change. Only if the connection is open. */
  ClientTransport transport() {
    return Objects.requireNonNull(transport);
  }

  /** The server's limit of concurrent calls. */
  long maxConcurrentStreams() {
    return maxConcurrentStreams;
  }

  /** New calls use it from now on, unless it is going away. */
  void carryNewCalls() {
    phase.compareAndSet(Phase.STARTING, Phase.READY);
  }

  /** Closes it when its calls have ended. Only if it is open. */
  void shutdown() {
    transport().shutdown();
  }

  /** Closes it, and ends its calls. Only if it is open. */
  void shutdownNow(Status why) {
    transport().shutdownNow(why);
  }

  /** What it is at the moment. Only if it is open. */
  ConnectionValues values() {
    ClientTransport open = transport();
    ConnectionInfo info = open.connection();
    long most = maxConcurrentStreams;
    return new ConnectionValues(
        id,
        info.localAddress(),
        info.remoteAddress(),
        info.tls(),
        phase.get(),
        most == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(most),
        open.callsWaiting());
  }

  @Override
  public String authority() {
    return authority;
  }

  @Override
  public String serverName() {
    return settings.security().serverName(authority);
  }

  @Override
  public MessageEncodings encodings() {
    return settings.calls().messages().encodings();
  }

  @Override
  public String applicationUserAgent() {
    return settings.connections().userAgent();
  }

  @Override
  public void onOpened(ClientTransport opened) {
    transport = opened;
    owner.onOpened(this);
    attempt.onOpened();
  }

  @Override
  public void onNotOpened(String why) {
    attempt.onNotOpened(why);
  }

  @Override
  public void onMaxConcurrentStreams(long streams) {
    maxConcurrentStreams = streams;
    owner.onStreamLimit();
  }

  @Override
  public void onReady() {
    if (isOpen()) {
      attempt.onReady();
    }
  }

  @Override
  public void onGoingAway(Status why) {
    if (isOpen()) {
      phase.set(Phase.DRAINING);
      owner.onGoingAway(this);
      attempt.onGoingAway(why);
    }
  }

  @Override
  public void onTooManyPings() {
    health.onTooManyPings(transportSettings.keepalive());
  }

  @Override
  public FaultReports faults() {
    return health.faults();
  }

  @Override
  public void onTerminated(Status why) {
    if (isOpen()) {
      owner.onTerminated(this);
    }
    attempt.onTerminated(why);
  }
}
