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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gannet's. */
final class GannetEchoCalls implements EchoCalls {
  private static final Marshaller<BytesValue> BYTES =
      ProtobufMarshaller.of(BytesValue.getDefaultInstance());
  private static final MethodDescriptor<BytesValue, BytesValue> METHOD =
      MethodDescriptor.of(MethodType.UNARY, ECHO, BYTES, BYTES);

  private final Server server;
  private final ManagedChannel channel;
  private final Threads threads;

  private GannetEchoCalls(Server server, ManagedChannel channel, Threads threads) {
    this.server = server;
    this.channel = channel;
    this.threads = threads;
  }

  static GannetEchoCalls open(Threads threads) throws IOException {
    InProcessAddress address = InProcessAddress.anonymous();
    ServerBuilder server =
        Server.builder(address)
            .add(
                new ServerServiceDefinition(
                    SERVICE,
                    List.of(
                        ServerMethodDefinition.of(
                            METHOD, BlockingHandlers.unary(request -> request)))));
    ManagedChannelBuilder channel = ManagedChannel.builder(address);
    if (threads == Threads.DIRECT) {
      server.dispatch(Dispatch.inline());
      channel.directExecutor();
    }
    return new GannetEchoCalls(server.start(), channel.build(), threads);
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
    call.start(answer, new Metadata());
    call.request(1);
    call.sendMessage(request);
    call.halfClose();
    return answer.get();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
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
