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
  private final Executor handlerThreads = new HandlerThreads();
  private final InlineGuard inlineGuard;
  private final Dispatch dispatch;
  private final MethodTable methods;
  private final int maxInboundMessageBytes;
  private final long maxCallNanos;

  CallIntake(ServerSettings settings) {
    this.inlineGuard = new InlineGuard(settings.transport()::nanoTime, handlerThreads);
    this.dispatch = settings.dispatch();
    this.methods = new MethodTable(settings.services(), this::placed);
    this.maxInboundMessageBytes = settings.maxInboundMessageBytes();
    this.maxCallNanos = settings.maxCallNanos();
  }

  /** The method with the place of its own to run that its calls are given. */
  private ServerMethodDefinition<?, ?> placed(ServerMethodDefinition<?, ?> method) {
    Dispatch chosen = method.dispatch().orElse(dispatch);
    if (!(chosen instanceof Dispatch.Inline)) {
      return method.withDispatch(chosen);
    }
    return method.withDispatch(
        method.handler().waitsForPeer()
            ? Dispatch.virtualThreads()
            : Dispatch.on(inlineGuard.watch(method.method().fullMethodName())));
  }

  @Override
  public Optional<ServerMethodDefinition<?, ?>> find(String path) {
    return methods.find(path);
  }

  @Override
  public <Q, R> CallEvents begin(ServerMethodDefinition<Q, R> method, ServerStream<R> stream) {
    return switch (method.dispatch().orElse(dispatch)) {
      case Dispatch.VirtualThreads() -> onOwnThread(method, stream);
      case Dispatch.On(InlineMethod inline) when inline.isAway() -> onOwnThread(method, stream);
      case Dispatch.On(Executor executor) -> new IncomingCall<>(method, stream, executor, null);
      case Dispatch.Inline() -> throw new AssertionError("the table names an executor");
    };
  }

  private <Q, R> IncomingCall<Q, R> onOwnThread(
      ServerMethodDefinition<Q, R> method, ServerStream<R> stream) {
    return new IncomingCall<>(method, stream, handlerThreads, new CallThread());
  }

  @Override
  public long maxCallNanos() {
    return maxCallNanos;
  }

  @Override
  public int maxInboundMessageBytes() {
    return maxInboundMessageBytes;
  }

  @Override
  public void onSlowPass() {
    inlineGuard.onSlowPass();
  }
}
