package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.ForwardingClientCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;

/** An interceptor whose listener throws at the end of each call. */
enum BrokenEnd implements ClientInterceptor {
  /** Before the caller has learnt of the end. */
  UNTOLD,

  /** After the caller has learnt of the end. */
  TOLD;

  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    return new ForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(ClientCall.Listener<? super R> listener, Metadata headers) {
        super.start(
            new ForwardingClientCallListener<R>(listener) {
              @Override
              public void onClose(Status status, Metadata trailers) {
                if (BrokenEnd.this == TOLD) {
                  super.onClose(status, trailers);
                }
                throw fault();
              }
            },
            headers);
      }
    };
  }

  /** What a broken interceptor throws. */
  static IllegalStateException fault() {
    return new IllegalStateException("its fault");
  }

  /** The end that a caller gets instead of what it has not learnt. */
  static void assertIsOf(Throwable end) {
    assertThat(end)
        .isInstanceOf(StatusException.class)
        .hasMessageContaining("CANCELLED: the listener of an interceptor threw an exception")
        .hasRootCauseMessage("its fault");
  }
}
