package dev.gannet.client;

import dev.gannet.api.Status;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.TransportSettings;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Connections in a test's hand. */
final class FakeConnector implements TransportProvider.Connector {
  /** One attempt to open a connection, and what becomes of it. */
  static final class Dial {
    final SocketAddress address;
    final TransportSettings connections;
    final TransportProvider.Opening then;
    FakeTransport transport = new FakeTransport();
    boolean takenBack;

    Dial(SocketAddress address, TransportSettings connections, TransportProvider.Opening then) {
      this.address = address;
      this.connections = connections;
      this.then = then;
    }

    void opens() {
      then.onOpened(transport);
    }

    FakeTransport becomesReady() {
      opens();
      then.onReady();
      return transport;
    }

    void isRefused() {
      then.onNotOpened("connection refused: " + address);
    }

    void goesAway() {
      then.onGoingAway(
          Status.UNAVAILABLE.withDescription("the server closes the connection (GOAWAY)"));
    }

    void isGone(String why) {
      then.onTerminated(Status.UNAVAILABLE.withDescription(why));
    }

    void isLost() {
      goesAway();
      isGone("lost");
    }
  }

  final List<Dial> dials = new ArrayList<>();
  Optional<Error> thrown = Optional.empty();
  boolean refusesAtOnce;
  int closes;

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

  Dial last() {
    return dials.getLast();
  }
}
