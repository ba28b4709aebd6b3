package dev.gannet.api.stub;

import dev.gannet.api.MethodDescriptor;

/**
 * The common methods of all generated blocking clients. Immutable and safe for all threads. For
 * applications to implement; new methods will have a default.
 *
 * @param <C> the generated client
 */
public interface BlockingClient<C> extends ServiceClient<C> {
  /**
   * Makes a unary call like this client's methods, and returns the response with its headers and
   * trailers. Example: {@code response(GreeterMethods.SAY_HELLO, request)}. If the call fails, the
   * exception contains the headers and trailers. Streaming calls provide them without this method.
   *
   * @throws dev.gannet.api.StatusException if the call fails
   * @throws IllegalArgumentException if the method is not unary
   */
  default <Q, R> Response<R> response(MethodDescriptor<Q, R> method, Q request) {
    return BlockingCalls.response(channel(), method, options(), request);
  }
}
