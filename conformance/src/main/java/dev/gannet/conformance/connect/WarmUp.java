package dev.gannet.conformance.connect;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import connectrpc.conformance.v1.ClientCompat.ClientCompatRequest;
import connectrpc.conformance.v1.ConfigOuterClass.Compression;
import connectrpc.conformance.v1.Service.BidiStreamRequest;
import connectrpc.conformance.v1.Service.ClientStreamRequest;
import connectrpc.conformance.v1.Service.ServerStreamRequest;
import connectrpc.conformance.v1.Service.StreamResponseDefinition;
import connectrpc.conformance.v1.Service.UnaryRequest;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerCredentials;
import dev.gannet.client.ManagedChannel;
import dev.gannet.conformance.interop.TestCredentials;
import dev.gannet.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Makes calls of all kinds between a client and a server inside this process before the calls that
 * count. The suite allows a call half a second more than it asked for, and the first calls of a JVM
 * on a busy machine take longer, because their classes are loaded.
 */
final class WarmUp {
  private static final int ROUNDS = 5;

  private static final StreamResponseDefinition ONE_RESPONSE =
      StreamResponseDefinition.newBuilder().addResponseData(ByteString.EMPTY).build();

  private static final List<ClientCompatRequest> CALLS =
      List.of(
          call("Unary", UnaryRequest.getDefaultInstance()),
          call("ClientStream", ClientStreamRequest.getDefaultInstance()),
          call(
              "ServerStream",
              ServerStreamRequest.newBuilder().setResponseDefinition(ONE_RESPONSE).build()),
          call(
              "BidiStream",
              BidiStreamRequest.newBuilder().setResponseDefinition(ONE_RESPONSE).build()));

  private WarmUp() {}

  static void inTheClear() throws IOException, InterruptedException {
    play(ServerCredentials.insecure(), ChannelCredentials.insecure());
  }

  static void withTls() throws IOException, InterruptedException {
    play(TestCredentials.ofServer(), TestCredentials.ofClient());
  }

  private static void play(ServerCredentials ofServer, ChannelCredentials ofClient)
      throws IOException, InterruptedException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (Server server =
            Server.builder(new InetSocketAddress(loopback, 0))
                .credentials(ofServer)
                .add(new EchoService())
                .start();
        ManagedChannel channel =
            ManagedChannel.builder(loopback.getHostAddress(), server.port())
                .credentials(ofClient)
                .overrideAuthority(TestCredentials.SERVER_NAME)
                .build()) {
      for (int round = 0; round < ROUNDS; round++) {
        for (ClientCompatRequest call : CALLS) {
          new SuiteCall(call, channel).perform();
        }
      }
    }
  }

  private static ClientCompatRequest call(String method, Message request) {
    return ClientCompatRequest.newBuilder()
        .setMethod(method)
        .setCompression(Compression.COMPRESSION_GZIP)
        .addRequestMessages(Any.pack(request))
        .build();
  }
}
