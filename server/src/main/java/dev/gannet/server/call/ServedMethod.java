package dev.gannet.server.call;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.transport.ServerStream;
import dev.gannet.transport.settings.CallLimits;
import java.util.Optional;
import java.util.function.Supplier;

/** An entry of the server's method table: a method, its handler, and where that runs. Immutable. */
public final class ServedMethod<Q, R> implements EngineMethod<Q, R> {
  private final ServerMethodDefinition<Q, R> definition;
  private final Optional<MethodDescriptor<?, ?>> described;
  private final Supplier<HandlerRunner> runners;
  private final int handlerBytes;
  private final CallLimits limits;
  private final Draining draining;
  private final CallCounter counter = new CallCounter();

  /**
   * A method of the table.
   *
   * @param runners called for each call, and once for what all have in common
   */
  public ServedMethod(
      ServerMethodDefinition<Q, R> definition,
      Supplier<HandlerRunner> runners,
      CallLimits limits,
      Draining draining) {
    this.definition = definition;
    this.described = Optional.of(definition.method());
    this.runners = runners;
    this.handlerBytes = definition.waitsForPeer() ? runners.get().memoryBytes() : 0;
    this.limits = limits;
    this.draining = draining;
  }

  ServerMethodDefinition<Q, R> definition() {
    return definition;
  }

  Draining draining() {
    return draining;
  }

  @Override
  public MethodDescriptor<Q, R> descriptor() {
    return definition.method();
  }

  @Override
  public Optional<MethodDescriptor<?, ?>> described() {
    return described;
  }

  @Override
  public CallCounter counter() {
    return counter;
  }

  @Override
  public CallLimits limits() {
    return limits;
  }

  @Override
  public int handlerBytes() {
    return handlerBytes;
  }

  @Override
  public IncomingCall<Q, R> begin(ServerStream<R> stream) {
    return new IncomingCall<>(this, stream, runners.get());
  }
}
