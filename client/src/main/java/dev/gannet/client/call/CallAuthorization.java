package dev.gannet.client.call;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.subchannel.CredentialHeaders;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.Scheduler;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
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

  /**
   * Requests the headers, on this thread.
   *
   * @param connection the one on which the attempt will start
   * @param then starts the attempt with these additional headers
   * @param unsent called instead if the attempt has ended and does not start
   */
  static void ask(
      Attempt<?, ?> attempt,
      CallCredentials credentials,
      ClientTransport connection,
      Consumer<Metadata> then,
      Runnable unsent) {
    CallOwner channel = attempt.call().channel();
    CompletableFuture<Metadata> answer = headers(attempt, credentials, connection);
    if (answer.isDone()) {
      answer.whenComplete(
          (headers, thrown) -> settle(attempt, credentials, headers, thrown, then, unsent));
      return;
    }
    Scheduler.Cancellable late = watch(attempt, credentials, unsent);
    channel
        .withoutStream()
        .addUnauthorized(
            attempt,
            () -> {
              late.cancel();
              unsent.run();
            });
    answer.whenComplete((headers, thrown) -> {
      late.cancel();
      if (channel.withoutStream().unauthorized().take(attempt)) {
        settle(attempt, credentials, headers, thrown, then, unsent);
      }
    });
  }

  /**
   * The credentials see the incoming call for which the attempt's call is made, whose principal
   * they may forward; never the call that this thread serves otherwise.
   */
  private static CompletableFuture<Metadata> headers(
      Attempt<?, ?> attempt, CallCredentials credentials, ClientTransport connection) {
    ParentCall parent = attempt.call().parent();
    if (ParentCall.isCurrent(parent)) {
      return headersHere(attempt, credentials, connection);
    }
    AtomicReference<@Nullable CompletableFuture<Metadata>> found = new AtomicReference<>();
    ParentCall.run(parent, () -> found.set(headersHere(attempt, credentials, connection)));
    return Objects.requireNonNull(found.get());
  }

  private static CompletableFuture<Metadata> headersHere(
      Attempt<?, ?> attempt, CallCredentials credentials, ClientTransport connection) {
    CallStart<?, ?> start = attempt.start();
    return CredentialHeaders.of(
        start,
        start.authorityOn(connection),
        attempt.options(),
        attempt.call().channel().settings(),
        attempt.earlier(),
        credentials);
  }

  /** Without a timer the credentials are trusted to answer. */
  private static Scheduler.Cancellable watch(
      Attempt<?, ?> attempt, CallCredentials credentials, Runnable unsent) {
    CallOwner channel = attempt.call().channel();
    Runnable onLate =
        () -> {
          if (channel.withoutStream().unauthorized().take(attempt)) {
            String what = "have not answered in " + ANSWER.toSeconds() + " s";
            String who = "the call credentials (" + CredentialHeaders.nameOf(credentials) + ") ";
            fail(attempt, Status.UNAVAILABLE.withDescription(who + what), unsent);
          }
        };
    try {
      return channel.settings().scheduler().schedule(onLate, TimeUnit.NANOSECONDS.convert(ANSWER));
    } catch (RuntimeException | Error e) {
      return () -> {};
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
      fail(attempt, CredentialHeaders.whyNot(credentials, thrown), unsent);
    }
  }

  private static void fail(Attempt<?, ?> attempt, Status why, Runnable unsent) {
    attempt.failBeforeStart(why); // does nothing if it has ended
    unsent.run();
  }
}
