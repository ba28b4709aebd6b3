package dev.gannet.transport.http2;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * The calls of a client's connection that are above the server's limit of concurrent streams: they
 * wait for a stream, in the order of their arrival. Confined to the connection's loop, except
 * {@link #size}.
 *
 * <p>The contract: a call waits from {@link #add} until one of the other methods takes it out,
 * which happens once. It learns then since when it has waited ({@link ClientCallStream#onWaited}),
 * whatever becomes of it next: whether it gets a stream, moves or ends is decided by the code that
 * has taken it.
 */
final class WaitingCalls {
  private final LinkedHashMap<ClientCallStream<?, ?>, Long> sinceNanos = new LinkedHashMap<>();
  private final LongSupplier clock;

  /** The size of the map, for other threads. */
  private volatile int size;

  WaitingCalls(LongSupplier clock) {
    this.clock = clock;
  }

  /** The call waits from now on. */
  void add(ClientCallStream<?, ?> call) {
    sinceNanos.put(call, clock.getAsLong());
    size = sinceNanos.size();
  }

  /** Takes this call out; does nothing if it does not wait. */
  void remove(ClientCallStream<?, ?> call) {
    Long since = sinceNanos.remove(call);
    if (since != null) {
      size = sinceNanos.size();
      call.onWaited(since);
    }
  }

  /** Takes out the call that has waited longest, if {@linkplain #isEmpty any} waits. */
  ClientCallStream<?, ?> takeFirst() {
    Map.Entry<ClientCallStream<?, ?>, Long> first =
        Objects.requireNonNull(sinceNanos.pollFirstEntry());
    size = sinceNanos.size();
    first.getKey().onWaited(first.getValue());
    return first.getKey();
  }

  /** Takes out all calls, and returns them in order. */
  List<ClientCallStream<?, ?>> takeAll() {
    List<ClientCallStream<?, ?>> taken = all();
    sinceNanos.forEach(ClientCallStream::onWaited);
    sinceNanos.clear();
    size = 0;
    return taken;
  }

  /** The calls that wait now, in order. */
  List<ClientCallStream<?, ?>> all() {
    return List.copyOf(sinceNanos.keySet());
  }

  boolean contains(ClientCallStream<?, ?> call) {
    return sinceNanos.containsKey(call);
  }

  boolean isEmpty() {
    return sinceNanos.isEmpty();
  }

  /** How many calls wait. Any thread. */
  int size() {
    return size;
  }
}
