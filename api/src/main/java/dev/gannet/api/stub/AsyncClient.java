package dev.gannet.api.stub;

import dev.gannet.api.MethodDescriptor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Consumer;

/**
 * The common methods of all generated asynchronous clients. Immutable and safe for all threads.
 * {@link AsyncCalls} describes their futures and publishers. For applications to implement; new
 * methods will have a default.
 *
 * @param <C> the generated client
 */
public interface AsyncClient<C> extends ServiceClient<C> {
  /**
   * Makes a unary call like this client's methods; the future contains the response with its
   * headers and trailers. Example: {@code response(GreeterMethods.SAY_HELLO, request)}.
   *
   * @throws IllegalArgumentException if the method is not unary
   */
  default <Q, R> CompletableFuture<Response<R>> response(MethodDescriptor<Q, R> method, Q request) {
    return AsyncCalls.response(channel(), method, options(), request);
  }

  /**
   * Makes a client-streaming call like this client's methods; the future contains the response with
   * its headers and trailers. Example: {@code response(GreeterMethods.GREET_ALL, requests)}.
   *
   * @throws IllegalArgumentException if the method is not client streaming
   */
  default <Q, R> CompletableFuture<Response<R>> response(
      MethodDescriptor<Q, R> method, Flow.Publisher<? extends Q> requests) {
    return AsyncCalls.response(channel(), method, options(), requests);
  }

  /**
   * Publishes the responses of a server-streaming method like this client's methods, and hands over
   * the headers and trailers. Example: {@code response(GreeterMethods.COUNT, request,
   * subscriber::onCall)}.
   *
   * <p>Each subscription is a call with metadata of its own. The consumer gets it once for each, on
   * the subscribing thread, before {@code onSubscribe}; nothing has arrived then. The headers are
   * there before {@code onNext}, the trailers before {@code onComplete} and {@code onError}, and
   * both stay. They are empty if the server did not send them: after a failure without headers, or
   * if an interceptor refuses the call. No method of the metadata blocks, and all are for any
   * thread.
   *
   * @param onCall gets the metadata of each call; if it throws, no call is made, and the
   *     subscriber's {@code onError} gets the exception
   * @throws IllegalArgumentException if the method is not server streaming
   */
  default <Q, R> Flow.Publisher<R> response(
      MethodDescriptor<Q, R> method, Q request, Consumer<? super ResponseMetadata> onCall) {
    return AsyncCalls.response(channel(), method, options(), request, onCall);
  }

  /**
   * Publishes the responses of a bidirectional streaming method like this client's methods, and
   * hands over the headers and trailers as {@link #response(MethodDescriptor, Object, Consumer)}
   * does.
   *
   * @param onCall gets the metadata of each call
   * @throws IllegalArgumentException if the method is not bidi streaming
   */
  default <Q, R> Flow.Publisher<R> response(
      MethodDescriptor<Q, R> method,
      Flow.Publisher<? extends Q> requests,
      Consumer<? super ResponseMetadata> onCall) {
    return AsyncCalls.response(channel(), method, options(), requests, onCall);
  }
}
