package dev.gannet.server.call;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.transport.ServerStream;
import dev.gannet.transport.settings.CallLimits;
import java.util.Optional;

/** A method that forwards everything to another; subclasses wrap the calls that it begins. */
public abstract class ForwardingMethod<Q, R> implements EngineMethod<Q, R> {
  private final EngineMethod<Q, R> method;

  public ForwardingMethod(EngineMethod<Q, R> method) {
    this.method = method;
  }

  @Override
  public MethodDescriptor<Q, R> descriptor() {
    return method.descriptor();
  }

  @Override
  public Optional<MethodDescriptor<?, ?>> described() {
    return method.described();
  }

  @Override
  public CallCounter counter() {
    return method.counter();
  }

  @Override
  public CallLimits limits() {
    return method.limits();
  }

  @Override
  public int handlerBytes() {
    return method.handlerBytes();
  }

  @Override
  public EngineCall begin(ServerStream<R> stream) {
    return method.begin(stream);
  }
}
