package dev.gannet.server;

import dev.gannet.server.call.EngineCall;
import dev.gannet.server.call.EngineMethod;
import dev.gannet.server.call.ForwardingMethod;
import dev.gannet.transport.ServerStream;

/** A method whose calls start only if an {@link Admission} lets them in. Immutable. */
final class AdmittedMethod<Q, R> extends ForwardingMethod<Q, R> {
  private final Admission admission;

  AdmittedMethod(EngineMethod<Q, R> method, Admission admission) {
    super(method);
    this.admission = admission;
  }

  @Override
  public EngineCall begin(ServerStream<R> stream) {
    return super.begin(new AdmittedStream<>(stream, admission));
  }
}
