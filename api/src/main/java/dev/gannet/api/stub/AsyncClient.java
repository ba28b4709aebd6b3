package dev.gannet.api.stub;

import dev.gannet.api.MethodDescriptor;
import java.util.concurrent.CompletableFuture;

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
}
