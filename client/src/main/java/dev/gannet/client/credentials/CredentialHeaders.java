package dev.gannet.client.credentials;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.engine.FailedStage;
import dev.gannet.api.engine.ThrowableText;
import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.Scheduler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The headers that call credentials provide for one call, and the status of a call that gets none.
 */
public final class CredentialHeaders {
  /** For credentials that never answer: a call may have no deadline, and a watch has none. */
  private static final Duration ANSWER = Duration.ofSeconds(60);

  private static final Status NOT_COMBINED =
      Status.INTERNAL.withDescription("and(CallCredentials) returned null");

  private CredentialHeaders() {}

  private record Asking(
      CallStart<?, ?> start,
      String authority,
      CallOptions options,
      ChannelSettings settings,
      EarlierAttempts earlier)
      implements CallCredentials.Request {
    @Override
    public MethodDescriptor<?, ?> method() {
      return start.method();
    }

    @Override
    public SecurityLevel securityLevel() {
      return settings.security().level();
    }

    @Override
    public Optional<Deadline> deadline() {
      return start.deadline();
    }

    @Override
    public int previousAttempts() {
      return earlier.number();
    }

    @Override
    public Optional<Status> previousFailure() {
      return earlier.failure();
    }

    @Override
    public Metadata previousHeaders() {
      return earlier.headers().copy();
    }
  }

  /**
   * Requests the headers for a call with this start, on this thread. Never throws. A failure can be
   * read by {@link #whyNot}; credentials that do not answer in 60 s are one. Who does not need the
   * headers any more cancels the result, which ends the limit.
   *
   * @param authority the one that the call will send on its connection
   */
  public static CompletableFuture<Metadata> of(
      CallStart<?, ?> start,
      String authority,
      CallOptions options,
      ChannelSettings settings,
      EarlierAttempts earlier,
      CallCredentials asked) {
    SecurityLevel level = settings.security().level();
    try {
      if (level.compareTo(asked.requiredSecurity()) < 0) {
        return CompletableFuture.failedFuture(new Refused(refused(asked, level)));
      }
      CompletionStage<Metadata> headers =
          asked.headersFor(new Asking(start, authority, options, settings, earlier));
      return headers == null
          ? CompletableFuture.failedFuture(new Refused(withoutHeaders(asked)))
          : limited(headers.toCompletableFuture(), settings.scheduler(), asked);
    } catch (Throwable e) { // credentials may be a user's
      return CompletableFuture.failedFuture(e);
    }
  }

  /** The same headers, or a failure if they take too long. */
  @SuppressWarnings("FutureReturnValueIgnored") // the callback ends the timer, nothing else
  private static CompletableFuture<Metadata> limited(
      CompletableFuture<Metadata> headers, Scheduler scheduler, CallCredentials asked) {
    if (headers.isDone()) {
      return headers;
    }
    CompletableFuture<Metadata> limited = headers.copy();
    try {
      Scheduler.Cancellable timer =
          scheduler.schedule(
              () -> limited.completeExceptionally(new Refused(late(asked))),
              TimeUnit.NANOSECONDS.convert(ANSWER));
      limited.whenComplete((found, thrown) -> timer.cancel());
    } catch (RuntimeException | Error e) {
      // without a timer the credentials are trusted to answer
    }
    return limited;
  }

  /** There are no headers, for a reason of the engine. */
  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Status status;

    Refused(Status status) {
      super(null, null, false, false);
      this.status = status;
    }
  }

  /** The status of a call for which there are no headers. */
  public static Status whyNot(CallCredentials credentials, @Nullable Throwable thrown) {
    if (thrown instanceof Refused it) {
      return it.status;
    }
    if (thrown != null) {
      return statusOf(credentials, thrown);
    }
    return withoutHeaders(credentials);
  }

  private static Status withoutHeaders(CallCredentials credentials) {
    String why =
        "the call credentials ("
            + nameOf(credentials)
            + ") returned null or completed with null instead of Metadata";
    return Status.INTERNAL.withDescription(why);
  }

  private static Status late(CallCredentials credentials) {
    return Status.UNAVAILABLE.withDescription(
        "the call credentials ("
            + nameOf(credentials)
            + ") have not answered in "
            + ANSWER.toSeconds()
            + " s");
  }

  private static Status refused(CallCredentials credentials, SecurityLevel level) {
    return Status.UNAUTHENTICATED.withDescription(
        "the call credentials ("
            + nameOf(credentials)
            + ") are not sent over a connection with security level "
            + level
            + ": use TLS, or CallCredentials.overPlaintext()");
  }

  /** The credentials' name, or the name of their class if a user's method throws. */
  public static String nameOf(CallCredentials credentials) {
    try {
      return credentials.name();
    } catch (RuntimeException e) {
      return credentials.getClass().getSimpleName();
    }
  }

  private static Status statusOf(CallCredentials credentials, Throwable thrown) {
    Throwable cause = FailedStage.cause(thrown);
    String who = "the call credentials (" + nameOf(credentials) + ") failed: ";
    if (cause instanceof StatusException e) {
      Status status =
          ControlPlaneStatus.onlyServersMayUse(e.status().code())
              ? Status.INTERNAL.withDescription(who + e.status())
              : ControlPlaneStatus.withoutDetails(e.status())
                  .withDescription(who + e.status().description().orElse("no reason given"));
      return status.withCause(e);
    }
    Status status =
        cause instanceof IOException || cause instanceof UncheckedIOException
            ? Status.UNAVAILABLE
            : Status.UNAUTHENTICATED;
    return status.withDescription(who + ThrowableText.of(cause)).withCause(cause);
  }

  /**
   * The credentials of the channel, followed by those of the call; null if there are none. Never
   * throws: a user's {@link CallCredentials#and} that fails makes the call fail, which must not go
   * out without its credentials.
   */
  public static @Nullable CallCredentials both(
      @Nullable CallCredentials ofChannel, CallOptions options) {
    @Nullable CallCredentials ofCall = options.callCredentials().orElse(null);
    if (ofChannel == null || ofCall == null) {
      return ofChannel == null ? ofCall : ofChannel;
    }
    try {
      CallCredentials both = ofChannel.and(ofCall);
      return both == null ? new Uncombined(ofChannel, NOT_COMBINED.asException()) : both;
    } catch (Throwable e) {
      return new Uncombined(ofChannel, e);
    }
  }

  /** Credentials of a channel that could not be combined with those of a call: no call has them. */
  private record Uncombined(CallCredentials ofChannel, Throwable thrown)
      implements CallCredentials {
    @Override
    public CompletionStage<Metadata> headersFor(Request request) {
      return CompletableFuture.failedFuture(thrown);
    }

    /** Lower than any connection's, so that the call fails with what was thrown. */
    @Override
    public SecurityLevel requiredSecurity() {
      return SecurityLevel.NONE;
    }

    @Override
    public String name() {
      return nameOf(ofChannel);
    }
  }
}
