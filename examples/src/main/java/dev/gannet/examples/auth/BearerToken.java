package dev.gannet.examples.auth;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.Metadata;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Sends a token with each call, as {@link CallCredentials#bearer} does. Anybody that reads the
 * token can use it. Call credentials are only sent over encrypted connections, and interceptors and
 * tracers do not see them; a header that an interceptor sets is sent over plaintext, too.
 *
 * @param token identifies the caller to the server
 */
public record BearerToken(String token) implements CallCredentials {
  /** A token that must be fetched first may complete the stage later. */
  @Override
  public CompletionStage<Metadata> headersFor(Request request) {
    Metadata headers = new Metadata();
    headers.set(Authentication.AUTHORIZATION, Authentication.SCHEME + token);
    return CompletableFuture.completedStage(headers);
  }

  /** Without the token, because many people read logs. */
  @Override
  public String toString() {
    return "BearerToken";
  }
}
