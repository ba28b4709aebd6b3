package dev.gannet.server;

import dev.gannet.api.ServerStreamTracer;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.protocol.RequestProtocols;
import dev.gannet.server.call.CallObserver;
import dev.gannet.server.call.ContextValue;
import dev.gannet.server.call.ServedMethod;
import dev.gannet.transport.ServerCalls;
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
  public Optional<ServedMethod<?, ?>> find(String path) {
    return ofServer.find(path).map(this::ofConnection);
  }

  @Override
  public Optional<ServedMethod<?, ?>> findFallback(String path) {
    return ofServer.findFallback(path).map(this::ofConnection);
  }

  private ServedMethod<?, ?> ofConnection(ServedMethod<?, ?> method) {
    return method.onConnection(
        Optional.ofNullable(counter).map(it -> counting(it, method)), values);
  }

  private static CallObserver.Factory counting(
      ConnectionCounter counter, ServedMethod<?, ?> method) {
    return () -> new CountedCall(counter, method.counter());
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
}
