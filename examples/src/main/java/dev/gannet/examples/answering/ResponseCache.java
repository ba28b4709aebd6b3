package dev.gannet.examples.answering;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.ForwardingClientCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.SingleRequestClientCall;
import dev.gannet.api.Status;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers calls of unary methods without side effects with the response of an earlier call that had
 * an equal request. It is for responses that depend on nothing else: not on a token, for example.
 * Safe for all threads.
 */
public final class ResponseCache implements ClientInterceptor {
  private record Key(String method, Object request) {}

  private record Kept(Object response, long sinceNanos) {}

  /** The entries that were used last. */
  private static final class Recent extends LinkedHashMap<Key, Kept> {
    private static final long serialVersionUID = 1;

    private final int maxSize;

    Recent(int maxSize) {
      super(16, 0.75f, true);
      this.maxSize = maxSize;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Key, Kept> eldest) {
      return size() > maxSize;
    }
  }

  private final Duration maxAge;
  private final LongSupplier nanoTime;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private final Recent recent;

  /**
   * An empty cache.
   *
   * @param maxSize how many responses it keeps at most
   * @param maxAge how old an answer is at most
   * @param nanoTime the clock: {@code System::nanoTime}
   */
  public ResponseCache(int maxSize, Duration maxAge, LongSupplier nanoTime) {
    this.recent = new Recent(maxSize);
    this.maxAge = maxAge;
    this.nanoTime = nanoTime;
  }

  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    boolean mayBeKept =
        method.type() == MethodType.UNARY
            && method.idempotency() == MethodDescriptor.Idempotency.NO_SIDE_EFFECTS;
    return mayBeKept ? new CachedCall<>(method, options, next) : next.newCall(method, options);
  }

  private final class CachedCall<Q, R> extends SingleRequestClientCall<Q, R> {
    private final MethodDescriptor<Q, R> method;
    private final CallOptions options;
    private final Channel next;

    CachedCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      super(method, options, next);
      this.method = method;
      this.options = options;
      this.next = next;
    }

    @Override
    @SuppressWarnings("unchecked") // the key has the method
    protected ClientCall<Q, R> callFor(Q request, Metadata headers) {
      Key key = new Key(method.fullMethodName(), request);
      Optional<Object> known = find(key);
      return known.isPresent()
          ? answered((R) known.get())
          : new KeptCall<>(next.newCall(method, options), key);
    }
  }

  private Optional<Object> find(Key key) {
    lock.lock();
    try {
      Kept kept = recent.get(key);
      if (kept == null || nanoTime.getAsLong() - kept.sinceNanos() >= maxAge.toNanos()) {
        return Optional.empty();
      }
      return Optional.of(kept.response());
    } finally {
      lock.unlock();
    }
  }

  private void keep(Key key, Object response) {
    lock.lock();
    try {
      recent.put(key, new Kept(response, nanoTime.getAsLong()));
    } finally {
      lock.unlock();
    }
  }

  /** A call whose response is kept, unless it fails. */
  private final class KeptCall<Q, R> extends ForwardingClientCall<Q, R> {
    private final Key key;

    KeptCall(ClientCall<Q, R> call, Key key) {
      super(call);
      this.key = key;
    }

    @Override
    public void start(ClientCall.Listener<? super R> listener, Metadata headers) {
      super.start(new Keeping(listener), headers);
    }

    private final class Keeping extends ForwardingClientCallListener<R> {
      private @Nullable R response;

      Keeping(ClientCall.Listener<? super R> listener) {
        super(listener);
      }

      @Override
      public void onMessage(R message) {
        response = message;
        super.onMessage(message);
      }

      @Override
      public void onClose(Status status, Metadata trailers) {
        if (status.isOk() && response != null) {
          keep(key, response);
        }
        super.onClose(status, trailers);
      }
    }
  }
}
