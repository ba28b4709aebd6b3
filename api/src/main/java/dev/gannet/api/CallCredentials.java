package dev.gannet.api;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Headers that say who makes a call, such as an access token. They are asked for anew for each
 * attempt of a call, once it has a connection, and sent with the request. Set for one call or
 * client by {@link CallOptions#withCallCredentials}, for all calls of a channel by {@link
 * ChannelCredentials#withCallCredentials}. Where both are set, both are asked, the channel's first.
 *
 * <p>They are only sent over connections that nobody can listen in to: a call over plaintext ends
 * with {@code UNAUTHENTICATED} before they are asked for, unless they are {@link #overPlaintext}.
 *
 * <p>Safe for all threads.
 */
@FunctionalInterface
public interface CallCredentials {
  /** The attempt that the headers are for. Immutable; methods may be added. */
  interface Request {
    /** The method that is called. */
    MethodDescriptor<?, ?> method();

    /** What is sent as {@code :authority}. */
    String authority();

    /** What the connection protects from. */
    SecurityLevel securityLevel();

    /** The options of the call. */
    CallOptions options();

    /** When the call must be over. */
    Optional<Deadline> deadline();

    /**
     * The service that is called, as tokens name their audience: {@code https://}, the authority
     * without port 443, and the name of the service.
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
   * not block; credentials that have to wait complete the stage later, on any thread. That thread
   * goes on with the call: it serializes the first message and puts it on its way. The stage need
   * not be completed in time: the deadline or the cancellation of the call ends the call. The
   * headers must not be changed any more; one object may be returned again and again.
   *
   * <p>A stage that fails ends the call, and no retry follows but by a retry policy: with the
   * status of a {@link StatusException}, with {@code UNAVAILABLE} for an {@link
   * java.io.IOException} or {@link java.io.UncheckedIOException}, and with {@code UNAUTHENTICATED}
   * for all else. The codes that only servers may use (gRFC A54), {@code NOT_FOUND} say, become
   * {@code INTERNAL}.
   */
  CompletionStage<Metadata> headersFor(Request request);

  /** What a connection must protect from, so that these headers may be sent over it. */
  default SecurityLevel requiredSecurity() {
    return SecurityLevel.PRIVACY_AND_INTEGRITY;
  }

  /**
   * The same, also sent where anyone on the network path can read them: for tests, and for networks
   * where something else encrypts.
   */
  default CallCredentials overPlaintext() {
    return new PlaintextCredentials(this);
  }

  /**
   * These, and then those: both are asked, one after the other, and the headers of both are sent.
   */
  default CallCredentials and(CallCredentials next) {
    return new CompositeCallCredentials(this, next);
  }

  /**
   * {@code authorization: Bearer} with that token (RFC 6750 §2.1).
   *
   * @throws IllegalArgumentException if it is empty or has characters that no token has
   */
  static CallCredentials bearer(String token) {
    return new FixedCredentials("bearer token", "Bearer " + FixedCredentials.checked(token));
  }

  /**
   * {@code authorization: Basic} with that name and password in UTF-8 (RFC 7617).
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
   * {@code authorization: Bearer} with the token in a file that somebody else renews, such as a
   * Kubernetes service account token. As {@link #tokenFile(Path, Duration)}, for 10 minutes.
   */
  static CallCredentials tokenFile(Path file) {
    return tokenFile(file, Duration.ofMinutes(10));
  }

  /**
   * {@code authorization: Bearer} with the token in a file that somebody else renews (gRFC A97).
   * While calls are made, the file is looked at once a second, on a thread of its own, and read
   * when its modification time, size or identity has changed. A call waits for the file only if
   * there is no token that can be used. A JSON Web Token is used until it expires ({@code exp}).
   *
   * <p>Where the file cannot be read, or holds no token, the log has a warning, and calls go on
   * with the last token for that long; after that they end with {@code UNAVAILABLE} (it cannot be
   * read) or {@code UNAUTHENTICATED} (what it holds is no token, or has expired).
   *
   * @param keepFor how long a token is used that could not be read again
   * @throws IllegalArgumentException if that is negative
   */
  static CallCredentials tokenFile(Path file, Duration keepFor) {
    return new TokenFile(file, keepFor);
  }
}
