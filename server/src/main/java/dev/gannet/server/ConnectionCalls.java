package dev.gannet.server;

import dev.gannet.api.ServerStreamTracer;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.protocol.RequestProtocols;
import dev.gannet.server.call.ContextValue;
import dev.gannet.server.call.EngineCall;
import dev.gannet.server.call.EngineMethod;
import dev.gannet.server.call.ForwardingMethod;
import dev.gannet.transport.ServerCalls;
import dev.gannet.transport.ServerStream;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Starts the calls of one connection whose filters have set values, or whose calls are counted.
 * Safe for all threads, like the server itself.
 *
 * @param values the initial values of each call; null if there are none
 * @param counter counts the calls; null if they are not counted
 */
record ConnectionCalls(
    CallIntake ofServer, @Nullable ContextValue values, @Nullable ConnectionCounter counter)
    implements ServerCalls {
  @Override
  public Optional<EngineMethod<?, ?>> find(String path) {
    return ofServer.find(path).map(this::ofConnection);
  }

  @Override
  public Optional<EngineMethod<?, ?>> findFallback(String path) {
    return ofServer.findFallback(path).map(this::ofConnection);
  }

  private EngineMethod<?, ?> ofConnection(EngineMethod<?, ?> method) {
    return new OfConnection<>(method, this);
  }

  @Override
  public MessageEncodings encodings() {
    return ofServer.encodings();
  }

  @Override
  public RequestProtocols protocols() {
    return ofServer.protocols();
  }

  @Override
  public List<ServerStreamTracer.Factory> tracers() {
    return ofServer.tracers();
  }

  @Override
  public void onSlowPass() {
    ofServer.onSlowPass();
  }

  private static final class OfConnection<Q, R> extends ForwardingMethod<Q, R> {
    private final ConnectionCalls calls;

    OfConnection(EngineMethod<Q, R> method, ConnectionCalls calls) {
      super(method);
      this.calls = calls;
    }

    @Override
    public EngineCall begin(ServerStream<R> stream) {
      ConnectionCounter counter = calls.counter();
      if (counter == null) {
        return withValues(super.begin(stream));
      }
      CountedStream<R> counted = new CountedStream<>(stream, counter, counter());
      counter.onStart(counter());
      return new CountedCallListener(withValues(super.begin(counted)), counted, counter());
    }

    private EngineCall withValues(EngineCall call) {
      ContextValue values = calls.values();
      if (values != null) {
        call.setValues(values);
      }
      return call;
    }
  }
}
