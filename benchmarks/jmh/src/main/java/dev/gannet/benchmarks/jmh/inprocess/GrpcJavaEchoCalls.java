package dev.gannet.benchmarks.jmh.inprocess;

import com.google.protobuf.BytesValue;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** grpc-java's. */
final class GrpcJavaEchoCalls implements EchoCalls {
  private static final MethodDescriptor<BytesValue, BytesValue> METHOD =
      MethodDescriptor.<BytesValue, BytesValue>newBuilder()
          .setType(MethodType.UNARY)
          .setFullMethodName(ECHO)
          .setRequestMarshaller(ProtoUtils.marshaller(BytesValue.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(BytesValue.getDefaultInstance()))
          .build();

  private final Server server;
  private final ManagedChannel channel;
  private final Threads threads;

  private GrpcJavaEchoCalls(Server server, ManagedChannel channel, Threads threads) {
    this.server = server;
    this.channel = channel;
    this.threads = threads;
  }

  static GrpcJavaEchoCalls open(Threads threads) throws IOException {
    String name = InProcessServerBuilder.generateName();
    InProcessServerBuilder server =
        InProcessServerBuilder.forName(name)
            .addService(
                ServerServiceDefinition.builder(SERVICE)
                    .addMethod(METHOD, ServerCalls.asyncUnaryCall(GrpcJavaEchoCalls::answer))
                    .build());
    InProcessChannelBuilder channel = InProcessChannelBuilder.forName(name);
    if (threads == Threads.DIRECT) {
      server.directExecutor();
      channel.directExecutor();
    }
    return new GrpcJavaEchoCalls(server.build().start(), channel.build(), threads);
  }

  private static void answer(BytesValue request, StreamObserver<BytesValue> responses) {
    responses.onNext(request);
    responses.onCompleted();
  }

  @Override
  public BytesValue echo(BytesValue request) {
    return threads == Threads.DIRECT
        ? echoDirectly(request)
        : ClientCalls.blockingUnaryCall(channel, METHOD, CallOptions.DEFAULT, request);
  }

  private BytesValue echoDirectly(BytesValue request) {
    ClientCall<BytesValue, BytesValue> call = channel.newCall(METHOD, CallOptions.DEFAULT);
    Answer answer = new Answer();
    call.start(answer, new Metadata());
    call.request(2);
    call.sendMessage(request);
    call.halfClose();
    return answer.get();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
  }

  private static final class Answer extends ClientCall.Listener<BytesValue> {
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
