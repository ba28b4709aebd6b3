package dev.gannet.api.stub;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.engine.StubListener;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * For stubs of other styles than the generated ones, such as those of a reactive library: starts
 * calls as the generated clients do. Blocking stubs need nothing of it: they build upon {@link
 * BlockingCalls}.
 *
 * <pre>{@code
 * ClientCall<Q, R> call = StubCalls.newCall(channel, method, options);
 * StubCalls.start(call, listener, options);
 * StubCalls.sendOnly(call, request); // for methods with one request
 * call.request(1);
 * }</pre>
 */
public final class StubCalls {
  private StubCalls() {}

  /**
   * A call that is not started yet. Interceptors do not find the metadata of the options there, but
   * in the headers with which {@link #start} starts it: what they remove from these is not sent.
   */
  public static <Q, R> ClientCall<Q, R> newCall(
      Channel channel, MethodDescriptor<Q, R> method, CallOptions options) {
    return channel.newCall(method, BlockingCalls.withoutHeaders(options));
  }

  /**
   * Starts the call. The metadata of its options are its headers. If it is made inside a handler or
   * a {@link dev.gannet.api.CallScope}, the listener runs there, too.
   *
   * <p>The listener gets the end of the call exactly once, and nothing after it, even if the
   * listener of an interceptor throws before it has forwarded the end. This holds if each
   * interceptor returns a {@link dev.gannet.api.ForwardingClientCall}, a {@link
   * dev.gannet.api.DeferredClientCall}, a {@link dev.gannet.api.RepeatableClientCall}, a {@link
   * dev.gannet.api.SingleRequestClientCall}, or the call of the next channel itself.
   *
   * @param call that {@link #newCall} has made, not started
   * @param options those with which it was made
   * @throws RuntimeException whatever the call or an interceptor throws; the call is then cancelled
   */
  public static <R> void start(
      ClientCall<?, R> call, ClientCall.Listener<? super R> listener, CallOptions options) {
    CallStarter.start(call, new EndsOnce<>(listener), options);
  }

  /**
   * Sends the only request of a call, and half-closes it. If that fails, the call is cancelled, and
   * its listener gets the end. Never throws an exception of a marshaller or an interceptor.
   */
  public static <Q> void sendOnly(ClientCall<Q, ?> call, Q request) {
    CallStarter.sendOnly(call, Objects.requireNonNull(request, "request"));
  }

  private static final class EndsOnce<R> implements ClientCall.Listener<R>, StubListener {
    private final ClientCall.Listener<? super R> listener;
    private final AtomicBoolean ended = new AtomicBoolean();

    EndsOnce(ClientCall.Listener<? super R> listener) {
      this.listener = Objects.requireNonNull(listener, "listener");
    }

    @Override
    public void onHeaders(Metadata headers) {
      if (!ended.get()) {
        listener.onHeaders(headers);
      }
    }

    @Override
    public void onMessage(R message) {
      if (!ended.get()) {
        listener.onMessage(message);
      }
    }

    @Override
    public void onReady() {
      if (!ended.get()) {
        listener.onReady();
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      if (ended.compareAndSet(false, true)) {
        listener.onClose(status, trailers);
      }
    }
  }
}
