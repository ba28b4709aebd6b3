package dev.gannet.server;

import dev.gannet.api.Deadline;
import dev.gannet.api.MethodType;
import dev.gannet.server.call.EngineCall;
import dev.gannet.server.call.EngineMethod;
import dev.gannet.server.call.ForwardingMethod;
import dev.gannet.transport.ServerStream;
import java.util.Optional;

/** A method whose calls are admitted by the {@link LoadShedder}. Immutable. */
final class SheddingMethod<Q, R> extends ForwardingMethod<Q, R> {
  private final LoadShedder shedder;
  private final AdaptiveLimit.Latency latency;

  SheddingMethod(EngineMethod<Q, R> method, LoadShedder shedder, AdaptiveLimit.Latency latency) {
    super(method);
    this.shedder = shedder;
    this.latency = latency;
  }

  @Override
  public EngineCall begin(ServerStream<R> stream) {
    return super.begin(new AdmittedStream<>(stream, this));
  }

  private boolean isUnary() {
    return descriptor().type() == MethodType.UNARY;
  }

  /** Whether a call with this deadline may start; if it may, {@link #leave} must follow once. */
  LoadShedder.Admission enter(Optional<Deadline> deadline) {
    return isUnary() ? shedder.enterCall(latency, deadline) : shedder.enterStream();
  }

  /** A call that was admitted at this time has ended like this. */
  void leave(long beganNanos, AdaptiveLimit.CallEnding how) {
    if (isUnary()) {
      shedder.leaveCall(latency, beganNanos, how);
    } else {
      shedder.leaveStream();
    }
  }

  long now() {
    return shedder.now();
  }
}
