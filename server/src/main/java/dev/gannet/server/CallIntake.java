package dev.gannet.server;

import dev.gannet.api.Dispatch;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.transport.CallEvents;
import dev.gannet.transport.ServerCalls;
import dev.gannet.transport.ServerStream;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Takes calls from connections: finds their method and the place where its handler runs. */
final class CallIntake implements ServerCalls {
  private static final Executor INLINE = Runnable::run;

  private final MethodTable methods;
  private final Dispatch dispatch;
  private final int maxInboundMessageBytes;
  private final Executor handlerThreads = new HandlerThreads();

  CallIntake(ServerSettings settings) {
    this.methods = new MethodTable(settings.services());
    this.dispatch = settings.dispatch();
    this.maxInboundMessageBytes = settings.maxInboundMessageBytes();
  }

  @Override
  public Optional<ServerMethodDefinition<?, ?>> find(String path) {
    return methods.find(path);
  }

  @Override
  public <Q, R> CallEvents begin(ServerMethodDefinition<Q, R> method, ServerStream<R> stream) {
    Dispatch chosen = method.dispatch().orElse(dispatch);
    return new IncomingCall<>(method, stream, executorOf(chosen), chosen);
  }

  @Override
  public int maxInboundMessageBytes() {
    return maxInboundMessageBytes;
  }

  private Executor executorOf(Dispatch dispatch) {
    return switch (dispatch) {
      case Dispatch.VirtualThreads() -> handlerThreads;
      case Dispatch.Inline() -> INLINE;
      case Dispatch.On(Executor executor) -> executor;
    };
  }
}
