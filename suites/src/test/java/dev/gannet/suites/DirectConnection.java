package dev.gannet.suites;

import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.ServerCalls;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.ServerTransport;
import dev.gannet.transport.TransportProvider.Accepting;
import dev.gannet.transport.TransportProvider.Opening;
import dev.gannet.transport.tracing.ServerTracers;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Both ends of one connection of a {@link DirectTransport}.
 *
 * <pre>
 *   OPEN ──shutdown of either end──► DRAINING ──last call has ended──► CLOSED
 * </pre>
 */
final class DirectConnection implements ClientTransport {
  private enum State {
    OPEN,
    DRAINING,
    CLOSED
  }

  private final SimulatedLoop loop;
  private final ConnectionInfo info;
  private final Opening client;
  private final Accepting server;
  private final ServerCalls served;
  private final DirectTracing tracing;
  private final ServerEnd serverEnd = new ServerEnd(this);
  private final Set<DirectCall<?, ?>> calls = new LinkedHashSet<>();
  private State state = State.OPEN;

  DirectConnection(
      SimulatedLoop loop,
      ConnectionInfo info,
      Opening client,
      Accepting server,
      ServerCalls served) {
    this.loop = loop;
    this.info = info;
    this.client = client;
    this.server = server;
    this.served = served;
    this.tracing = new DirectTracing(new ServerTracers(served.tracers()), info, client.authority());
  }

  ServerTransport serverEnd() {
    return serverEnd;
  }

  SimulatedLoop loop() {
    return loop;
  }

  /** The server's method with this name; throws what its fallback registry throws. */
  Optional<? extends ServerMethod<?, ?>> find(String fullMethodName) {
    String path = "/" + fullMethodName;
    Optional<? extends ServerMethod<?, ?>> found = served.find(path);
    return found.isPresent() ? found : served.findFallback(path);
  }

  MessageEncodings encodings() {
    return served.encodings();
  }

  DirectTracing tracing() {
    return tracing;
  }

  ConnectionInfo info() {
    return info;
  }

  /** Adds a call that begins; returns false if it is not carried. */
  boolean add(DirectCall<?, ?> call) {
    return state == State.OPEN && calls.add(call);
  }

  void remove(DirectCall<?, ?> call) {
    calls.remove(call);
    closeIfDrained();
  }

  @Override
  public <Q, R> ClientStream<Q> open(CallStart<Q, R> start, ClientCallEventListener events) {
    return new DirectCall<>(this, start, events);
  }

  @Override
  public void ping(Ping ping) {
    loop.execute(() -> {
      if (state == State.OPEN) {
        ping.onAnswer(0);
      } else {
        ping.onFailed(DirectTransport.gone("the connection is shut down"));
      }
    });
  }

  @Override
  public ConnectionInfo connection() {
    return info();
  }

  @Override
  public String authority() {
    return client.authority();
  }

  @Override
  public void shutdown() {
    loop.execute(() -> drain(DirectTransport.gone("the connection is shut down")));
  }

  @Override
  public void shutdownNow(Status status) {
    loop.execute(() -> endAll(status));
  }

  private void drain(Status why) {
    if (state == State.OPEN) {
      state = State.DRAINING;
      client.onGoingAway(why);
    }
    closeIfDrained();
  }

  private void endAll(Status status) {
    List.copyOf(calls).forEach(call -> call.endBoth(status));
    drain(status);
  }

  private void closeIfDrained() {
    if (state == State.DRAINING && calls.isEmpty()) {
      state = State.CLOSED;
      client.onTerminated(DirectTransport.gone("the connection is closed"));
      server.onTerminated(serverEnd);
      server.onGone(info.remoteAddress());
    }
  }

  private record ServerEnd(DirectConnection connection) implements ServerTransport {
    @Override
    public void shutdown() {
      connection.shutdown();
    }

    @Override
    public void shutdownNow(Status status) {
      connection.shutdownNow(status);
    }
  }
}
