package dev.gannet.api;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The same {@code authorization} for all calls. */
final class FixedCredentials implements CallCredentials {
  private static final Metadata.Key<String> AUTHORIZATION = Metadata.Key.ascii("authorization");

  private final String kind;
  private final CompletionStage<Metadata> headers;

  FixedCredentials(String kind, String authorization) {
    this.kind = kind;
    this.headers = CompletableFuture.completedStage(headersOf(authorization));
  }

  static Metadata headersOf(String authorization) {
    Metadata headers = new Metadata();
    headers.add(AUTHORIZATION, authorization);
    return headers;
  }

  /**
   * Returns the token.
   *
   * @throws IllegalArgumentException if it cannot be sent in a header
   */
  static String checked(String token) {
    if (token.isEmpty() || token.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
      throw new IllegalArgumentException(
          "a token must consist of visible ASCII characters without spaces, and must not be empty");
    }
    return token;
  }

  @Override
  public CompletionStage<Metadata> headersFor(Request request) {
    return headers;
  }

  @Override
  public String toString() {
    return kind;
  }
}
