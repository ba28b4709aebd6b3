package dev.gannet.services;

import dev.gannet.api.Dispatch;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.server.ServerExtension;
import dev.gannet.server.ServerObserver;
import dev.gannet.services.reflection.v1.ServerReflectionMethods;
import dev.gannet.services.reflection.v1.ServerReflectionRequest;
import dev.gannet.services.reflection.v1.ServerReflectionResponse;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Tells tools such as grpcurl which services a server has: {@code
 * grpc.reflection.v1.ServerReflection}, and also under its former name in {@code v1alpha}. Added by
 * {@link ServerBuilder#add(ServerExtension)}, one object for one server at a time.
 *
 * <p>Services with generated code are shown with their {@code .proto} files and all that these
 * import; services that were written by hand, without a {@link dev.gannet.protobuf.MethodSchema},
 * only with their name. Every client that may call it learns every name in those files:
 * interceptors apply to its calls as to those of any other service.
 */
public final class ReflectionService implements ServerExtension {
  private final AtomicReference<@Nullable Server> server = new AtomicReference<>();
  private volatile SchemaIndex index = SchemaIndex.of(List.of());

  /** A service that shows nothing until the server to which it was added starts. */
  public ReflectionService() {}

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException by {@link ServerBuilder#start} if it was added to another server
   *     that has not terminated
   */
  @Override
  public void addTo(ServerBuilder builder) {
    builder
        .add(definition(ServerReflectionMethods.SERVER_REFLECTION_INFO))
        .add(definition(alpha()));
    builder.observe(new OfServer());
  }

  /** The former name: its messages have the same structure, so those of v1 are used. */
  private static MethodDescriptor<ServerReflectionRequest, ServerReflectionResponse> alpha() {
    MethodDescriptor<?, ?> published =
        dev.gannet.services.reflection.v1alpha.ServerReflectionMethods.SERVER_REFLECTION_INFO;
    MethodDescriptor<ServerReflectionRequest, ServerReflectionResponse> v1 =
        ServerReflectionMethods.SERVER_REFLECTION_INFO;
    return MethodDescriptor.of(
            MethodType.BIDI_STREAMING,
            published.fullMethodName(),
            v1.requestMarshaller(),
            v1.responseMarshaller())
        .withSchemaDescriptor(published.schemaDescriptor().orElseThrow());
  }

  /** On virtual threads: linking descriptors takes longer than an event loop may. */
  private ServerServiceDefinition definition(
      MethodDescriptor<ServerReflectionRequest, ServerReflectionResponse> method) {
    ServerMethodDefinition<?, ?> definition =
        ServerMethodDefinition.of(method, BlockingHandlers.bidiStreaming(this::answer))
            .withDispatch(Dispatch.virtualThreads());
    return ServerServiceDefinition.of(method.serviceName(), List.of(definition));
  }

  private void answer(
      Incoming<ServerReflectionRequest> requests, Outgoing<ServerReflectionResponse> responses) {
    ReflectionStream stream = new ReflectionStream();
    for (ServerReflectionRequest request : requests) {
      responses.send(stream.answer(request, index()));
    }
  }

  /** The index of the current services: those of a registry can change. */
  private SchemaIndex index() {
    Server shown = server.get();
    if (shown == null) {
      throw Status.UNAVAILABLE.withDescription("the server has terminated").asException();
    }
    List<ServerServiceDefinition> now = shown.services();
    SchemaIndex known = index;
    if (known.isOf(now)) {
      return known;
    }
    SchemaIndex made = SchemaIndex.of(now);
    index = made;
    return made;
  }

  private final class OfServer implements ServerObserver {
    @Override
    public void onStart(Server started) {
      if (!server.compareAndSet(null, started)) {
        throw new IllegalStateException("one ReflectionService was added to two servers");
      }
    }

    /** Also called for a server that was refused: the other server stays. */
    @Override
    public void onTerminated(Server terminated) {
      server.compareAndSet(terminated, null);
    }
  }
}
