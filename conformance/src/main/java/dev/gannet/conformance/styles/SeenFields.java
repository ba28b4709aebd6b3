package dev.gannet.conformance.styles;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.ForwardingClientCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.stub.ResponseMetadata;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The headers and trailers of one call, however its caller hears of it. For any thread. */
public final class SeenFields implements ClientInterceptor, ResponseMetadata {
  private final CompletableFuture<Metadata> headers = new CompletableFuture<>();
  private volatile Metadata trailers = new Metadata();
  private volatile @Nullable ClientCall<?, ?> call;

  /** The fields of the call that this is given to. */
  public SeenFields() {}

  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    ClientCall<Q, R> seen = next.newCall(method, options);
    call = seen;
    return new Call<>(seen, this);
  }

  /** Blocks until they are there, or the call has ended without them. */
  @Override
  public Metadata headers() {
    return headers.join();
  }

  @Override
  public Metadata trailers() {
    return trailers;
  }

  @Override
  public Optional<SocketAddress> peer() {
    return Optional.<ClientCall<?, ?>>ofNullable(call).flatMap(ClientCall::peer);
  }

  @Override
  public Optional<SSLSession> sslSession() {
    return Optional.<ClientCall<?, ?>>ofNullable(call).flatMap(ClientCall::sslSession);
  }

  private static final class Call<Q, R> extends ForwardingClientCall<Q, R> {
    private final SeenFields fields;

    Call(ClientCall<Q, R> next, SeenFields fields) {
      super(next);
      this.fields = fields;
    }

    @Override
    public void start(Listener<? super R> listener, Metadata headers) {
      super.start(new Watching<R>(listener, fields), headers);
    }
  }

  private static final class Watching<R> extends ForwardingClientCallListener<R> {
    private final SeenFields fields;

    Watching(ClientCall.Listener<? super R> next, SeenFields fields) {
      super(next);
      this.fields = fields;
    }

    @Override
    public void onHeaders(Metadata headers) {
      fields.headers.complete(headers);
      super.onHeaders(headers);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      fields.trailers = trailers;
      fields.headers.complete(new Metadata());
      super.onClose(status, trailers);
    }
  }
}
