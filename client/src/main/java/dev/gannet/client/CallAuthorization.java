package dev.gannet.client;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.Scheduler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Requests the headers of the call credentials for one attempt that has its connection, and starts
 * the attempt with them or fails it.
 *
 * <pre>
 *   ASKED ──headers──► the attempt starts
 *     ├──failure, null──► the attempt fails
 *     └──60 s, deadline, cancellation, shutdownNow──► the attempt has failed, and the result is ignored
 * </pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // the callback handles every failure
final class CallAuthorization {
  /** For credentials that never answer: a call may have no deadline. */
  private static final Duration ANSWER = Duration.ofSeconds(60);

  private CallAuthorization() {}

  private record Asking(CallStart<?, ?> start, CallOptions options, SecurityLevel securityLevel)
      implements CallCredentials.Request {
    @Override
    public MethodDescriptor<?, ?> method() {
      return start.method();
    }

    @Override
    public String authority() {
      return start.authority();
    }

    @Override
    public Optional<Deadline> deadline() {
      return start.deadline();
    }
  }

  /**
   * Requests the headers, on this thread.
   *
   * @param then starts the attempt with these additional headers
   * @param unsent called instead if the attempt has ended and does not start
   */
  static void ask(
      Attempt<?, ?> attempt,
      CallCredentials credentials,
      Consumer<Metadata> then,
      Runnable unsent) {
    CompletableFuture<Metadata> answer =
        headersFor(attempt.start(), attempt.options(), attempt.call().securityLevel(), credentials);
    if (answer.isDone()) {
      answer.whenComplete(
          (headers, thrown) -> settle(attempt, credentials, headers, thrown, then, unsent));
      return;
    }
    Scheduler.Cancellable late = watch(attempt, credentials, unsent);
    attempt
        .call()
        .awaitCredentials(
            attempt,
            () -> {
              late.cancel();
              unsent.run();
            });
    answer.whenComplete((headers, thrown) -> {
      late.cancel();
      if (attempt.call().core().unauthorized().take(attempt)) {
        settle(attempt, credentials, headers, thrown, then, unsent);
      }
    });
  }

  /** Without a timer the credentials are trusted to answer. */
  private static Scheduler.Cancellable watch(
      Attempt<?, ?> attempt, CallCredentials credentials, Runnable unsent) {
    Scheduler scheduler = attempt.call().core().settings().transport();
    Runnable onLate =
        () -> {
          if (attempt.call().core().unauthorized().take(attempt)) {
            String what = "have not answered in " + ANSWER.toSeconds() + " s";
            String who = "the call credentials (" + nameOf(credentials) + ") ";
            fail(attempt, Status.UNAVAILABLE.withDescription(who + what), unsent);
          }
        };
    try {
      return scheduler.schedule(onLate, TimeUnit.NANOSECONDS.convert(ANSWER));
    } catch (RuntimeException | Error e) {
      return () -> {};
    }
  }

  /**
   * The headers for a call with this start; a failure can be read by {@link #whyNot}. Never throws.
   */
  static CompletableFuture<Metadata> headersFor(
      CallStart<?, ?> start, CallOptions options, SecurityLevel level, CallCredentials asked) {
    try {
      if (level.compareTo(asked.requiredSecurity()) < 0) {
        return CompletableFuture.failedFuture(new Refused(refused(asked, level)));
      }
      return asked.headersFor(new Asking(start, options, level)).toCompletableFuture();
    } catch (Throwable e) { // credentials may be a user's
      return CompletableFuture.failedFuture(e);
    }
  }

  /** The connection does not provide the required protection. */
  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Status status;

    Refused(Status status) {
      super(null, null, false, false);
      this.status = status;
    }
  }

  private static void settle(
      Attempt<?, ?> attempt,
      CallCredentials credentials,
      @Nullable Metadata headers,
      @Nullable Throwable thrown,
      Consumer<Metadata> then,
      Runnable unsent) {
    if (headers != null && !attempt.isSettled()) {
      then.accept(headers);
    } else {
      fail(attempt, whyNot(credentials, thrown), unsent);
    }
  }

  private static void fail(Attempt<?, ?> attempt, Status why, Runnable unsent) {
    attempt.failBeforeStart(why); // does nothing if it has ended
    unsent.run();
  }

  /** The status of a call for which there are no headers. */
  static Status whyNot(CallCredentials credentials, @Nullable Throwable thrown) {
    if (thrown instanceof Refused it) {
      return it.status;
    }
    if (thrown != null) {
      return statusOf(credentials, thrown);
    }
    String why =
        "the call credentials ("
            + nameOf(credentials)
            + ") returned null or completed with null instead of Metadata";
    return Status.INTERNAL.withDescription(why);
  }

  private static Status refused(CallCredentials credentials, SecurityLevel level) {
    return Status.UNAUTHENTICATED.withDescription(
        "the call credentials ("
            + nameOf(credentials)
            + ") are not sent over a connection with security level "
            + level
            + ": use TLS, or CallCredentials.overPlaintext()");
  }

  /** The class name, because the text of credentials may be secret. */
  static String nameOf(CallCredentials credentials) {
    return credentials.getClass().getSimpleName();
  }

  private static Status statusOf(CallCredentials credentials, Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    String who = "the call credentials (" + nameOf(credentials) + ") failed: ";
    if (cause instanceof StatusException e) {
      return ControlPlaneStatus.onlyServersMayUse(e.status().code())
          ? Status.INTERNAL.withDescription(who + e.status()).withCause(e)
          : e.status().withDescription(who + e.status().description().orElse("no reason given"));
    }
    Status status =
        cause instanceof IOException || cause instanceof UncheckedIOException
            ? Status.UNAVAILABLE
            : Status.UNAUTHENTICATED;
    return status.withDescription(who + ConnectAttempt.textOf(cause)).withCause(cause);
  }

  /** Those of the channel, followed by those of the call; null if there are none. */
  static @Nullable CallCredentials of(@Nullable CallCredentials ofChannel, CallOptions options) {
    @Nullable CallCredentials ofCall = options.callCredentials().orElse(null);
    if (ofChannel == null || ofCall == null) {
      return ofChannel == null ? ofCall : ofChannel;
    }
    return ofChannel.and(ofCall);
  }
}
