package dev.gannet.api.stub;

import dev.gannet.api.MethodDescriptor;
import java.util.concurrent.CompletableFuture;

/**
 * What every generated asynchronous client has besides its methods. Immutable and safe for all
 * threads. What its futures and publishers promise is said in {@link AsyncCalls}.
 *
 * @param <C> the generated client
 */
public interface AsyncClient<C> extends ServiceClient<C> {
  /**
   * Makes a unary call as this client's methods do; its future has the response with its headers
   * and trailers. {@code response(GreeterMethods.SAY_HELLO, request)}, say.
   *
   * @throws IllegalArgumentException if the method is not unary
   */
  default <Q, R> CompletableFuture<Response<R>> response(MethodDescriptor<Q, R> method, Q request) {
    return AsyncCalls.response(channel(), method, options(), request);
  }
}
