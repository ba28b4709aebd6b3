package dev.gannet.api;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Two call credentials in their order. They require the higher of both security levels. */
record CompositeCallCredentials(CallCredentials first, CallCredentials second)
    implements CallCredentials {
  @Override
  public CompletionStage<Metadata> headersFor(Request request) {
    Optional<CallParent> current = CallParent.current();
    return from(first, first.headersFor(request))
        .thenCompose(before ->
            from(second, secondFor(request, current)).thenApply(behind -> merged(before, behind)));
  }

  /** Their headers; who returns null, which is not allowed, is named. */
  private static CompletionStage<Metadata> from(
      CallCredentials credentials, @Nullable CompletionStage<Metadata> headers) {
    if (headers == null) {
      return CompletableFuture.failedStage(withoutHeaders(credentials));
    }
    return headers.thenApply(found -> {
      if (found == null) {
        throw withoutHeaders(credentials);
      }
      return found;
    });
  }

  private static StatusException withoutHeaders(CallCredentials credentials) {
    return Status.INTERNAL
        .withDescription(
            credentials.name() + " returned null or completed with null instead of Metadata")
        .asException();
  }

  /** Asks the second ones with the same parent as the first, on whatever thread. */
  private CompletionStage<Metadata> secondFor(Request request, Optional<CallParent> current) {
    if (CallParent.current().equals(current)) {
      return second.headersFor(request);
    }
    AtomicReference<CompletionStage<Metadata>> headers = new AtomicReference<>();
    Runnable ask = () -> headers.set(second.headersFor(request));
    current.ifPresentOrElse(parent -> parent.run(ask), () -> CallContext.runDetached(ask));
    return headers.get();
  }

  @Override
  public String name() {
    return first.name() + " and " + second.name();
  }

  /** The metadata objects belong to the credentials, so both are left unchanged. */
  private static Metadata merged(Metadata before, Metadata behind) {
    Metadata both = before.copy();
    both.merge(behind);
    return both;
  }

  @Override
  public SecurityLevel requiredSecurity() {
    SecurityLevel one = first.requiredSecurity();
    SecurityLevel other = second.requiredSecurity();
    return one.compareTo(other) >= 0 ? one : other;
  }
}
