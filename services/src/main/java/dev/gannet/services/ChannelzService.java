package dev.gannet.services;

import dev.gannet.api.Dispatch;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.ChannelExtension;
import dev.gannet.client.ChannelSnapshot;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.ConnectionSnapshot;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.server.ServerExtension;
import dev.gannet.server.ServerObserver;
import dev.gannet.server.ServerSnapshot;
import dev.gannet.server.ServerSnapshot.ListenSocket;
import dev.gannet.services.channelz.v1.Channel;
import dev.gannet.services.channelz.v1.Channelz;
import dev.gannet.services.channelz.v1.GetChannelRequest;
import dev.gannet.services.channelz.v1.GetChannelResponse;
import dev.gannet.services.channelz.v1.GetServerRequest;
import dev.gannet.services.channelz.v1.GetServerResponse;
import dev.gannet.services.channelz.v1.GetServerSocketsRequest;
import dev.gannet.services.channelz.v1.GetServerSocketsResponse;
import dev.gannet.services.channelz.v1.GetServersRequest;
import dev.gannet.services.channelz.v1.GetServersResponse;
import dev.gannet.services.channelz.v1.GetSocketRequest;
import dev.gannet.services.channelz.v1.GetSocketResponse;
import dev.gannet.services.channelz.v1.GetSubchannelRequest;
import dev.gannet.services.channelz.v1.GetSubchannelResponse;
import dev.gannet.services.channelz.v1.GetTopChannelsRequest;
import dev.gannet.services.channelz.v1.GetTopChannelsResponse;
import dev.gannet.services.channelz.v1.SocketRef;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

/**
 * Shows servers, channels and their connections, with counters and events: {@code
 * grpc.channelz.v1.Channelz} (gRFC A14). Added by {@link ServerBuilder#add(ServerExtension)} and
 * {@link ManagedChannelBuilder#add}; safe for all threads.
 *
 * <p>Shows the servers and the channels to which it is added, until they have terminated. The
 * servers answer for it, and then count their calls ({@link ServerBuilder#countCalls}). Every
 * client that may call it learns the addresses and certificates of all clients and servers: an
 * {@linkplain dev.gannet.server.ServiceOptions interceptor of this service} can refuse the others.
 */
public final class ChannelzService implements ServerExtension, ChannelExtension {
  private final Set<Server> servers = new CopyOnWriteArraySet<>();
  private final ShownChannels channels = new ShownChannels();

  /** A service without servers and channels so far. */
  public ChannelzService() {}

  /** Shows the channel. */
  @Override
  public void addTo(ManagedChannelBuilder builder) {
    builder.observe(channels);
  }

  /** Shows the server, and answers there. */
  @Override
  public void addTo(ServerBuilder builder) {
    builder
        .countCalls()
        .observe(new OfServer())
        .add(
            new Answers()
                .bindService()
                .map(method -> method.withDispatch(Dispatch.virtualThreads())));
  }

  private final class OfServer implements ServerObserver {
    @Override
    public void onStart(Server server) {
      servers.add(server);
    }

    @Override
    public void onTerminated(Server server) {
      servers.remove(server);
    }
  }

  private List<ServerSnapshot> snapshots() {
    return servers.stream().map(Server::snapshot).toList();
  }

  private ServerSnapshot server(long id) {
    return snapshots().stream()
        .filter(it -> it.id() == id)
        .findAny()
        .orElseThrow(() -> notFound("server", id));
  }

  private static StatusException notFound(String kind, long id) {
    return Status.NOT_FOUND.withDescription("no " + kind + " with id " + id).asException();
  }

  private final class Answers implements Channelz {
    @Override
    public GetServersResponse getServers(GetServersRequest request) {
      ChannelzPage<dev.gannet.services.channelz.v1.Server> page =
          ChannelzPage.of(
              snapshots(),
              ServerSnapshot::id,
              ChannelzMessages::server,
              request.getStartServerId(),
              request.getMaxResults());
      return GetServersResponse.newBuilder()
          .addAllServer(page.entries())
          .setEnd(page.isLast())
          .build();
    }

    @Override
    public GetServerResponse getServer(GetServerRequest request) {
      return GetServerResponse.newBuilder()
          .setServer(ChannelzMessages.server(server(request.getServerId())))
          .build();
    }

    @Override
    public GetServerSocketsResponse getServerSockets(GetServerSocketsRequest request) {
      ChannelzPage<SocketRef> page =
          ChannelzPage.of(
              server(request.getServerId()).connections(),
              ConnectionSnapshot::id,
              ChannelzMessages::ref,
              request.getStartSocketId(),
              request.getMaxResults());
      return GetServerSocketsResponse.newBuilder()
          .addAllSocketRef(page.entries())
          .setEnd(page.isLast())
          .build();
    }

    @Override
    public GetSocketResponse getSocket(GetSocketRequest request) {
      long id = request.getSocketId();
      GetSocketResponse.Builder response = GetSocketResponse.newBuilder();
      for (ServerSnapshot server : snapshots()) {
        for (ConnectionSnapshot connection : server.connections()) {
          if (connection.id() == id) {
            return response.setSocket(ChannelzMessages.socket(connection)).build();
          }
        }
        for (ListenSocket socket : server.listening()) {
          if (socket.id() == id) {
            return response.setSocket(ChannelzMessages.socket(socket)).build();
          }
        }
      }
      return channels
          .connection(id)
          .map(it -> response.setSocket(ChannelMessages.socket(it)).build())
          .orElseThrow(() -> notFound("socket", id));
    }

    @Override
    public GetTopChannelsResponse getTopChannels(GetTopChannelsRequest request) {
      ChannelzPage<Channel> page =
          ChannelzPage.of(
              channels.all(),
              ChannelSnapshot::id,
              ChannelMessages::channel,
              request.getStartChannelId(),
              request.getMaxResults());
      return GetTopChannelsResponse.newBuilder()
          .addAllChannel(page.entries())
          .setEnd(page.isLast())
          .build();
    }

    @Override
    public GetChannelResponse getChannel(GetChannelRequest request) {
      long id = request.getChannelId();
      return channels
          .channel(id)
          .map(
              it -> GetChannelResponse.newBuilder().setChannel(ChannelMessages.channel(it)).build())
          .orElseThrow(() -> notFound("channel", id));
    }

    @Override
    public GetSubchannelResponse getSubchannel(GetSubchannelRequest request) {
      long id = request.getSubchannelId();
      return channels
          .subchannel(id)
          .map(it ->
              GetSubchannelResponse.newBuilder()
                  .setSubchannel(ChannelMessages.subchannel(it))
                  .build())
          .orElseThrow(() -> notFound("subchannel", id));
    }
  }
}
