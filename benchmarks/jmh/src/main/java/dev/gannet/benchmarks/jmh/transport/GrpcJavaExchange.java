package dev.gannet.benchmarks.jmh.transport;

import dev.gannet.benchmarks.jmh.KnownLengthBytes;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/** grpc-java's. */
final class GrpcJavaExchange implements Exchange {
  /** This many responses are requested ahead; more are requested when half of them have arrived. */
  private static final int AHEAD = 64;

  private static final MethodDescriptor<byte[], byte[]> ECHO =
      method(MethodType.UNARY, Exchange.ECHO);
  private static final MethodDescriptor<byte[], byte[]> REPEAT =
      method(MethodType.SERVER_STREAMING, Exchange.REPEAT);

  private final Server server;
  private final ManagedChannel channel;

  private GrpcJavaExchange(Server server, ManagedChannel channel) {
    this.server = server;
    this.channel = channel;
  }

  private static MethodDescriptor<byte[], byte[]> method(MethodType type, String name) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(type)
        .setFullMethodName(name)
        .setRequestMarshaller(new KnownLengthBytes())
        .setResponseMarshaller(new KnownLengthBytes())
        .build();
  }

  static GrpcJavaExchange open(Library.Handlers handlers) throws IOException {
    ServerServiceDefinition service =
        ServerServiceDefinition.builder(SERVICE)
            .addMethod(ECHO, ServerCalls.asyncUnaryCall(GrpcJavaExchange::answer))
            .addMethod(REPEAT, ServerCalls.asyncServerStreamingCall(GrpcJavaRepeat::begin))
            .build();
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(service);
    if (handlers == Library.Handlers.ON_LOOP) {
      builder.directExecutor();
    }
    Server server = builder.build().start();
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
            .usePlaintext()
            .directExecutor()
            .build();
    return new GrpcJavaExchange(server, channel);
  }

  private static void answer(byte[] request, StreamObserver<byte[]> responses) {
    responses.onNext(request);
    responses.onCompleted();
  }

  @Override
  public byte[] echo(byte[] request) {
    return ClientCalls.blockingUnaryCall(channel, ECHO, CallOptions.DEFAULT, request);
  }

  @Override
  public void beginEcho(byte[] request, Consumer<byte[]> response) {
    ClientCall<byte[], byte[]> call = channel.newCall(ECHO, CallOptions.DEFAULT);
    call.start(new OneResponse(response), new Metadata());
    call.request(2);
    call.sendMessage(request);
    call.halfClose();
  }

  @Override
  public void beginRepeat(byte[] request, Consumer<byte[]> response, Runnable end) {
    ClientCall<byte[], byte[]> call = channel.newCall(REPEAT, CallOptions.DEFAULT);
    call.start(new ManyResponses(call, response, end), new Metadata());
    call.request(AHEAD);
    call.sendMessage(request);
    call.halfClose();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
  }

  private static void checkOk(Status status) {
    if (!status.isOk()) {
      throw new IllegalStateException("a call ended with " + status);
    }
  }

  /** Passes the response on when the call has ended with OK. */
  private static final class OneResponse extends ClientCall.Listener<byte[]> {
    private final Consumer<byte[]> to;
    private byte[] response = {};

    OneResponse(Consumer<byte[]> to) {
      this.to = to;
    }

    @Override
    public void onMessage(byte[] message) {
      response = message;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      checkOk(status);
      to.accept(response);
    }
  }

  private static final class ManyResponses extends ClientCall.Listener<byte[]> {
    private final ClientCall<byte[], byte[]> call;
    private final Consumer<byte[]> to;
    private final Runnable end;
    private int sinceAsked;

    ManyResponses(ClientCall<byte[], byte[]> call, Consumer<byte[]> to, Runnable end) {
      this.call = call;
      this.to = to;
      this.end = end;
    }

    @Override
    public void onMessage(byte[] message) {
      to.accept(message);
      if (++sinceAsked == AHEAD / 2) {
        sinceAsked = 0;
        call.request(AHEAD / 2);
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      checkOk(status);
      end.run();
    }
  }
}
