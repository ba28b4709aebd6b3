package dev.gannet.server;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

/**
 * Notifies a server's observers of each step once and in order. For all threads.
 *
 * <pre>
 *   NEW ──► STARTED ──► SHUT_DOWN ──► DRAINING ──► TERMINATED
 * </pre>
 */
final class ServerObservers {
  private static final Logger LOG = System.getLogger(ServerObservers.class.getName());

  private enum Phase {
    NEW,
    STARTED,
    SHUT_DOWN,
    DRAINING,
    TERMINATED
  }

  private final Server server;
  private final List<ServerObserver> observers;
  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.NEW);

  ServerObservers(Server server, List<ServerObserver> observers) {
    this.server = server;
    this.observers = observers;
  }

  /** An exception of an observer prevents the server from starting. */
  void start() {
    phase.set(Phase.STARTED);
    observers.forEach(it -> it.onStart(server));
  }

  /** Returns whether this is the first call. */
  boolean shutDown() {
    boolean first = advance(Phase.SHUT_DOWN);
    if (first) {
      tell(ServerObserver::onShutdown);
    }
    return first;
  }

  void drain() {
    shutDown();
    if (advance(Phase.DRAINING)) {
      tell(ServerObserver::onDrain);
    }
  }

  void terminate() {
    if (advance(Phase.TERMINATED)) {
      tell(ServerObserver::onTerminated);
    }
  }

  boolean isShutDown() {
    return phase.get().compareTo(Phase.SHUT_DOWN) >= 0;
  }

  private boolean advance(Phase to) {
    return phase.getAndUpdate(now -> now.compareTo(to) < 0 ? to : now).compareTo(to) < 0;
  }

  private void tell(BiConsumer<ServerObserver, Server> what) {
    for (ServerObserver observer : observers) {
      try {
        what.accept(observer, server);
      } catch (Throwable e) {
        LOG.log(Level.WARNING, "an observer of the server failed", e);
      }
    }
  }
}
