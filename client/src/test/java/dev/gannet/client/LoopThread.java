package dev.gannet.client;

import dev.gannet.api.engine.EventLoopThread;
import dev.gannet.api.engine.OffLoop;
import dev.gannet.api.engine.WakeUps;

/** A thread that counts as that of an event loop. */
final class LoopThread extends Thread implements EventLoopThread {
  private final OffLoop offLoop = new OffLoop();
  private final WakeUps wakeUps = new WakeUps(offLoop);

  LoopThread(Runnable task) {
    super(task, "loop");
  }

  @Override
  public OffLoop offLoop() {
    return offLoop;
  }

  @Override
  public WakeUps wakeUps() {
    return wakeUps;
  }
}
