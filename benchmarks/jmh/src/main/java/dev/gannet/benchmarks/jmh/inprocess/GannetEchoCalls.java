package dev.gannet.benchmarks.jmh.inprocess;

import com.google.protobuf.BytesValue;
import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Marshaller;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.protobuf.ProtobufMarshaller;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.transport.inprocess.InProcessAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Gannet's. */
final class GannetEchoCalls implements EchoCalls {
  private static final Marshaller<BytesValue> BYTES =
      ProtobufMarshaller.of(BytesValue.getDefaultInstance());
  private static final MethodDescriptor<BytesValue, BytesValue> METHOD =
      MethodDescriptor.of(MethodType.UNARY, ECHO, BYTES, BYTES);

  private final List<Server> servers;
  private final ManagedChannel channel;
  private final Threads threads;

  private GannetEchoCalls(List<Server> servers, ManagedChannel channel, Threads threads) {
    this.servers = servers;
    this.channel = channel;
    this.threads = threads;
  }

  static GannetEchoCalls open(Threads threads) throws IOException {
    return open(threads, 1, builder -> builder);
  }

  /**
   * Starts servers, and a channel to all of them.
   *
   * @param policies sets the policies of the channel
   */
  static GannetEchoCalls open(
      Threads threads, int serverCount, UnaryOperator<ManagedChannelBuilder> policies)
      throws IOException {
    List<InProcessAddress> addresses =
        Stream.generate(InProcessAddress::anonymous).limit(serverCount).toList();
    List<Server> servers = new ArrayList<>();
    for (InProcessAddress address : addresses) {
      servers.add(server(address, threads));
    }
    ManagedChannelBuilder channel =
        policies.apply(ManagedChannel.builder(addresses.getFirst()).addresses(addresses));
    if (threads == Threads.DIRECT) {
      channel.directExecutor();
    }
    return new GannetEchoCalls(servers, channel.build(), threads);
  }

  private static Server server(InProcessAddress address, Threads threads) throws IOException {
    ServerBuilder server =
        Server.builder(address)
            .add(
                ServerServiceDefinition.of(
                    SERVICE,
                    List.of(
                        ServerMethodDefinition.of(
                            METHOD, BlockingHandlers.unary(request -> request)))));
    if (threads == Threads.DIRECT) {
      server.dispatch(Dispatch.inline());
    }
    return server.start();
  }

  @Override
  public BytesValue echo(BytesValue request) {
    return threads == Threads.DIRECT
        ? echoDirectly(request)
        : BlockingCalls.unary(channel, METHOD, CallOptions.DEFAULT, request);
  }

  private BytesValue echoDirectly(BytesValue request) {
    ClientCall<BytesValue, BytesValue> call = channel.newCall(METHOD, CallOptions.DEFAULT);
    Answer answer = new Answer();
    call.start(answer);
    call.request(1);
    call.sendMessage(request);
    call.halfClose();
    return answer.get();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    servers.forEach(Server::shutdownNow);
  }

  private static final class Answer implements ClientCall.Listener<BytesValue> {
    private @Nullable BytesValue message;
    private boolean ended;

    @Override
    public void onMessage(BytesValue message) {
      this.message = message;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      ended = status.isOk();
    }

    BytesValue get() {
      BytesValue came = message;
      if (!ended || came == null) {
        throw new IllegalStateException("the call has not ended on its caller's thread");
      }
      return came;
    }
  }
}
