package dev.gannet.server;

import dev.gannet.transport.GuardedLog;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;

/**
 * The phase of a server, of which its observers are notified once and in order. Safe for all
 * threads.
 *
 * <pre>
 *   NEW ──start──► STARTED ──shutDown──► SHUT_DOWN ──drain──► DRAINING ──terminate──► TERMINATED
 *                     └─────────────────cannot start──────────────────────────────────────▲
 * </pre>
 */
final class ServerLifecycle {
  private static final Logger LOG = System.getLogger(ServerLifecycle.class.getName());

  private enum Phase {
    NEW,
    STARTED,
    SHUT_DOWN,
    DRAINING,
    TERMINATED
  }

  private final Server server;
  private final List<ServerObserver> observers;
  private final ReentrantLock lock = new ReentrantLock();

  /** Written under the lock, as the steps are added; before the start no other thread knows it. */
  private volatile Phase phase = Phase.NEW;

  private final Queue<BiConsumer<ServerObserver, Server>> steps = new ConcurrentLinkedQueue<>();
  private final AtomicInteger unreported = new AtomicInteger();
  private final CountDownLatch terminated = new CountDownLatch(1);

  ServerLifecycle(Server server, List<ServerObserver> observers) {
    this.server = server;
    this.observers = observers;
  }

  /**
   * An exception of an observer prevents the server from starting. Other steps follow when all
   * observers were notified of this one.
   */
  void start() {
    phase = Phase.STARTED;
    unreported.incrementAndGet();
    try {
      observers.forEach(it -> it.onStart(server));
    } finally {
      notifyOfRest();
    }
  }

  /** Returns whether this is the first call. */
  boolean shutDown() {
    return tryEnter(Phase.SHUT_DOWN, ServerObserver::onShutdown);
  }

  void drain() {
    shutDown();
    tryEnter(Phase.DRAINING, ServerObserver::onDrain);
  }

  void terminate() {
    tryEnter(Phase.TERMINATED, ServerObserver::onTerminated);
  }

  boolean isShutDown() {
    return phase.compareTo(Phase.SHUT_DOWN) >= 0;
  }

  boolean isTerminated() {
    return phase == Phase.TERMINATED;
  }

  void awaitTermination() throws InterruptedException {
    terminated.await();
  }

  /** Blocks until it has terminated, with a timeout; returns whether it has. */
  boolean awaitTermination(Duration timeout) throws InterruptedException {
    return terminated.await(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
  }

  /** Returns whether it was in an earlier phase. */
  private boolean tryEnter(Phase next, BiConsumer<ServerObserver, Server> step) {
    lock.lock();
    try {
      if (phase.compareTo(next) >= 0) {
        return false;
      }
      phase = next;
      steps.add(step);
    } finally {
      lock.unlock();
    }
    if (next == Phase.TERMINATED) {
      terminated.countDown(); // no observer delays those who wait
    }
    notifyInOrder();
    return true;
  }

  /**
   * One thread notifies the observers, without the lock; steps that observers or other threads add
   * meanwhile follow.
   */
  private void notifyInOrder() {
    if (unreported.getAndIncrement() > 0) {
      return;
    }
    notifyOf(steps.remove());
    notifyOfRest();
  }

  /** The observers were notified of a step. */
  private void notifyOfRest() {
    while (unreported.decrementAndGet() > 0) {
      notifyOf(steps.remove());
    }
  }

  private void notifyOf(BiConsumer<ServerObserver, Server> what) {
    for (ServerObserver observer : observers) {
      try {
        what.accept(observer, server);
      } catch (Throwable e) {
        GuardedLog.warn(LOG, "an observer of the server failed", e);
      }
    }
  }
}
