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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks the call credentials for the headers of one attempt that has its connection, and starts the
 * attempt with them or fails it.
 *
 * <pre>
 *   ASKED ──headers──► the attempt starts
 *     ├──failure, null──► the attempt fails
 *     └──deadline, cancellation, shutdownNow──► the attempt has failed, and the answer is ignored
 * </pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // whoever is told of the answer handles it all
final class CallAuthorization {
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
   * Asks, on this thread.
   *
   * @param then starts the attempt with these headers more
   */
  static void ask(Attempt<?, ?> attempt, CallCredentials credentials, Consumer<Metadata> then) {
    SecurityLevel level = attempt.call().securityLevel();
    CompletableFuture<Metadata> answer;
    try {
      SecurityLevel required = credentials.requiredSecurity();
      if (level.compareTo(required) < 0) {
        attempt.failBeforeStart(refused(credentials, level));
        return;
      }
      CompletionStage<Metadata> asked =
          credentials.headersFor(new Asking(attempt.start(), attempt.options(), level));
      answer = asked.toCompletableFuture();
    } catch (Throwable e) { // credentials may be a user's
      attempt.failBeforeStart(statusOf(credentials, e));
      return;
    }
    boolean waits = !answer.isDone();
    if (waits) {
      attempt.call().awaitCredentials(attempt);
    }
    answer.whenComplete((headers, thrown) -> {
      if (waits) {
        attempt.call().picker().forget(attempt);
      }
      if (thrown != null) {
        attempt.failBeforeStart(statusOf(credentials, thrown));
      } else if (headers == null) {
        String why = "the call credentials (" + nameOf(credentials) + ") returned no headers: null";
        attempt.failBeforeStart(Status.INTERNAL.withDescription(why));
      } else if (!attempt.isSettled()) {
        then.accept(headers);
      }
    });
  }

  private static Status refused(CallCredentials credentials, SecurityLevel level) {
    return Status.UNAUTHENTICATED.withDescription(
        "the call credentials ("
            + nameOf(credentials)
            + ") are not sent over a connection with security level "
            + level
            + ": use TLS, or CallCredentials.overPlaintext()");
  }

  /** Its class: what credentials say of themselves may be secret. */
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
      return ofData(e.status())
          ? Status.INTERNAL.withDescription(who + e.status()).withCause(e)
          : e.status().withDescription(who + e.status().description().orElse("no reason given"));
    }
    Status status =
        cause instanceof IOException || cause instanceof UncheckedIOException
            ? Status.UNAVAILABLE
            : Status.UNAUTHENTICATED;
    return status.withDescription(who + ConnectAttempt.textOf(cause)).withCause(cause);
  }

  /** Whether only a server may end a call like that (gRFC A54). */
  private static boolean ofData(Status status) {
    return switch (status.code()) {
      case OK,
          INVALID_ARGUMENT,
          NOT_FOUND,
          ALREADY_EXISTS,
          FAILED_PRECONDITION,
          ABORTED,
          OUT_OF_RANGE,
          DATA_LOSS ->
          true;
      case CANCELLED,
          UNKNOWN,
          DEADLINE_EXCEEDED,
          PERMISSION_DENIED,
          RESOURCE_EXHAUSTED,
          UNIMPLEMENTED,
          INTERNAL,
          UNAVAILABLE,
          UNAUTHENTICATED ->
          false;
    };
  }

  /** Those of the channel, then those of the call; null if there are none. */
  static @Nullable CallCredentials of(@Nullable CallCredentials ofChannel, CallOptions options) {
    @Nullable CallCredentials ofCall = options.callCredentials().orElse(null);
    if (ofChannel == null || ofCall == null) {
      return ofChannel == null ? ofCall : ofChannel;
    }
    return ofChannel.and(ofCall);
  }
}
