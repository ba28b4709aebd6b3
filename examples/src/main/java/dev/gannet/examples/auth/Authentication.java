package dev.gannet.examples.auth;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.Status;
import java.util.Map;
import java.util.Optional;

/** Admits calls with a known token, and stores the user in the call's context for handlers. */
public final class Authentication implements ServerInterceptor {
  static final Metadata.Key<String> AUTHORIZATION = Metadata.Key.ascii("authorization");
  static final String SCHEME = "Bearer ";

  private final Map<String, User> usersByToken;

  /** Knows these tokens. A real service would verify a signature or ask an identity provider. */
  public Authentication(Map<String, User> usersByToken) {
    this.usersByToken = Map.copyOf(usersByToken);
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    call.context().setValue(User.KEY, userOf(headers));
    return next.startCall(call, headers);
  }

  private User userOf(Metadata headers) {
    return headers
        .get(AUTHORIZATION)
        .filter(it -> it.startsWith(SCHEME))
        .flatMap(it -> Optional.ofNullable(usersByToken.get(it.substring(SCHEME.length()))))
        .orElseThrow(() ->
            Status.UNAUTHENTICATED.withDescription("a known bearer token is needed").asException());
  }
}
