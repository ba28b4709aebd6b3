package dev.gannet.benchmarks.jmh.transport;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.benchmarks.jmh.Bytes;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;

/** Gannet's. */
final class GannetExchange implements Exchange {
  /** This many responses are requested ahead; more are requested when half of them have arrived. */
  private static final int AHEAD = 64;

  private static final Bytes BYTES = new Bytes();
  private static final MethodDescriptor<byte[], byte[]> ECHO =
      MethodDescriptor.of(MethodType.UNARY, Exchange.ECHO, BYTES, BYTES);
  private static final MethodDescriptor<byte[], byte[]> REPEAT =
      MethodDescriptor.of(MethodType.SERVER_STREAMING, Exchange.REPEAT, BYTES, BYTES);

  private final Server server;
  private final ManagedChannel channel;

  private GannetExchange(Server server, ManagedChannel channel) {
    this.server = server;
    this.channel = channel;
  }

  static GannetExchange open(Library.Handlers handlers) throws IOException {
    ServerServiceDefinition service =
        ServerServiceDefinition.of(
            SERVICE,
            List.of(
                ServerMethodDefinition.of(ECHO, BlockingHandlers.unary(request -> request)),
                ServerMethodDefinition.of(REPEAT, (call, headers) -> new GannetRepeat(call))));
    Dispatch dispatch =
        switch (handlers) {
          case ON_LOOP -> Dispatch.inline();
          case DEFAULT -> Dispatch.virtualThreads();
        };
    Server server =
        Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .dispatch(dispatch)
            .add(service)
            .start();
    ManagedChannel channel =
        ManagedChannel.builder("127.0.0.1", server.port()).plaintext().directExecutor().build();
    return new GannetExchange(server, channel);
  }

  @Override
  public byte[] echo(byte[] request) {
    return BlockingCalls.unary(channel, ECHO, CallOptions.DEFAULT, request);
  }

  @Override
  public void beginEcho(byte[] request, Consumer<byte[]> response) {
    ClientCall<byte[], byte[]> call = channel.newCall(ECHO, CallOptions.DEFAULT);
    call.start(new OneResponse(response));
    call.request(1);
    call.sendMessage(request);
    call.halfClose();
  }

  @Override
  public void beginRepeat(byte[] request, Consumer<byte[]> response, Runnable end) {
    ClientCall<byte[], byte[]> call = channel.newCall(REPEAT, CallOptions.DEFAULT);
    call.start(new ManyResponses(call, response, end));
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
  private static final class OneResponse implements ClientCall.Listener<byte[]> {
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

  private static final class ManyResponses implements ClientCall.Listener<byte[]> {
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
