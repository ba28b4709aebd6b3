package dev.gannet.auth;

import com.google.auth.Credentials;
import com.google.auth.RequestMetadataCallback;
import com.google.auth.Retryable;
import dev.gannet.api.CallCredentials;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.io.IOException;
import java.net.URI;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Call credentials from google-auth-library: service accounts, users, workload identity,
 * impersonation, and all others that it supports.
 *
 * <pre>{@code
 * var credentials = GoogleCallCredentials.of(GoogleCredentials.getApplicationDefault());
 * var channel = ManagedChannel.builder("greeter.example.com:443")
 *     .credentials(ChannelCredentials.tls().withCallCredentials(credentials))
 *     .build();
 * }</pre>
 *
 * <p>The library renews tokens before they expire, on a virtual thread, while calls continue to use
 * the previous one. The headers are those that it returns for {@link Request#serviceUri}.
 *
 * <p>If no token can be obtained, the call ends with {@code UNAVAILABLE} if a retry may succeed:
 * the token service was not reached, or the library says so ({@link Retryable}). Otherwise, for
 * example with a rejected account, it ends with {@code UNAUTHENTICATED}.
 *
 * <p>Safe for all threads.
 */
public final class GoogleCallCredentials implements CallCredentials {
  private static final Executor VIRTUAL_THREADS =
      task -> Thread.ofVirtual().name("gannet-auth").start(task);

  private final Credentials credentials;

  /**
   * The last map of the library and its headers: the library returns the same map while a token is
   * valid.
   */
  private volatile @Nullable Known known;

  private record Known(Map<String, List<String>> map, Metadata headers) {}

  private GoogleCallCredentials(Credentials credentials) {
    this.credentials = credentials;
  }

  /** Wraps credentials of the library for calls. */
  public static GoogleCallCredentials of(Credentials credentials) {
    return new GoogleCallCredentials(Objects.requireNonNull(credentials, "credentials"));
  }

  @Override
  public CompletionStage<Metadata> headersFor(Request request) {
    Answer answer = new Answer();
    try {
      URI uri = URI.create(request.serviceUri());
      credentials.getRequestMetadata(uri, VIRTUAL_THREADS, answer);
    } catch (RuntimeException e) {
      answer.onFailure(e);
    }
    return answer.headers;
  }

  /** The library's answer for one attempt. */
  private final class Answer implements RequestMetadataCallback {
    private final CompletableFuture<Metadata> headers = new CompletableFuture<>();

    @Override
    public void onSuccess(Map<String, List<String>> map) {
      try {
        headers.complete(headersOf(map));
      } catch (Throwable e) {
        onFailure(e);
      }
    }

    @Override
    public void onFailure(Throwable why) {
      headers.completeExceptionally(statusOf(why).asException());
    }
  }

  @SuppressWarnings("ReferenceEquality") // the same map as before
  private Metadata headersOf(@Nullable Map<String, List<String>> map) {
    if (map == null) {
      return new Metadata();
    }
    Known last = known;
    if (last != null && last.map == map) {
      return last.headers;
    }
    Metadata headers = new Metadata();
    map.forEach((name, values) -> values.forEach(value -> add(headers, name, value)));
    known = new Known(map, headers);
    return headers;
  }

  private static void add(Metadata headers, String name, String value) {
    if (name.endsWith(Metadata.BINARY_SUFFIX)) {
      headers.add(Metadata.Key.binary(name), Base64.getDecoder().decode(value));
    } else {
      headers.add(Metadata.Key.ascii(name), value);
    }
  }

  private static Status statusOf(Throwable why) {
    boolean again =
        why instanceof Retryable retryable ? retryable.isRetryable() : why instanceof IOException;
    Status.Code code = again ? Status.Code.UNAVAILABLE : Status.Code.UNAUTHENTICATED;
    String reason = Objects.requireNonNullElse(why.getMessage(), why.getClass().getName());
    return code.toStatus()
        .withDescription("no credentials could be obtained for the call: " + reason)
        .withCause(why);
  }

  @Override
  public String toString() {
    return "google-auth-library: " + credentials.getAuthenticationType();
  }
}
