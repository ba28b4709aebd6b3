package dev.gannet.client;

import dev.gannet.api.CallContext;
import dev.gannet.api.Status;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.ConnectionInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A connection in a test's hand. */
public final class FakeTransport implements ClientTransport {
  public final List<FakeStream<?>> streams = new ArrayList<>();

  /** For each stream: the call that was being served by the thread that opened it. */
  public final List<Optional<CallContext>> currentCalls = new ArrayList<>();

  public final List<Status> endings = new ArrayList<>();
  public final List<Ping> pings = new ArrayList<>();
  public int callsWaiting;
  public String authority = "name";
  public int shutdowns;
  public Optional<Error> thrownByOpen = Optional.empty();
  public Optional<RuntimeException> thrownBySendOfNext = Optional.empty();
  public Runnable duringSendOfNext = () -> {};

  /** Happens while a stream is opened, before the connection knows it. */
  public Runnable duringOpen = () -> {};

  public Optional<RuntimeException> thrownByShutdown = Optional.empty();

  @Override
  public <Q, R> ClientStream<Q> open(CallStart<Q, R> start, ClientCallEventListener events) {
    if (thrownByOpen.isPresent()) {
      throw thrownByOpen.get();
    }
    duringOpen.run();
    FakeStream<Q> stream = new FakeStream<>(start, events);
    stream.thrownBySend = thrownBySendOfNext;
    stream.duringSend = duringSendOfNext;
    streams.add(stream);
    currentCalls.add(CallContext.current());
    return stream;
  }

  public FakeStream<?> stream() {
    return streams.getLast();
  }

  @Override
  public void ping(Ping ping) {
    pings.add(ping);
  }

  @Override
  public ConnectionInfo connection() {
    return new ConnectionInfo(TestResolver.address(9), TestResolver.address(1));
  }

  @Override
  public String authority() {
    return authority;
  }

  @Override
  public int callsWaiting() {
    return callsWaiting;
  }

  @Override
  public void spreadCalls(UnaryOperator<ClientCallEventListener> listeners) {
    streams.forEach(stream -> stream.replaceListener(listeners));
  }

  @Override
  public void shutdown() {
    shutdowns++;
    if (thrownByShutdown.isPresent()) {
      throw thrownByShutdown.get();
    }
  }

  @Override
  public void shutdownNow(Status status) {
    endings.add(status);
    List.copyOf(streams).forEach(stream -> stream.cancel(status));
  }
}
