package dev.gannet.services;

import dev.gannet.client.ChannelCallCounts;
import dev.gannet.client.ChannelConnectionSnapshot;
import dev.gannet.client.ChannelEvent;
import dev.gannet.client.ChannelSnapshot;
import dev.gannet.client.SubchannelSnapshot;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.services.channelz.v1.Channel;
import dev.gannet.services.channelz.v1.ChannelConnectivityState;
import dev.gannet.services.channelz.v1.ChannelData;
import dev.gannet.services.channelz.v1.ChannelRef;
import dev.gannet.services.channelz.v1.ChannelTrace;
import dev.gannet.services.channelz.v1.ChannelTraceEvent;
import dev.gannet.services.channelz.v1.Socket;
import dev.gannet.services.channelz.v1.SocketData;
import dev.gannet.services.channelz.v1.Subchannel;
import dev.gannet.services.channelz.v1.SubchannelRef;

/** Snapshots of channels as messages of channelz. */
final class ChannelMessages {
  private ChannelMessages() {}

  static Channel channel(ChannelSnapshot snapshot) {
    ChannelCallCounts calls = snapshot.calls();
    Channel.Builder channel =
        Channel.newBuilder()
            .setRef(ChannelRef.newBuilder().setChannelId(snapshot.id()).setName(snapshot.target()))
            .setData(
                ChannelData.newBuilder()
                    .setState(state(snapshot.state()))
                    .setTarget(snapshot.target())
                    .setTrace(trace(snapshot.trace()))
                    .setCallsStarted(calls.started())
                    .setCallsSucceeded(calls.succeeded())
                    .setCallsFailed(calls.failed()));
    snapshot.subchannels().forEach(it -> channel.addSubchannelRef(ref(it)));
    return channel.build();
  }

  /** Calls are only counted per channel: subchannels show none. */
  static Subchannel subchannel(SubchannelSnapshot snapshot) {
    Subchannel.Builder subchannel =
        Subchannel.newBuilder()
            .setRef(ref(snapshot))
            .setData(
                ChannelData.newBuilder()
                    .setState(state(snapshot.state()))
                    .setTarget(snapshot.address().toString())
                    .setTrace(trace(snapshot.trace())));
    snapshot
        .connections()
        .forEach(it -> subchannel.addSocketRef(ChannelzMessages.ref(it.id(), it.remoteAddress())));
    return subchannel.build();
  }

  private static SubchannelRef ref(SubchannelSnapshot snapshot) {
    return SubchannelRef.newBuilder()
        .setSubchannelId(snapshot.id())
        .setName(snapshot.address().toString())
        .build();
  }

  static Socket socket(ChannelConnectionSnapshot connection) {
    Socket.Builder socket =
        Socket.newBuilder()
            .setRef(ChannelzMessages.ref(connection.id(), connection.remoteAddress()))
            .setLocal(ChannelzMessages.address(connection.localAddress()))
            .setRemote(ChannelzMessages.address(connection.remoteAddress()))
            .setData(SocketData.getDefaultInstance());
    connection.sslSession().ifPresent(it -> socket.setSecurity(ChannelzMessages.security(it)));
    return socket.build();
  }

  private static ChannelConnectivityState state(ConnectivityState state) {
    return ChannelConnectivityState.newBuilder()
        .setState(
            switch (state) {
              case IDLE -> ChannelConnectivityState.State.IDLE;
              case CONNECTING -> ChannelConnectivityState.State.CONNECTING;
              case READY -> ChannelConnectivityState.State.READY;
              case TRANSIENT_FAILURE -> ChannelConnectivityState.State.TRANSIENT_FAILURE;
              case SHUTDOWN -> ChannelConnectivityState.State.SHUTDOWN;
            })
        .build();
  }

  private static ChannelTrace trace(dev.gannet.client.ChannelTrace trace) {
    ChannelTrace.Builder message =
        ChannelTrace.newBuilder()
            .setCreationTimestamp(ChannelzMessages.timestamp(trace.created()))
            .setNumEventsLogged(trace.eventsLogged());
    trace.events().forEach(it -> message.addEvents(event(it)));
    return message.build();
  }

  private static ChannelTraceEvent event(ChannelEvent event) {
    ChannelTraceEvent.Builder message =
        ChannelTraceEvent.newBuilder()
            .setDescription(event.description())
            .setSeverity(
                switch (event.severity()) {
                  case INFO -> ChannelTraceEvent.Severity.CT_INFO;
                  case WARNING -> ChannelTraceEvent.Severity.CT_WARNING;
                  case ERROR -> ChannelTraceEvent.Severity.CT_ERROR;
                })
            .setTimestamp(ChannelzMessages.timestamp(event.time()));
    event
        .subchannelId()
        .ifPresent(it -> message.setSubchannelRef(SubchannelRef.newBuilder().setSubchannelId(it)));
    return message.build();
  }
}
