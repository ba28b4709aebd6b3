package dev.gannet.suites;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.RepeatableClientCall;
import dev.gannet.api.Status;

/** Makes a call again, once, if it ends with {@code UNAVAILABLE}, or as a subclass says. */
class OneRetry implements ClientInterceptor {
  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    CallOptions shared = options.startingNow();
    return new RepeatableClientCall<>(method, shared, next) {
      private boolean repeated;

      @Override
      protected ClientCall<Q, R> newCall(Metadata headers) {
        return OneRetry.this.newCall(repeated, method, shared, next);
      }

      @Override
      protected long maxKeptBytes() {
        return OneRetry.this.maxKeptBytes(super.maxKeptBytes());
      }

      @Override
      protected void onUnanswered(Status status, Metadata trailers) {
        if (isRepeated(status) && !repeated) {
          repeated = true;
          decided(this::repeat);
        } else {
          end(status, trailers);
        }
      }
    };
  }

  @SuppressWarnings("UnusedVariable") // others need it
  <Q, R> ClientCall<Q, R> newCall(
      boolean again, MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    return next.newCall(method, options);
  }

  long maxKeptBytes(long usual) {
    return usual;
  }

  /** Whether a call with this end is made again, if it is the first. */
  boolean isRepeated(Status status) {
    return status.code() == Status.Code.UNAVAILABLE;
  }

  void decided(Runnable repeat) {
    repeat.run();
  }
}
