package dev.gannet.server;

import dev.gannet.api.MethodDescriptor;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The {@link ConcurrentCalls} of all methods that have such a limit. Methods with the same full
 * name share one, because a registry may return a method for several paths, or replace it. Safe for
 * all threads.
 *
 * <p>The limit of a service may be for any number of methods of a registry. So one is kept only as
 * long as a served method or a call refers to it; later it would count from 0 in any case.
 */
final class ConcurrentCallsByMethod {
  private final LimitsByMethod limits;
  private final Map<String, Kept> byName = new ConcurrentHashMap<>();
  private final ReferenceQueue<ConcurrentCalls> unused = new ReferenceQueue<>();

  private static final class Kept extends WeakReference<ConcurrentCalls> {
    private final String name;

    Kept(String name, ConcurrentCalls calls, ReferenceQueue<ConcurrentCalls> unused) {
      super(calls, unused);
      this.name = name;
    }
  }

  ConcurrentCallsByMethod(LimitsByMethod limits) {
    this.limits = limits;
  }

  /** Admits the calls of all methods with this one's name; empty if they have no limit. */
  Optional<Admission> of(MethodDescriptor<?, ?> method) {
    OptionalInt max = limits.of(method).maxConcurrentCalls();
    return max.isEmpty()
        ? Optional.empty()
        : Optional.of(shared(method.fullMethodName(), new ConcurrentCalls(method, max.getAsInt())));
  }

  private ConcurrentCalls shared(String name, ConcurrentCalls added) {
    removeUnused();
    Kept kept = new Kept(name, added, unused);
    while (true) {
      Kept known = byName.putIfAbsent(name, kept);
      if (known == null) {
        return added;
      }
      ConcurrentCalls shared = known.get();
      if (shared != null) {
        return shared;
      }
      byName.remove(name, known);
    }
  }

  private void removeUnused() {
    for (Reference<?> gone = unused.poll(); gone != null; gone = unused.poll()) {
      if (gone instanceof Kept kept) {
        byName.remove(kept.name, kept);
      }
    }
  }
}
