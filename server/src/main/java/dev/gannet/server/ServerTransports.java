package dev.gannet.server;

import dev.gannet.transport.EntityIds;
import dev.gannet.transport.GuardedLog;
import dev.gannet.transport.Listening;
import dev.gannet.transport.ServerTransport;
import java.lang.System.Logger;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The addresses on which a server listens, and its connections. Safe for all threads.
 *
 * <pre>
 *   OPEN ──close──► ENDING ──all addresses are free, all connections are gone──► done
 * </pre>
 *
 * <p>An address is closed without the lock, and may be free only later: its event loop may be
 * occupied.
 */
final class ServerTransports {
  private enum Phase {
    /** Addresses and connections are added. */
    OPEN,

    /** No address and no connection is added. */
    ENDING
  }

  /** An address on which the server listens. */
  private record Address(long id, Listening listening) {}

  private static final Logger LOG = System.getLogger(Server.class.getName());

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition freed = lock.newCondition();
  private final List<Address> addresses = new ArrayList<>();
  private final Map<ServerTransport, ServedConnection> connections = new LinkedHashMap<>();
  private Phase phase = Phase.OPEN;

  /** The numbers of the addresses that are being closed, and are not known to be free. */
  private final Set<Long> closing = new HashSet<>();

  /** The number of connections that were accepted and are neither added nor given up yet. */
  private int opening;

  /** Adds an address that was opened; returns false if the caller has to close it. */
  boolean tryAdd(Listening opened) {
    lock.lock();
    try {
      return phase == Phase.OPEN && addresses.add(new Address(EntityIds.next(), opened));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Expects a connection: {@link #add} or {@link #giveUp} follows. Returns false if none may be
   * opened any more.
   */
  boolean tryExpect() {
    lock.lock();
    try {
      if (phase == Phase.ENDING) {
        return false;
      }
      opening++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** An expected connection is not opened. */
  void giveUp() {
    lock.lock();
    try {
      opening--;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds an expected connection.
   *
   * @return whether it may be used; otherwise the caller has to end it
   */
  boolean add(ServerTransport transport, ServedConnection connection) {
    lock.lock();
    try {
      opening--;
      connections.put(transport, connection);
      return phase != Phase.ENDING;
    } finally {
      lock.unlock();
    }
  }

  /** Removes a connection that is gone; null if it is not known. */
  @Nullable ServedConnection remove(ServerTransport transport) {
    lock.lock();
    try {
      return connections.remove(transport);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Begins to close the addresses, unless another thread has, and returns the connections that have
   * been added, for the caller to end. Those that are added later are ended by who adds them.
   *
   * @param onFree is run when an address has become free, on any thread
   */
  List<ServerTransport> close(Runnable onFree) {
    takeAddresses().forEach(address -> close(address, onFree));
    lock.lock();
    try {
      return List.copyOf(connections.keySet());
    } finally {
      lock.unlock();
    }
  }

  private void close(Address address, Runnable onFree) {
    try {
      address
          .listening()
          .close(() -> {
            free(address);
            onFree.run();
          });
    } catch (RuntimeException | Error e) { // the others must be closed, too
      free(address);
      GuardedLog.warn(LOG, "an address of the server cannot be closed", e);
    }
  }

  private void free(Address address) {
    lock.lock();
    try {
      closing.remove(address.id());
      freed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Blocks until all addresses that are being closed are free, with a timeout, or until another
   * interrupt. A thread that was interrupted before waits as well: an interrupt may be the reason
   * for the shutdown.
   */
  void awaitFree(Duration atMost) {
    long leftNanos = TimeUnit.NANOSECONDS.convert(atMost);
    boolean interrupted = Thread.interrupted();
    lock.lock();
    try {
      while (!closing.isEmpty() && leftNanos > 0) {
        leftNanos = freed.awaitNanos(leftNanos);
      }
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The addresses that the caller has to close. */
  private List<Address> takeAddresses() {
    lock.lock();
    try {
      if (phase != Phase.OPEN) {
        return List.of(); // another thread closes them, or has done so
      }
      phase = Phase.ENDING;
      addresses.forEach(it -> closing.add(it.id()));
      return List.copyOf(addresses);
    } finally {
      lock.unlock();
    }
  }

  /** Whether the addresses are free, there is no connection, and none will follow. */
  boolean isDone() {
    lock.lock();
    try {
      return phase == Phase.ENDING && closing.isEmpty() && opening == 0 && connections.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** The addresses, in the order in which they were added. */
  List<SocketAddress> addresses() {
    lock.lock();
    try {
      return addresses.stream().map(it -> it.listening().address()).toList();
    } finally {
      lock.unlock();
    }
  }

  /** The state of the server at one moment. */
  ServerSnapshot snapshot(long serverId, CallCounts calls, Map<String, CallCounts> methods) {
    lock.lock();
    try {
      return new ServerSnapshot(
          new ServerSnapshot.Values(
              serverId,
              calls,
              methods,
              addresses.stream()
                  .map(it -> new ServerSnapshot.ListenSocket(it.id(), it.listening().address()))
                  .toList(),
              connections.values().stream().map(ServedConnection::snapshot).toList()));
    } finally {
      lock.unlock();
    }
  }
}
