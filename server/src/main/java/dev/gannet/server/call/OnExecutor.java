package dev.gannet.server.call;

import java.util.concurrent.Executor;

/**
 * Runs handlers on a user's executor; one object for all calls of a method. Its threads are not
 * interrupted, because they may already be doing something else.
 */
public record OnExecutor(Executor executor) implements HandlerRunner {
  @Override
  public void execute(Runnable task, IncomingCall<?, ?> call) {
    executor.execute(task);
  }
}
