package dev.gannet.server;

import java.util.concurrent.Executor;

/**
 * Runs handlers on an executor of the user's; one for all calls of a method. Its threads are not
 * interrupted: they may be doing something else by then.
 */
record OnExecutor(Executor executor) implements HandlerRunner {
  @Override
  public void execute(Runnable task, IncomingCall<?, ?> call) {
    executor.execute(task);
  }
}
