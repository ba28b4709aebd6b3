package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.wire.Ending;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The results of all connections of an attack so far. Safe for all threads. */
public final class Tally {
  private final LongAdder opened = new LongAdder();
  private final LongAdder sentBytes = new LongAdder();
  private final Map<Ending, LongAdder> endings = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable RuntimeException> broken = new AtomicReference<>();

  /** No results. */
  public Tally() {}

  void countOpened() {
    opened.increment();
  }

  void countSent(long bytes) {
    sentBytes.add(bytes);
  }

  /** An attacker failed because of its own error; the first error is kept. */
  void breakWith(RuntimeException thrown) {
    broken.compareAndSet(null, thrown);
  }

  /** Throws that error, if there is one: the measurement is invalid then. */
  void check() {
    RuntimeException thrown = broken.get();
    if (thrown != null) {
      throw new IllegalStateException("an attacker is broken: " + thrown, thrown);
    }
  }

  void count(Ending ending) {
    endings.computeIfAbsent(ending, first -> new LongAdder()).increment();
  }

  /** Connections that the server accepted. */
  public long opened() {
    return opened.sum();
  }

  /** The bytes that all of them have sent. */
  public long sentBytes() {
    return sentBytes.sum();
  }

  /** How often the server has ended connections, by kind of end, in no particular order. */
  public Map<String, Long> endings() {
    Map<String, Long> counts = new TreeMap<>();
    endings.forEach((ending, count) -> counts.merge(ending.toString(), count.sum(), Long::sum));
    return counts;
  }

  /** Connections that the server ended with GOAWAY. */
  public long goAways() {
    return endings.entrySet().stream()
        .filter(it -> it.getKey() instanceof Ending.GoAway)
        .mapToLong(it -> it.getValue().sum())
        .sum();
  }

  /** Connections that the server ended in any way. */
  public long ended() {
    return endings.entrySet().stream()
        .filter(it -> !(it.getKey() instanceof Ending.Refused))
        .mapToLong(it -> it.getValue().sum())
        .sum();
  }
}
