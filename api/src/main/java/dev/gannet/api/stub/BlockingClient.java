package dev.gannet.api.stub;

import dev.gannet.api.MethodDescriptor;

/**
 * What every generated blocking client has besides its methods. Immutable and safe for all threads.
 *
 * @param <C> the generated client
 */
public interface BlockingClient<C> extends ServiceClient<C> {
  /**
   * Makes a unary call as this client's methods do, and returns the response with its headers and
   * trailers. {@code response(GreeterMethods.SAY_HELLO, request)}, say. Where the call fails, the
   * exception has both. Streaming calls have them anyway.
   *
   * @throws dev.gannet.api.StatusException if the call does not end well
   * @throws IllegalArgumentException if the method is not unary
   */
  default <Q, R> Response<R> response(MethodDescriptor<Q, R> method, Q request) {
    return BlockingCalls.response(channel(), method, options(), request);
  }
}
