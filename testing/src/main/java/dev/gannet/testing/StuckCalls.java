package dev.gannet.testing;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Ends calls that wait for a virtual clock which nobody moves, with an explanation. */
final class StuckCalls implements ClientInterceptor {
  private final VirtualClock clock;
  private final Duration patience;
  private final Executor later;

  StuckCalls(VirtualClock clock, Duration patience) {
    this.clock = clock;
    this.patience = patience;
    // Not the common pool: the blocked caller may be its only thread.
    this.later =
        CompletableFuture.delayedExecutor(
            TimeUnit.NANOSECONDS.convert(patience),
            TimeUnit.NANOSECONDS,
            task -> Thread.ofVirtual().name("gannet-testing").start(task));
  }

  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    return new Watched<>(next.newCall(method, options));
  }

  private final class Watched<Q, R> extends ForwardingClientCall<Q, R> {
    private volatile boolean ended;

    Watched(ClientCall<Q, R> delegate) {
      super(delegate);
    }

    @Override
    public void start(Listener<? super R> listener, Metadata headers) {
      super.start(new Heard<>(listener, this), headers);
      watch(clock.moves());
    }

    private void watch(long movesBefore) {
      if (!ended) {
        later.execute(() -> look(movesBefore));
      }
    }

    private void look(long movesBefore) {
      long moves = clock.moves();
      if (ended || moves != movesBefore) {
        watch(moves);
        return;
      }
      cancel(
          "the virtual clock was not moved from %s for %s of real time while this call waited. A thread"
                  .formatted(clock.elapsed(), patience)
              + " that waits for a call cannot move the clock: make the call with an asynchronous"
              + " client or on another thread, then advance the clock");
    }
  }

  private static final class Heard<R> extends ForwardingClientCallListener<R> {
    private final Watched<?, ?> call;

    Heard(ClientCall.Listener<? super R> delegate, Watched<?, ?> call) {
      super(delegate);
      this.call = call;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      call.ended = true;
      super.onClose(status, trailers);
    }
  }
}
