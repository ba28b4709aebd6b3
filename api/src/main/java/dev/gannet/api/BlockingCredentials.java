package dev.gannet.api;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Asks a source that may block, on a virtual thread for each attempt. */
record BlockingCredentials(BlockingSource source) implements CallCredentials {
  @Override
  public CompletionStage<Metadata> headersFor(Request request) {
    Optional<CallParent> parent = CallParent.current();
    CompletableFuture<Metadata> headers = new CompletableFuture<>();
    Thread.ofVirtual().name("gannet-credentials").start(() -> ask(request, parent, headers));
    return headers;
  }

  private void ask(
      Request request, Optional<CallParent> parent, CompletableFuture<Metadata> headers) {
    Metadata found;
    try {
      found =
          parent.isPresent()
              ? parent.get().call(() -> source.headersFor(request))
              : source.headersFor(request);
    } catch (Throwable e) {
      headers.completeExceptionally(e);
      return;
    }
    headers.complete(found); // outside of the parent: this thread continues the call
  }

  @Override
  public String name() {
    return source.getClass().getSimpleName();
  }

  @Override
  public String toString() {
    return "blocking credentials: " + name();
  }
}
