package dev.gannet.client;

import dev.gannet.api.Status;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.settings.TransportSettings;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Connections in a test's hand. */
public final class FakeConnector implements TransportProvider.Connector {
  /** One attempt to open a connection, and what becomes of it. */
  public static final class Dial {
    public final SocketAddress address;
    public final TransportSettings connections;
    public final TransportProvider.Opening then;
    public FakeTransport transport = new FakeTransport();
    public boolean takenBack;

    public Dial(
        SocketAddress address, TransportSettings connections, TransportProvider.Opening then) {
      this.address = address;
      this.connections = connections;
      this.then = then;
    }

    public void opens() {
      transport.authority = then.authority();
      then.onOpened(transport);
    }

    public FakeTransport becomesReady() {
      opens();
      then.onReady();
      return transport;
    }

    public void isRefused() {
      then.onNotOpened("connection refused: " + address);
    }

    public void goesAway() {
      then.onGoingAway(
          Status.UNAVAILABLE.withDescription("the server closes the connection (GOAWAY)"));
    }

    public void isGone(String why) {
      then.onTerminated(Status.UNAVAILABLE.withDescription(why));
    }

    public void isLost() {
      goesAway();
      isGone("lost");
    }
  }

  public final List<Dial> dials = new ArrayList<>();
  public Optional<Error> thrown = Optional.empty();
  public boolean refusesAtOnce;
  public int closes;

  @Override
  public Scheduler.Cancellable connect(
      SocketAddress address, TransportSettings connections, TransportProvider.Opening then) {
    if (thrown.isPresent()) {
      throw thrown.get();
    }
    Dial dial = new Dial(address, connections, then);
    dials.add(dial);
    if (refusesAtOnce) {
      dial.isRefused();
    }
    return () -> dial.takenBack = true;
  }

  @Override
  public void close() {
    closes++;
  }

  public Dial last() {
    return dials.getLast();
  }
}
