package dev.gannet.conformance.connect;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.ForwardingClientCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;

/** Keeps the headers and trailers of the one call that it sees. */
final class MetadataCatch implements ClientInterceptor {
  private volatile Metadata headers = new Metadata();
  private volatile Metadata trailers = new Metadata();

  Metadata headers() {
    return headers;
  }

  Metadata trailers() {
    return trailers;
  }

  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    return new Call<>(next.newCall(method, options), this);
  }

  private static final class Call<Q, R> extends ForwardingClientCall<Q, R> {
    private final MetadataCatch to;

    Call(ClientCall<Q, R> call, MetadataCatch to) {
      super(call);
      this.to = to;
    }

    @Override
    public void start(Listener<? super R> listener, Metadata headers) {
      super.start(new Heard<R>(listener, to), headers);
    }
  }

  private static final class Heard<R> extends ForwardingClientCallListener<R> {
    private final MetadataCatch to;

    Heard(ClientCall.Listener<? super R> listener, MetadataCatch to) {
      super(listener);
      this.to = to;
    }

    @Override
    public void onHeaders(Metadata headers) {
      to.headers = headers;
      super.onHeaders(headers);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      to.trailers = trailers;
      super.onClose(status, trailers);
    }
  }
}
