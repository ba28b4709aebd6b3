package dev.gannet.conformance.connect;

import com.google.protobuf.ByteString;
import connectrpc.conformance.v1.ClientCompat.ClientCompatRequest;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Pem;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import java.io.IOException;

/** The channel to the server that a request of the suite names. */
final class SuiteChannel {
  private SuiteChannel() {}

  static ManagedChannel open(ClientCompatRequest wanted) throws IOException {
    ManagedChannelBuilder builder =
        ManagedChannel.builder(wanted.getHost(), wanted.getPort()).credentials(credentials(wanted));
    if (wanted.getMessageReceiveLimit() != 0) {
      builder.maxInboundMessageBytes(wanted.getMessageReceiveLimit());
    }
    return builder.build();
  }

  private static ChannelCredentials credentials(ClientCompatRequest wanted) throws IOException {
    ByteString trust = wanted.getServerTlsCert();
    if (trust.isEmpty()) {
      return ChannelCredentials.insecure();
    }
    ChannelCredentials.Tls tls = ChannelCredentials.tls().withTrust(Pem.of(trust.newInput()));
    return wanted.hasClientTlsCreds()
        ? tls.withIdentity(TlsFiles.identity(wanted.getClientTlsCreds()))
        : tls;
  }
}
