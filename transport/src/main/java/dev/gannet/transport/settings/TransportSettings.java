package dev.gannet.transport.settings;

import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.api.transport.SocketOptions;
import dev.gannet.api.transport.TransportLimits;
import dev.gannet.api.transport.WorkBudget;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The settings of a channel or server for its connections, of whatever kind. A transport uses those
 * that apply to it.
 *
 * @param keepalive when a silent peer is sent a PING
 * @param pings how often a peer may send PINGs
 * @param age how long a server keeps a connection; clients keep theirs
 * @param memory how many bytes connections may hold together
 * @param work how much work connections may cause together; empty for the budget of the process
 */
public record TransportSettings(
    TransportLimits limits,
    KeepaliveOptions keepalive,
    PingPermit pings,
    ConnectionAge age,
    MemoryBudget memory,
    Optional<WorkBudget> work,
    SocketOptions sockets) {
  /** The default limits, no keepalive, and the memory budget of the process. */
  public static final TransportSettings OF_CLIENTS =
      new TransportSettings(
          TransportLimits.DEFAULT,
          KeepaliveOptions.OF_CLIENTS,
          PingPermit.OF_CLIENTS,
          ConnectionAge.UNLIMITED,
          MemoryBudget.ofProcess(),
          Optional.empty(),
          SocketOptions.DEFAULT);

  /** The same with gRPC's keepalive and its enforcement. */
  public static final TransportSettings OF_SERVERS =
      OF_CLIENTS.with(KeepaliveOptions.OF_SERVERS).with(PingPermit.OF_SERVERS);

  /** The same with changed limits. */
  public TransportSettings withLimits(UnaryOperator<TransportLimits> change) {
    return new TransportSettings(
        Objects.requireNonNull(change.apply(limits), "the changed limits"),
        keepalive,
        pings,
        age,
        memory,
        work,
        sockets);
  }

  /** The same with changed socket options. */
  public TransportSettings withSockets(UnaryOperator<SocketOptions> change) {
    return new TransportSettings(
        limits,
        keepalive,
        pings,
        age,
        memory,
        work,
        Objects.requireNonNull(change.apply(sockets), "the changed socket options"));
  }

  /** The same with another keepalive. */
  public TransportSettings with(KeepaliveOptions other) {
    return new TransportSettings(limits, other, pings, age, memory, work, sockets);
  }

  /** The same with other rules for the peer's PINGs. */
  public TransportSettings with(PingPermit other) {
    return new TransportSettings(limits, keepalive, other, age, memory, work, sockets);
  }

  /** The same with another age. */
  public TransportSettings with(ConnectionAge other) {
    return new TransportSettings(limits, keepalive, pings, other, memory, work, sockets);
  }

  /** The same with another memory budget. */
  public TransportSettings with(MemoryBudget other) {
    return new TransportSettings(limits, keepalive, pings, age, other, work, sockets);
  }

  /** The same with another work budget. */
  public TransportSettings with(WorkBudget other) {
    return new TransportSettings(
        limits, keepalive, pings, age, memory, Optional.of(other), sockets);
  }
}
