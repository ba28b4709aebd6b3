package dev.gannet.client;

import dev.gannet.api.engine.EventLoopThread;
import dev.gannet.api.engine.WakeUps;

/** A thread that counts as that of an event loop. */
final class LoopThread extends Thread implements EventLoopThread {
  private final WakeUps wakeUps = new WakeUps();

  LoopThread(Runnable task) {
    super(task, "loop");
  }

  @Override
  public WakeUps wakeUps() {
    return wakeUps;
  }
}
