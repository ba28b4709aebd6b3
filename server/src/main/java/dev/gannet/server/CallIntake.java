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
  /** A thread per task, and nothing that keeps count of them. */
  private static final Executor VIRTUAL_THREADS =
      task -> Thread.ofVirtual().name("gannet-handler").start(task);

  private static final Executor INLINE = Runnable::run;

  private final MethodTable methods;
  private final Dispatch dispatch;
  private final int maxInboundMessageBytes;

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

  private static Executor executorOf(Dispatch dispatch) {
    return switch (dispatch) {
      case Dispatch.VirtualThreads() -> VIRTUAL_THREADS;
      case Dispatch.Inline() -> INLINE;
      case Dispatch.On(Executor executor) -> executor;
    };
  }
}
