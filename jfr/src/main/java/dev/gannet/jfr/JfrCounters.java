package dev.gannet.jfr;

import dev.gannet.api.Status;
import dev.gannet.client.ChannelCallCounts;
import dev.gannet.client.ChannelExtension;
import dev.gannet.client.ChannelObserver;
import dev.gannet.client.ChannelSnapshot;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.client.ObservedChannel;
import dev.gannet.client.SubchannelSnapshot;
import dev.gannet.server.CallCounts;
import dev.gannet.server.ConnectionSnapshot;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.server.ServerExtension;
import dev.gannet.server.ServerObserver;
import dev.gannet.server.ServerSnapshot;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jdk.jfr.FlightRecorder;

/**
 * Counters of servers and channels as events of the JDK Flight Recorder: one event per method and
 * per connection of a server, and per channel and subchannel, at regular times.
 *
 * <pre>{@code
 * JfrCounters counters = new JfrCounters();
 * Server server = Server.builder(50051).plaintext().add(counters).add(new GreeterService()).start();
 * ManagedChannel channel = ManagedChannel.builder("other", 443).add(counters).build();
 * }</pre>
 *
 * <p>Records the servers and the channels to which it is added, until they have terminated. The
 * servers count their calls for it ({@link ServerBuilder#countCalls}).
 *
 * <p>The events are {@value #SERVER_METHOD}, {@value #SERVER_CONNECTION}, {@value #CHANNEL} and
 * {@value #SUBCHANNEL}. A recording contains them by default, once per chunk and at its end; {@code
 * dev.gannet.ServerMethod#period=10s} makes that every ten seconds. Between events there is no
 * cost. Safe for all threads.
 */
public final class JfrCounters implements ServerExtension, ChannelExtension {
  /** The name of the event with the counts of one method of a server. */
  public static final String SERVER_METHOD = "dev.gannet.ServerMethod";

  /** The name of the event with the counts of one open connection of a server. */
  public static final String SERVER_CONNECTION = "dev.gannet.ServerConnection";

  /** The name of the event with the counts of one channel. */
  public static final String CHANNEL = "dev.gannet.Channel";

  /** The name of the event with the state of one address of a channel. */
  public static final String SUBCHANNEL = "dev.gannet.Subchannel";

  /** What the recorder runs for each server and channel that has not terminated. */
  private final Map<Object, List<Runnable>> hooks = new ConcurrentHashMap<>();

  /** Records no server and no channel so far. */
  public JfrCounters() {}

  /** Has the server counted and recorded. */
  @Override
  public void addTo(ServerBuilder builder) {
    builder.countCalls().observe(new OfServers());
  }

  /** Has the channel recorded. */
  @Override
  public void addTo(ManagedChannelBuilder builder) {
    builder.observe(new OfChannels());
  }

  private final class OfServers implements ServerObserver {
    @Override
    public void onStart(Server server) {
      Runnable methods = () -> recordMethods(server.snapshot());
      Runnable connections = () -> recordConnections(server.snapshot());
      hooks.put(server, List.of(methods, connections));
      FlightRecorder.addPeriodicEvent(ServerMethodEvent.class, methods);
      FlightRecorder.addPeriodicEvent(ServerConnectionEvent.class, connections);
    }

    @Override
    public void onTerminated(Server server) {
      end(server);
    }
  }

  private final class OfChannels implements ChannelObserver {
    @Override
    public void onBuilt(ObservedChannel channel) {
      Runnable calls = () -> recordCalls(channel.snapshot());
      Runnable subchannels = () -> recordSubchannels(channel.snapshot());
      hooks.put(channel, List.of(calls, subchannels));
      FlightRecorder.addPeriodicEvent(ChannelEvent.class, calls);
      FlightRecorder.addPeriodicEvent(SubchannelEvent.class, subchannels);
    }

    @Override
    public void onTerminated(ObservedChannel channel) {
      end(channel);
    }
  }

  private void end(Object subject) {
    List<Runnable> registered = hooks.remove(subject);
    if (registered != null) { // it may have failed to start
      registered.forEach(FlightRecorder::removePeriodicEvent);
    }
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
