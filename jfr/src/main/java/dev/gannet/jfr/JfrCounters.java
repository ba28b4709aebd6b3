package dev.gannet.jfr;

import dev.gannet.api.Status;
import dev.gannet.client.ChannelCallCounts;
import dev.gannet.client.ChannelSnapshot;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.SubchannelSnapshot;
import dev.gannet.server.CallCounts;
import dev.gannet.server.ConnectionSnapshot;
import dev.gannet.server.Server;
import dev.gannet.server.ServerSnapshot;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import jdk.jfr.FlightRecorder;

/**
 * Counters of servers and channels as events of the JDK Flight Recorder: one event per method and
 * per connection of a server, and per channel and subchannel, at regular times.
 *
 * <pre>{@code
 * Server server = Server.builder(50051).plaintext().countCalls().add(new GreeterService()).start();
 * JfrCounters counters = JfrCounters.of(server);
 * }</pre>
 *
 * <p>The events are {@value #SERVER_METHOD}, {@value #SERVER_CONNECTION}, {@value #CHANNEL} and
 * {@value #SUBCHANNEL}. A recording contains them by default, once per chunk and at its end; {@code
 * dev.gannet.ServerMethod#period=10s} makes that every ten seconds. Counts of servers are 0 without
 * {@code ServerBuilder.countCalls}. Between events there is no cost. Safe for all threads.
 */
public final class JfrCounters implements AutoCloseable {
  /** The name of the event with the counts of one method of a server. */
  public static final String SERVER_METHOD = "dev.gannet.ServerMethod";

  /** The name of the event with the counts of one open connection of a server. */
  public static final String SERVER_CONNECTION = "dev.gannet.ServerConnection";

  /** The name of the event with the counts of one channel. */
  public static final String CHANNEL = "dev.gannet.Channel";

  /** The name of the event with the state of one address of a channel. */
  public static final String SUBCHANNEL = "dev.gannet.Subchannel";

  private final List<Runnable> hooks;

  private JfrCounters(List<Runnable> hooks) {
    this.hooks = hooks;
  }

  /**
   * Records the counters of a server until they are {@linkplain #close closed}, which is to be done
   * when the server has terminated.
   */
  public static JfrCounters of(Server server) {
    Objects.requireNonNull(server, "server");
    Runnable methods = () -> recordMethods(server.snapshot());
    Runnable connections = () -> recordConnections(server.snapshot());
    FlightRecorder.addPeriodicEvent(ServerMethodEvent.class, methods);
    FlightRecorder.addPeriodicEvent(ServerConnectionEvent.class, connections);
    return new JfrCounters(List.of(methods, connections));
  }

  /**
   * Records the counters of a channel until they are {@linkplain #close closed}, which is to be
   * done when the channel is shut down: an open one is not collected as garbage.
   */
  public static JfrCounters of(ManagedChannel channel) {
    Objects.requireNonNull(channel, "channel");
    Runnable calls = () -> recordCalls(channel.snapshot());
    Runnable subchannels = () -> recordSubchannels(channel.snapshot());
    FlightRecorder.addPeriodicEvent(ChannelEvent.class, calls);
    FlightRecorder.addPeriodicEvent(SubchannelEvent.class, subchannels);
    return new JfrCounters(List.of(calls, subchannels));
  }

  /** Ends the recording of these counters. Does nothing the second time. */
  @Override
  public void close() {
    hooks.forEach(FlightRecorder::removePeriodicEvent);
  }

  private static void recordMethods(ServerSnapshot server) {
    for (Map.Entry<String, CallCounts> method : server.methods().entrySet()) {
      CallCounts counts = method.getValue();
      ServerMethodEvent event = new ServerMethodEvent();
      event.server = server.id();
      event.method = method.getKey();
      event.started = counts.started();
      event.underWay = counts.underWay();
      event.queued = counts.queued();
      event.succeeded = counts.ended(Status.Code.OK);
      event.failed = counts.allEnded() - event.succeeded;
      event.endedByStatus = counts.ended().toString();
      event.bytesReceived = counts.receivedBytes();
      event.bytesSent = counts.sentBytes();
      event.commit();
    }
  }

  private static void recordConnections(ServerSnapshot server) {
    for (ConnectionSnapshot connection : server.connections()) {
      ServerConnectionEvent event = new ServerConnectionEvent();
      event.server = server.id();
      event.connection = connection.id();
      event.peer = connection.remoteAddress().toString();
      CallCounts calls = connection.calls();
      event.started = calls.started();
      event.succeeded = calls.answered();
      event.failed = calls.allEnded() - calls.answered();
      event.underWay = calls.underWay();
      event.queued = calls.queued();
      event.endedByStatus = calls.ended().toString();
      event.messagesReceived = connection.messagesReceived();
      event.messagesSent = connection.messagesSent();
      event.bytesReceived = connection.bytesReceived();
      event.bytesSent = connection.bytesSent();
      event.commit();
    }
  }

  private static void recordCalls(ChannelSnapshot channel) {
    ChannelCallCounts calls = channel.calls();
    ChannelEvent event = new ChannelEvent();
    event.channel = channel.id();
    event.target = channel.target();
    event.state = channel.state().name();
    event.started = calls.started();
    event.succeeded = calls.succeeded();
    event.failed = calls.failed();
    event.underWay = event.started - event.succeeded - event.failed;
    event.pendingCalls = channel.pendingCalls();
    event.delayedPicks = calls.delayedPicks();
    event.transparentRetries = calls.transparentRetries();
    event.retries = calls.retries();
    event.hedges = calls.hedges();
    event.commit();
  }

  private static void recordSubchannels(ChannelSnapshot channel) {
    for (SubchannelSnapshot subchannel : channel.subchannels()) {
      SubchannelEvent event = new SubchannelEvent();
      event.channel = channel.id();
      event.subchannel = subchannel.id();
      event.address = subchannel.address().toString();
      event.state = subchannel.state().name();
      event.connections = subchannel.connections().size();
      event.connectsSucceeded = subchannel.connectsSucceeded();
      event.connectsFailed = subchannel.connectsFailed();
      event.commit();
    }
  }
}
