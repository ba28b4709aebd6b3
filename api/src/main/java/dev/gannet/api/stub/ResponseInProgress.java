package dev.gannet.api.stub;

import dev.gannet.api.ServerCall;
import dev.gannet.api.engine.FailedStage;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One future response; sent on the thread that completes it. */
final class ResponseInProgress<R> implements InProgress {
  private final ServerCall<?, R> call;
  private final CompletionStage<R> response;
  private volatile boolean unwanted;

  ResponseInProgress(ServerCall<?, R> call, CompletionStage<R> response) {
    this.call = call;
    this.response =
        Objects.requireNonNull(response, "the handler returned null instead of a CompletionStage");
  }

  @Override
  public void begin() {
    response.whenComplete(this::onCompleted);
  }

  private void onCompleted(@Nullable R message, @Nullable Throwable thrown) {
    if (unwanted) {
      return; // most likely cancelled, which is no failure of the handler
    }
    if (thrown != null) {
      AsyncHandlers.fail(call, FailedStage.cause(thrown));
      return;
    }
    try {
      answer(message);
    } catch (Throwable e) { // a stage would swallow it
      AsyncHandlers.fail(call, e);
    }
  }

  @SuppressWarnings(
      "NullAway") // a null response is a mistake of the handler, and sendMessage reports it
  private void answer(@Nullable R message) {
    BlockingHandlers.sendHeaders(call);
    call.sendMessage(message);
    BlockingHandlers.end(call);
  }

  @Override
  public void proceed() {}

  @Override
  public void cancel() {
    unwanted = true;
    try {
      response.toCompletableFuture().cancel(false);
    } catch (UnsupportedOperationException e) {
      // Another kind of stage, which cannot be cancelled.
    }
  }
}
