package dev.gannet.api.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What a server knows of checks of headers without asking their stage. */
public final class HeaderChecks {
  /** What checks return that never wait: one object, so that calls need none. */
  public static final CompletionStage<Void> DONE = CompletableFuture.completedStage(null);

  private HeaderChecks() {}
}
