package dev.gannet.transport;

import dev.gannet.http2.Limits;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.WindowLimits;

/**
 * What an engine lets one peer have on one connection, and for how long.
 *
 * @param http2 the limits of HTTP/2 itself; their keepalive and their bound of PINGs do not count,
 *     for those follow from {@code keepAlive} and {@code pings}
 * @param keepAlive when a silent peer is asked for a sign of life
 * @param pings how often a peer may ask for one
 * @param age how long a server keeps a connection; clients keep theirs
 * @param memory what it shares with other connections
 */
public record ConnectionLimits(
    Limits http2, KeepAlive keepAlive, PingPermit pings, ConnectionAge age, MemoryBudget memory) {
  /** The limits of {@link Limits#DEFAULT}, no keepalive, and the memory budget of the process. */
  public static final ConnectionLimits OF_CLIENTS =
      new ConnectionLimits(
          Limits.DEFAULT,
          KeepAlive.OF_CLIENTS,
          PingPermit.OF_CLIENTS,
          ConnectionAge.UNLIMITED,
          MemoryBudget.ofProcess());

  /** The same with gRPC's keepalive and its enforcement. */
  public static final ConnectionLimits OF_SERVERS =
      OF_CLIENTS.with(KeepAlive.OF_SERVERS).with(PingPermit.OF_SERVERS);

  /** The same with other limits of HTTP/2. */
  public ConnectionLimits with(Limits other) {
    return new ConnectionLimits(other, keepAlive, pings, age, memory);
  }

  /**
   * The same with windows of that size, which do not grow; four times the connection's may wait for
   * readers.
   *
   * @throws IllegalArgumentException if a size lies outside its range
   */
  public ConnectionLimits withWindows(int callBytes, int connectionBytes) {
    return with(http2.withWindows(WindowLimits.ofSize(callBytes, connectionBytes)));
  }

  /** The same with another keepalive. */
  public ConnectionLimits with(KeepAlive other) {
    return new ConnectionLimits(http2, other, pings, age, memory);
  }

  /** The same with another permit of PINGs. */
  public ConnectionLimits with(PingPermit other) {
    return new ConnectionLimits(http2, keepAlive, other, age, memory);
  }

  /** The same with another age. */
  public ConnectionLimits with(ConnectionAge other) {
    return new ConnectionLimits(http2, keepAlive, pings, other, memory);
  }

  /** The same with another budget. */
  public ConnectionLimits with(MemoryBudget other) {
    return new ConnectionLimits(http2, keepAlive, pings, age, other);
  }

  /** The limits that a connection of HTTP/2 is made with. */
  public Limits ofHttp2() {
    Timeouts timeouts = http2.timeouts();
    return http2.withTimeouts(
        timeouts.withKeepalive(keepAlive.ofHttp2()).withPings(pings.ofHttp2()));
  }
}
