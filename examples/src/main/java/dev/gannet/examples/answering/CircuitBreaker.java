package dev.gannet.examples.answering;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.ForwardingClientCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Refuses the calls of a channel for some time after many of them have failed in a row, and ends
 * those that are under way then: nobody waits for a server that does not work. After that time
 * calls go to the server again; the first that succeeds closes the circuit, and each that fails
 * opens it again. Safe for all threads.
 *
 * <pre>
 *   closed ──many failures in a row──► open ──the time is over──► closed, at the next failure open
 * </pre>
 */
public final class CircuitBreaker implements ClientInterceptor {
  /** So many failures in a row are many. */
  static final int MANY = 5;

  private static final Status OPEN =
      Status.UNAVAILABLE.withDescription("the circuit is open after " + MANY + " failed calls");

  private final Duration rest;
  private final LongSupplier nanoTime;
  private final AtomicInteger failures = new AtomicInteger();
  private final Set<WatchedCall<?, ?>> underWay = ConcurrentHashMap.newKeySet();
  private volatile long openedNanos;

  /**
   * A closed circuit.
   *
   * @param rest how long it is open
   * @param nanoTime the clock: {@code System::nanoTime}
   */
  public CircuitBreaker(Duration rest, LongSupplier nanoTime) {
    this.rest = rest;
    this.nanoTime = nanoTime;
    this.openedNanos = nanoTime.getAsLong() - rest.toNanos();
  }

  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    if (isOpen()) {
      throw OPEN.asException();
    }
    return new WatchedCall<>(next.newCall(method, options));
  }

  private boolean isOpen() {
    return nanoTime.getAsLong() - openedNanos < rest.toNanos();
  }

  private void onEnd(Status status) {
    if (status.code() != Status.Code.UNAVAILABLE
        && status.code() != Status.Code.DEADLINE_EXCEEDED) {
      failures.set(0); // the server has answered
    } else if (!isOpen() && failures.incrementAndGet() >= MANY) {
      openedNanos = nanoTime.getAsLong(); // first: the calls that end now count no more
      underWay.forEach(WatchedCall::endByCircuit);
    }
  }

  private final class WatchedCall<Q, R> extends ForwardingClientCall<Q, R> {
    WatchedCall(ClientCall<Q, R> call) {
      super(call);
    }

    void endByCircuit() {
      end(OPEN, new Metadata());
    }

    @Override
    public void start(ClientCall.Listener<? super R> listener, Metadata headers) {
      underWay.add(this);
      try {
        super.start(new Watching(listener), headers);
      } catch (Throwable e) {
        underWay.remove(this);
        throw e;
      }
    }

    private final class Watching extends ForwardingClientCallListener<R> {
      Watching(ClientCall.Listener<? super R> listener) {
        super(listener);
      }

      @Override
      public void onClose(Status status, Metadata trailers) {
        underWay.remove(WatchedCall.this);
        onEnd(status);
        super.onClose(status, trailers);
      }
    }
  }
}
