package dev.gannet.examples.auth;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.MethodDescriptor;

/**
 * Sends a token with each call. Use it over TLS: anybody that reads the token can use it.
 *
 * @param token identifies the caller to the server
 */
public record BearerToken(String token) implements ClientInterceptor {
  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    return next.newCall(
        method, options.withHeader(Authentication.AUTHORIZATION, Authentication.SCHEME + token));
  }

  /** Without the token, because many people read logs. */
  @Override
  public String toString() {
    return "BearerToken";
  }
}
