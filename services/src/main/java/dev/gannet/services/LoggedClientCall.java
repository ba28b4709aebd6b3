package dev.gannet.services;

import dev.gannet.api.CallOptions;
import dev.gannet.api.CallParent;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Deadline;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.ForwardingClientCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.services.binarylog.v1.GrpcLogEntry.EventType;
import java.util.Optional;

/** A client's call that is written to a binary log. */
final class LoggedClientCall<Q, R> extends ForwardingClientCall<Q, R> {
  private final MethodDescriptor<Q, R> method;
  private final CallOptions options;
  private final String authority;
  private final BinaryLogCall log;

  LoggedClientCall(
      ClientCall<Q, R> call,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      String authority,
      BinaryLogCall log) {
    super(call);
    this.method = method;
    this.options = options;
    this.authority = authority;
    this.log = log;
  }

  @Override
  public void start(ClientCall.Listener<? super R> listener, Metadata headers) {
    log.clientHeader(method, authority, deadline(), sent(headers), Optional.empty());
    super.start(new Hearing(listener), headers);
  }

  /** The headers with those that the options add to them. */
  private Metadata sent(Metadata headers) {
    if (options.metadata().isEmpty()) {
      return headers;
    }
    Metadata all = headers.copy();
    all.mergeReplacing(options.metadata().get());
    return all;
  }

  /** The earlier deadline of the call and of the incoming call or scope it belongs to. */
  private Optional<Deadline> deadline() {
    Optional<Deadline> own = options.startingNow().deadline();
    Optional<Deadline> inherited = CallParent.current().flatMap(CallParent::deadline);
    return own.isPresent() && inherited.isPresent()
        ? Optional.of(own.get().min(inherited.get()))
        : own.or(() -> inherited);
  }

  @Override
  public void sendMessage(Q message) {
    log.message(EventType.EVENT_TYPE_CLIENT_MESSAGE, method.requestMarshaller(), message);
    super.sendMessage(message);
  }

  @Override
  public void halfClose() {
    log.halfClose();
    super.halfClose();
  }

  @Override
  public void cancel(String message) {
    log.cancel();
    super.cancel(message);
  }

  @Override
  public void cancel(String message, Throwable cause) {
    log.cancel();
    super.cancel(message, cause);
  }

  private final class Hearing extends ForwardingClientCallListener<R> {
    private boolean peerLogged;

    Hearing(ClientCall.Listener<? super R> listener) {
      super(listener);
    }

    @Override
    public void onHeaders(Metadata headers) {
      log.serverHeader(headers, peer());
      peerLogged = true;
      super.onHeaders(headers);
    }

    @Override
    public void onMessage(R message) {
      log.message(EventType.EVENT_TYPE_SERVER_MESSAGE, method.responseMarshaller(), message);
      super.onMessage(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      log.trailer(status, trailers, peerLogged ? Optional.empty() : peer());
      super.onClose(status, trailers);
    }
  }
}
