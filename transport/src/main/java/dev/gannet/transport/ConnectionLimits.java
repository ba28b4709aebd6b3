package dev.gannet.transport;

import dev.gannet.http2.Limits;
import dev.gannet.http2.Timeouts;

/**
 * What an engine lets one peer have on one connection, and for how long; the limits of HTTP/2
 * itself follow from it.
 *
 * @param maxConcurrentCalls the most calls that a client may have under way at once on a connection
 * @param maxInboundMetadataBytes the largest header list taken, counted as RFC 9113 §6.5.2 says
 * @param keepAlive when a silent peer is asked for a sign of life
 * @param pings how often a peer may ask for one
 * @param age how long a server keeps a connection; clients keep theirs
 */
public record ConnectionLimits(
    int maxConcurrentCalls,
    int maxInboundMetadataBytes,
    KeepAlive keepAlive,
    PingPermit pings,
    ConnectionAge age) {
  /** 8 KiB of metadata, no keepalive. */
  public static final ConnectionLimits OF_CLIENTS =
      new ConnectionLimits(
          Limits.DEFAULT.maxConcurrentStreams(),
          Limits.DEFAULT.maxHeaderListBytes(),
          KeepAlive.OF_CLIENTS,
          PingPermit.OF_CLIENTS,
          ConnectionAge.UNLIMITED);

  /** 256 calls and 8 KiB of metadata; gRPC's keepalive and its enforcement; any age. */
  public static final ConnectionLimits OF_SERVERS =
      OF_CLIENTS.with(KeepAlive.OF_SERVERS).with(PingPermit.OF_SERVERS);

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is not positive
   */
  public ConnectionLimits {
    if (maxConcurrentCalls <= 0 || maxInboundMetadataBytes <= 0) {
      throw new IllegalArgumentException("limits must be positive");
    }
  }

  /** The same with another number of calls. */
  public ConnectionLimits withMaxConcurrentCalls(int calls) {
    return new ConnectionLimits(calls, maxInboundMetadataBytes, keepAlive, pings, age);
  }

  /** The same with another size of metadata. */
  public ConnectionLimits withMaxInboundMetadataBytes(int bytes) {
    return new ConnectionLimits(maxConcurrentCalls, bytes, keepAlive, pings, age);
  }

  /** The same with another keepalive. */
  public ConnectionLimits with(KeepAlive other) {
    return new ConnectionLimits(maxConcurrentCalls, maxInboundMetadataBytes, other, pings, age);
  }

  /** The same with another permit of PINGs. */
  public ConnectionLimits with(PingPermit other) {
    return new ConnectionLimits(maxConcurrentCalls, maxInboundMetadataBytes, keepAlive, other, age);
  }

  /** The same with another age. */
  public ConnectionLimits with(ConnectionAge other) {
    return new ConnectionLimits(
        maxConcurrentCalls, maxInboundMetadataBytes, keepAlive, pings, other);
  }

  /** As limits of HTTP/2. */
  public Limits ofHttp2() {
    return Limits.DEFAULT
        .withMaxConcurrentStreams(maxConcurrentCalls)
        .withMaxHeaderListBytes(maxInboundMetadataBytes)
        .withTimeouts(
            Timeouts.DEFAULT.withKeepalive(keepAlive.ofHttp2()).withPings(pings.ofHttp2()));
  }
}
