package dev.gannet.suites;

import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.transport.pipe.LoopPauses;
import java.util.ArrayList;
import java.util.List;

/**
 * The program at one side of a simulated network, as far as its pipes are concerned. It may be
 * stopped, as by SIGSTOP: then nothing reaches it and the tasks of its pipes wait, while time
 * continues.
 */
final class SimulatedHost {
  private final SimulatedLoop loop;
  private final List<Runnable> waiting = new ArrayList<>();
  private LoopPauses pauses = LoopPauses.NONE;
  private boolean stopped;
  private long stoppedAtNanos;

  SimulatedHost(SimulatedLoop loop) {
    this.loop = loop;
  }

  boolean isStopped() {
    return stopped;
  }

  LoopPauses pauses() {
    return pauses;
  }

  void stop() {
    if (!stopped) {
      stopped = true;
      stoppedAtNanos = loop.nanoTime();
    }
  }

  /** Continues: the waiting tasks run soon, in order. */
  void goOn() {
    if (stopped) {
      stopped = false;
      pauses = pauses.plus(loop.nanoTime() - stoppedAtNanos, loop.nanoTime());
      List<Runnable> late = List.copyOf(waiting);
      waiting.clear();
      late.forEach(loop::execute);
    }
  }

  /** Runs the task, now or when the host continues. */
  void run(Runnable task) {
    if (stopped) {
      waiting.add(task);
    } else {
      task.run();
    }
  }
}
