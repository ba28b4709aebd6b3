package dev.gannet.suites.storm;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.ServerBuilder;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;

/** The transport between the channels and servers of a storm. Confined to one thread. */
sealed interface StormTransport permits NetworkStormTransport, InProcessStormTransport {
  /** The address of the server at that place, counted from 0. */
  SocketAddress addressOf(int place);

  /** A server at that place. */
  ServerBuilder server(int place);

  /** A channel that is given the address of the first place. */
  ManagedChannelBuilder channelToFirst();

  /** A channel that connects over this transport. */
  ManagedChannelBuilder applyTo(ManagedChannelBuilder builder);

  /** The kinds of trouble that a storm over it may have. */
  List<Trouble> troubles();

  /** Begins a trouble of the network, which ends by itself or in {@link #settle}. */
  void begin(Trouble trouble);

  /** Ends all troubles of the network. */
  void settle();

  /** Whether something that was sent has not arrived. */
  boolean isBusy();

  /** Checks what must hold when all calls have ended. */
  void checkAtRest();

  /** Checks what must hold when all channels and servers were shut down. */
  void checkNothingIsLeft();

  /**
   * The result of the storm.
   *
   * @param ends how its calls ended
   * @param digest of the order, times and results of those ends
   */
  StormReport report(Map<Status.Code, Integer> ends, long digest);
}
