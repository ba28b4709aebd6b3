package dev.gannet.server;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.transport.ServerStream;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** An entry of the server's method table: a method, its handler, and where that runs. Immutable. */
final class ServedMethod<Q, R> implements EngineMethod<Q, R> {
  private final ServerMethodDefinition<Q, R> definition;
  private final Supplier<HandlerRunner> runners;
  private final MethodLimits limits;
  private final MethodCounter counter = new MethodCounter();

  /**
   * A method of the table.
   *
   * @param runners called once for each call
   */
  ServedMethod(
      ServerMethodDefinition<Q, R> definition,
      Supplier<HandlerRunner> runners,
      MethodLimits limits) {
    this.definition = definition;
    this.runners = runners;
    this.limits = limits;
  }

  @Override
  public MethodDescriptor<Q, R> descriptor() {
    return definition.method();
  }

  @Override
  public MethodCounter counter() {
    return counter;
  }

  @Override
  public int maxInboundMessageBytes(int ofServer) {
    return limits.maxInboundMessageBytes().orElse(ofServer);
  }

  @Override
  public long maxCallNanos(long ofServer) {
    return limits.maxCallDuration().isEmpty()
        ? ofServer
        : TimeUnit.NANOSECONDS.convert(limits.maxCallDuration().get()); // too long means forever
  }

  @Override
  public IncomingCall<Q, R> begin(ServerStream<R> stream) {
    return new IncomingCall<>(definition, stream, runners.get());
  }
}
