package dev.gannet.transport;

import dev.gannet.api.transport.Offence;
import dev.gannet.api.transport.PeerFault;
import java.net.SocketAddress;

/**
 * Where connections report what their peers have done wrong, and what it has cost them. Safe for
 * all threads; neither blocks nor throws.
 *
 * <p>The rule that a peer broke is a text of this side only, the same for each fault of a kind.
 */
public interface FaultReports {
  /** The peer broke a rule and loses the connection. */
  void report(PeerFault fault, SocketAddress peer, String rule);

  /**
   * As {@link #report} with {@link PeerFault#ABUSE}: the peer exceeded the rate of this offence.
   */
  void reportAbuse(Offence offence, SocketAddress peer, String rule);

  /** The peer broke a rule and loses a stream. */
  void reportOfStream(PeerFault fault, SocketAddress peer, String rule);

  /**
   * The connection is closed because memory is short.
   *
   * @param why this connection was chosen
   */
  void reportShed(SocketAddress peer, String why);

  /** As {@link #reportShed}, but the connection stays: only its calls are ended. */
  void reportCallsShed(SocketAddress peer, String why);
}
