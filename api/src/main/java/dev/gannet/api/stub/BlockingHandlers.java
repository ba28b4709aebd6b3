package dev.gannet.api.stub;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.Status;

/** The four kinds of handlers written as blocking methods; generated services use these methods. */
public final class BlockingHandlers {
  private BlockingHandlers() {}

  /** One request, one response. */
  @FunctionalInterface
  public interface UnaryMethod<Q, R> {
    /**
     * Handles a call and returns its response. An exception ends the call: a {@link
     * dev.gannet.api.StatusException} of its own with that status, any other with {@code UNKNOWN}.
     */
    R call(Q request) throws Exception;
  }

  /** One request, a stream of responses. */
  @FunctionalInterface
  public interface ServerStreamingMethod<Q, R> {
    /**
     * Handles a call, which ends with {@code OK} when this method returns; exceptions end it as in
     * {@link UnaryMethod#call}.
     */
    void call(Q request, Outgoing<R> responses) throws Exception;
  }

  /** A stream of requests, one response. */
  @FunctionalInterface
  public interface ClientStreamingMethod<Q, R> {
    /**
     * Handles a call and returns its response, even if requests are left; exceptions end it as in
     * {@link UnaryMethod#call}.
     */
    R call(Incoming<Q> requests) throws Exception;
  }

  /** A stream in each direction. */
  @FunctionalInterface
  public interface BidiStreamingMethod<Q, R> {
    /**
     * Handles a call, which ends with {@code OK} when this method returns, even if requests are
     * left; exceptions end it as in {@link UnaryMethod#call}.
     */
    void call(Incoming<Q> requests, Outgoing<R> responses) throws Exception;
  }

  /**
   * The handler that runs the method once the request is complete; with {@code Dispatch.inline()}
   * on an event loop.
   */
  public static <Q, R> ServerCallHandler<Q, R> unary(UnaryMethod<Q, R> method) {
    return whole((call, request) -> answer(call, method.call(request)));
  }

  /** The handler that runs the method once the request is complete, never on an event loop. */
  public static <Q, R> ServerCallHandler<Q, R> serverStreaming(ServerStreamingMethod<Q, R> method) {
    return new WaitingHandler<>(whole((call, request) -> stream(call, request, method)));
  }

  /** The handler that runs the method when the call starts, never on an event loop. */
  public static <Q, R> ServerCallHandler<Q, R> clientStreaming(ClientStreamingMethod<Q, R> method) {
    return new WaitingHandler<>((call, headers) ->
        new StreamedRequestListener<>(call, in -> answer(call, method.call(in))));
  }

  /** The handler that runs the method when the call starts, never on an event loop. */
  public static <Q, R> ServerCallHandler<Q, R> bidiStreaming(BidiStreamingMethod<Q, R> method) {
    return new WaitingHandler<>(
        (call, headers) -> new StreamedRequestListener<>(call, in -> chat(call, in, method)));
  }

  private static <Q, R> ServerCallHandler<Q, R> whole(WholeRequestListener.Handler<Q, R> handler) {
    return (call, headers) -> new WholeRequestListener<>(call, handler);
  }

  /** A handler that reads or writes a stream, and therefore waits for its peer. */
  private record WaitingHandler<Q, R>(ServerCallHandler<Q, R> handler)
      implements ServerCallHandler<Q, R> {
    @Override
    public ServerCall.Listener<Q> startCall(ServerCall<Q, R> call, Metadata headers) {
      return handler.startCall(call, headers);
    }

    @Override
    public boolean waitsForPeer() {
      return true;
    }
  }

  private static <Q, R> void answer(ServerCall<Q, R> call, R response) {
    sendHeaders(call);
    call.sendMessage(response);
    end(call);
  }

  private static <Q, R> void stream(
      ServerCall<Q, R> call, Q request, ServerStreamingMethod<Q, R> method) throws Exception {
    StreamedResponses<Q, R> responses = new StreamedResponses<>(call);
    method.call(request, responses);
    responses.end();
  }

  private static <Q, R> void chat(
      ServerCall<Q, R> call, Incoming<Q> requests, BidiStreamingMethod<Q, R> method)
      throws Exception {
    StreamedResponses<Q, R> responses = new StreamedResponses<>(call);
    method.call(requests, responses);
    responses.end();
  }

  /** Before the first message. The server sends empty headers itself; interceptors see them. */
  static void sendHeaders(ServerCall<?, ?> call) {
    if (call.expectsHeaders() || call.context().hasResponseHeaders()) {
      call.sendHeaders(call.context().responseHeaders());
    }
  }

  /** Without a message: there are no headers, unless there are fields for them. */
  static void sendHeadersAlone(ServerCall<?, ?> call) {
    if (call.context().hasResponseHeaders()) {
      call.sendHeaders(call.context().responseHeaders());
    }
  }

  static void end(ServerCall<?, ?> call) {
    call.close(Status.OK);
  }
}
