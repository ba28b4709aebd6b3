package dev.gannet.client.call;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.Metadata;
import dev.gannet.client.credentials.CredentialHeaders;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Requests the headers of the call credentials for one attempt that has its connection, and starts
 * the attempt with them or fails it.
 *
 * <pre>
 *   ASKED ──headers──► the attempt starts
 *     ├──failure, null, no answer in 60 s──► the attempt fails
 *     └──deadline, cancellation, shutdownNow──► the attempt has failed, and the result is ignored
 * </pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // the callback handles every failure
final class CallAuthorization {
  private CallAuthorization() {}

  /**
   * Requests the headers, on this thread.
   *
   * @param authority the one that the attempt will send
   * @param then starts the attempt with these additional headers
   * @param unsent called instead if the attempt has ended and does not start
   */
  static void ask(
      Attempt<?, ?> attempt,
      CallCredentials credentials,
      String authority,
      Consumer<Metadata> then,
      Runnable unsent) {
    CompletableFuture<Metadata> answer = headers(attempt, credentials, authority);
    if (answer.isDone()) {
      answer.whenComplete(
          (headers, thrown) -> settle(attempt, credentials, headers, thrown, then, unsent));
      return;
    }
    CallsWithoutStream waiting = attempt.call().channel().withoutStream();
    waiting.addUnauthorized(
        attempt,
        () -> {
          answer.cancel(false);
          unsent.run();
        });
    answer.whenComplete((headers, thrown) -> {
      if (waiting.unauthorized().take(attempt)) {
        settle(attempt, credentials, headers, thrown, then, unsent);
      }
    });
  }

  /**
   * The credentials see the incoming call for which the attempt's call is made, whose principal
   * they may forward; never the call that this thread serves otherwise.
   */
  private static CompletableFuture<Metadata> headers(
      Attempt<?, ?> attempt, CallCredentials credentials, String authority) {
    ParentCall parent = attempt.call().parent();
    if (ParentCall.isCurrent(parent)) {
      return headersHere(attempt, credentials, authority);
    }
    AtomicReference<@Nullable CompletableFuture<Metadata>> found = new AtomicReference<>();
    ParentCall.run(parent, () -> found.set(headersHere(attempt, credentials, authority)));
    return Objects.requireNonNull(found.get());
  }

  private static CompletableFuture<Metadata> headersHere(
      Attempt<?, ?> attempt, CallCredentials credentials, String authority) {
    return CredentialHeaders.of(
        attempt.callStart(),
        authority,
        attempt.call().options(),
        attempt.call().channel().settings(),
        attempt.earlier(),
        credentials);
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
      attempt.failBeforeStart( // does nothing if it has ended
          CredentialHeaders.whyNot(credentials, thrown));
      unsent.run();
    }
  }
}
