package dev.gannet.api;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Headers that identify the caller, such as an access token. They are requested for each attempt of
 * a call, after the attempt has a connection, and sent with the request. {@link
 * CallOptions#withCallCredentials} sets them for one call or client, {@link
 * ChannelCredentials#withCallCredentials} for all calls of a channel. If both are set, both are
 * used, the channel's first.
 *
 * <p>They are only sent over encrypted connections: a call over plaintext ends with {@code
 * UNAUTHENTICATED} before they are requested, unless they are {@link #overPlaintext}.
 *
 * <p>Safe for all threads.
 */
@FunctionalInterface
public interface CallCredentials {
  /**
   * The attempt that the headers are for. Immutable. Only implemented by Gannet; methods may be
   * added.
   */
  interface Request {
    /** The called method. */
    MethodDescriptor<?, ?> method();

    /**
     * The {@code :authority} that this attempt sends: that of the call's options, or else that of
     * its pick, or else that of the endpoint, or else the channel's.
     */
    String authority();

    /** The protection that the connection provides. */
    SecurityLevel securityLevel();

    /** The options of the call. */
    CallOptions options();

    /** The deadline of the call. */
    Optional<Deadline> deadline();

    /**
     * The number of earlier attempts of the call, without transparent retries; the value of {@code
     * grpc-previous-rpc-attempts}.
     */
    int previousAttempts();

    /**
     * How the attempt has failed that this one follows by the retry or hedging policy of the
     * method, for example with {@code UNAUTHENTICATED}: then the server has perhaps refused the
     * token in {@link #previousHeaders}. If several attempts have failed, it is the last failure.
     * Empty if none has; a transparent retry changes nothing.
     */
    Optional<Status> previousFailure();

    /**
     * The headers that the credentials of the call have provided for the attempt that has ended
     * with {@link #previousFailure}. If many calls have failed with the same token, compare it with
     * the current one, so that only the first of them renews it. Without fields if there is no such
     * attempt, or if it has failed before it got any. The object belongs to the caller.
     */
    Metadata previousHeaders();

    /**
     * The called service in the form that tokens use for their audience: {@code https://}, the
     * authority without port 443, and the name of the service.
     */
    default String serviceUri() {
      String host =
          authority().endsWith(":443")
              ? authority().substring(0, authority().length() - ":443".length())
              : authority();
      return "https://" + host + "/" + method().serviceName();
    }
  }

  /**
   * The headers for one attempt of a call.
   *
   * <p>Called on the thread that starts the attempt: the caller's own, or an event loop. So it must
   * not block; credentials that have to wait complete the stage later, on any thread, or are {@link
   * #blocking}. That thread then continues the call: it serializes the first message and sends it.
   * {@link CallContext#current} is the incoming call for which this call is made, on whatever
   * thread; it is empty if there is none. If the stage is not complete after 60 s, the attempt
   * fails with {@code UNAVAILABLE}; the deadline or the cancellation of the call may end it
   * earlier. The headers must not be changed afterwards; the same object may be returned again.
   *
   * <p>If the stage fails, the call ends and is only retried by a retry policy. Its status is that
   * of a {@link StatusException}, {@code UNAVAILABLE} for an {@link java.io.IOException} or {@link
   * java.io.UncheckedIOException}, and {@code UNAUTHENTICATED} for all other exceptions. Codes that
   * only servers may use (gRFC A54), such as {@code NOT_FOUND}, become {@code INTERNAL}.
   */
  CompletionStage<Metadata> headersFor(Request request);

  /** The protection that a connection must provide so that these headers may be sent over it. */
  default SecurityLevel requiredSecurity() {
    return SecurityLevel.PRIVACY_AND_INTEGRITY;
  }

  /** A name for statuses and logs: by default that of the class, because the text may be secret. */
  default String name() {
    return getClass().getSimpleName();
  }

  /**
   * The same credentials, which are also sent where anyone on the network path can read them: for
   * tests, and for networks that are encrypted by other means.
   */
  default CallCredentials overPlaintext() {
    return new PlaintextCredentials(this);
  }

  /**
   * These credentials, followed by others: both are requested, one after the other, and the headers
   * of both are sent.
   */
  default CallCredentials and(CallCredentials next) {
    return new CompositeCallCredentials(this, next);
  }

  /** Provides headers, and may block. Safe for all threads. For applications to implement. */
  @FunctionalInterface
  interface BlockingSource {
    /**
     * The headers for one attempt of a call, as {@link CallCredentials#headersFor} provides them.
     * Called on a virtual thread of its own, with the {@link CallParent#current parent} of the
     * call. If the attempt ends meanwhile, the result is ignored, and the thread is not
     * interrupted: a source that waits for others should have a time limit of its own.
     *
     * @throws Exception if there are none: the status of the call is as described at {@link
     *     CallCredentials#headersFor}
     */
    Metadata headersFor(Request request) throws Exception;
  }

  /**
   * Credentials from a source that may block: one that reads files, or asks another server or a
   * vault.
   *
   * <pre>{@code
   * CallCredentials.blocking(request -> {
   *   Metadata headers = new Metadata();
   *   headers.set(TOKEN, vault.readToken());
   *   return headers;
   * })
   * }</pre>
   *
   * <p>The source is asked for each attempt, and several threads may ask it at once: one that is
   * slow keeps its result while that is valid. Credentials that usually know their headers should
   * implement {@link #headersFor}, which needs no other thread then.
   */
  static CallCredentials blocking(BlockingSource source) {
    return new BlockingCredentials(Objects.requireNonNull(source, "source"));
  }

  /**
   * {@code authorization: Bearer} with this token (RFC 6750 §2.1).
   *
   * @throws IllegalArgumentException if it is empty or has characters that are not allowed in a
   *     token
   */
  static CallCredentials bearer(String token) {
    return new FixedCredentials("bearer token", "Bearer " + FixedCredentials.checked(token));
  }

  /**
   * {@code authorization: Basic} with this name and password in UTF-8 (RFC 7617).
   *
   * @throws IllegalArgumentException if the name has a colon
   */
  static CallCredentials basic(String user, String password) {
    if (user.indexOf(':') >= 0) {
      throw new IllegalArgumentException("a user name with a colon cannot be sent (RFC 7617 §2)");
    }
    byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return new FixedCredentials("basic", "Basic " + Base64.getEncoder().encodeToString(both));
  }

  /**
   * {@code authorization: Bearer} with the token in a file that another program renews, such as a
   * Kubernetes service account token. Like {@link #tokenFile(Path, Duration)} with 10 minutes.
   */
  static CallCredentials tokenFile(Path file) {
    return tokenFile(file, Duration.ofMinutes(10));
  }

  /**
   * {@code authorization: Bearer} with the token in a file that another program renews (gRFC A97).
   * While calls are made, the file is checked once per second, on a separate thread, and read when
   * its modification time, size or identity has changed. A call waits for the file only if there is
   * no valid token. A JSON Web Token is used until 30 seconds before it expires ({@code exp}).
   *
   * <p>If the file cannot be read, or contains no token, a warning is logged and calls continue to
   * use the last token for the given time. After that they end with {@code UNAVAILABLE} (the file
   * cannot be read) or {@code UNAUTHENTICATED} (its content is not a token, or has expired). The
   * file is read again after a backoff: 1 second at first, 2 minutes at most; calls in the meantime
   * end with the same status.
   *
   * @param keepFor how long a token is used if the file cannot be read again
   * @throws IllegalArgumentException if that is negative
   */
  static CallCredentials tokenFile(Path file, Duration keepFor) {
    return new TokenFile(file, keepFor);
  }
}
