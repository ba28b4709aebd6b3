package dev.gannet.services;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.gannet.api.Status;
import dev.gannet.server.CallCounts;
import dev.gannet.server.ConnectionSnapshot;
import dev.gannet.server.ServerSnapshot;
import dev.gannet.server.ServerSnapshot.ListenSocket;
import dev.gannet.services.channelz.v1.Address;
import dev.gannet.services.channelz.v1.Address.OtherAddress;
import dev.gannet.services.channelz.v1.Address.TcpIpAddress;
import dev.gannet.services.channelz.v1.Address.UdsAddress;
import dev.gannet.services.channelz.v1.Security;
import dev.gannet.services.channelz.v1.Server;
import dev.gannet.services.channelz.v1.ServerData;
import dev.gannet.services.channelz.v1.ServerRef;
import dev.gannet.services.channelz.v1.Socket;
import dev.gannet.services.channelz.v1.SocketData;
import dev.gannet.services.channelz.v1.SocketRef;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Snapshots as messages of channelz. */
final class ChannelzMessages {
  private ChannelzMessages() {}

  static Server server(ServerSnapshot snapshot) {
    Server.Builder server =
        Server.newBuilder()
            .setRef(ServerRef.newBuilder().setServerId(snapshot.id()))
            .setData(data(snapshot.calls()));
    snapshot.listening().forEach(it -> server.addListenSocket(ref(it.id(), it.address())));
    return server.build();
  }

  private static ServerData data(CallCounts calls) {
    ServerData.Builder data =
        ServerData.newBuilder()
            .setCallsStarted(calls.started())
            .setCallsSucceeded(calls.ended(Status.Code.OK))
            .setCallsFailed(calls.allEnded() - calls.ended(Status.Code.OK));
    calls.lastStarted().ifPresent(it -> data.setLastCallStartedTimestamp(timestamp(it)));
    return data.build();
  }

  static SocketRef ref(ConnectionSnapshot connection) {
    return ref(connection.id(), connection.remoteAddress());
  }

  static SocketRef ref(long id, SocketAddress address) {
    return SocketRef.newBuilder().setSocketId(id).setName(address.toString()).build();
  }

  static Socket socket(ListenSocket socket) {
    return Socket.newBuilder()
        .setRef(ref(socket.id(), socket.address()))
        .setLocal(address(socket.address()))
        .build();
  }

  static Socket socket(ConnectionSnapshot connection) {
    Socket.Builder socket =
        Socket.newBuilder()
            .setRef(ref(connection))
            .setData(data(connection))
            .setLocal(address(connection.localAddress()))
            .setRemote(address(connection.remoteAddress()));
    connection.sslSession().ifPresent(it -> socket.setSecurity(security(it)));
    return socket.build();
  }

  /** A stream succeeds if its response was written, with whatever status. */
  private static SocketData data(ConnectionSnapshot connection) {
    CallCounts streams = connection.calls();
    SocketData.Builder data =
        SocketData.newBuilder()
            .setStreamsStarted(streams.started())
            .setStreamsSucceeded(streams.answered())
            .setStreamsFailed(streams.allEnded() - streams.answered())
            .setMessagesSent(connection.messagesSent())
            .setMessagesReceived(connection.messagesReceived());
    streams.lastStarted().ifPresent(it -> data.setLastRemoteStreamCreatedTimestamp(timestamp(it)));
    connection.lastMessageSent().ifPresent(it -> data.setLastMessageSentTimestamp(timestamp(it)));
    connection
        .lastMessageReceived()
        .ifPresent(it -> data.setLastMessageReceivedTimestamp(timestamp(it)));
    return data.build();
  }

  static Timestamp timestamp(Instant time) {
    return Timestamp.newBuilder()
        .setSeconds(time.getEpochSecond())
        .setNanos(time.getNano())
        .build();
  }

  static Address address(SocketAddress address) {
    Address.Builder message = Address.newBuilder();
    if (address instanceof InetSocketAddress inet && inet.getAddress() != null) {
      message.setTcpipAddress(
          TcpIpAddress.newBuilder()
              .setIpAddress(ByteString.copyFrom(inet.getAddress().getAddress()))
              .setPort(inet.getPort()));
    } else if (address instanceof UnixDomainSocketAddress unix) {
      message.setUdsAddress(UdsAddress.newBuilder().setFilename(unix.getPath().toString()));
    } else {
      message.setOtherAddress(OtherAddress.newBuilder().setName(address.toString()));
    }
    return message.build();
  }

  static Security security(SSLSession session) {
    Security.Tls.Builder tls = Security.Tls.newBuilder().setStandardName(session.getCipherSuite());
    first(session.getLocalCertificates()).ifPresent(tls::setLocalCertificate);
    try {
      first(session.getPeerCertificates()).ifPresent(tls::setRemoteCertificate);
    } catch (SSLPeerUnverifiedException e) {
      // the client has sent none
    }
    return Security.newBuilder().setTls(tls).build();
  }

  /** The own certificate is the first of its chain. */
  private static Optional<ByteString> first(Certificate @Nullable [] chain) {
    if (chain == null || chain.length == 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(ByteString.copyFrom(chain[0].getEncoded()));
    } catch (CertificateEncodingException e) {
      return Optional.empty();
    }
  }
}
