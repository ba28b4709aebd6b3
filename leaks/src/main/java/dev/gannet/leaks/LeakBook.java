package dev.gannet.leaks;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakTracker;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** The leaks that detectors have found, and the detectors. Safe for all threads. */
final class LeakBook {
  /** A leak detector sees garbage one collection after it was collected. */
  private static final int COLLECTIONS = 2;

  private static final Duration MAX_COLLECTION = Duration.ofSeconds(10);

  private final List<ResourceLeakDetector<Object>> detectors = new CopyOnWriteArrayList<>();
  private final Queue<String> leaks = new ConcurrentLinkedQueue<>();

  void add(ResourceLeakDetector<Object> detector) {
    detectors.add(detector);
  }

  void report(String resourceType, String records) {
    leaks.add(resourceType + records);
  }

  /** Collects garbage, has the detectors check it, and returns what they found. */
  List<String> takeAfterCollection() {
    for (int i = 0; i < COLLECTIONS; i++) {
      collectGarbage();
    }
    detectors.forEach(LeakBook::look);
    List<String> taken = new ArrayList<>();
    for (String leak = leaks.poll(); leak != null; leak = leaks.poll()) {
      taken.add(leak);
    }
    return taken;
  }

  /** Returns when something that was garbage before has been collected. */
  private static void collectGarbage() {
    ReferenceQueue<Object> collected = new ReferenceQueue<>();
    WeakReference<Object> garbage = new WeakReference<>(new Object(), collected);
    System.gc();
    try {
      if (collected.remove(MAX_COLLECTION.toMillis()) == null) {
        throw new IllegalStateException("garbage is not collected: is System.gc() switched off?");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      Reference.reachabilityFence(garbage);
    }
  }

  /** Detectors check for leaks whenever they begin to track something. */
  private static void look(ResourceLeakDetector<Object> detector) {
    Object nothing = new Object();
    ResourceLeakTracker<Object> tracker = detector.trackForcibly(nothing);
    tracker.close(nothing);
  }
}
