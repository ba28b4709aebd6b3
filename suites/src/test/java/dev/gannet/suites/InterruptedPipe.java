package dev.gannet.suites;

import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.memory.WorkRateLimiter;
import dev.gannet.transport.pipe.Pipe;
import java.nio.ByteBuffer;

/** A pipe on which something happens just before it takes a task from outside. */
final class InterruptedPipe implements Pipe {
  private final Pipe pipe;
  private final Runnable beforeTask;

  InterruptedPipe(Pipe pipe, Runnable beforeTask) {
    this.pipe = pipe;
    this.beforeTask = beforeTask;
  }

  @Override
  public void execute(Runnable task) {
    beforeTask.run();
    pipe.execute(task);
  }

  @Override
  public ByteBuffer reserve(int bytes) {
    return pipe.reserve(bytes);
  }

  @Override
  public boolean wantsMore() {
    return pipe.wantsMore();
  }

  @Override
  public long wireMark() {
    return pipe.wireMark();
  }

  @Override
  public void flush() {
    pipe.flush();
  }

  @Override
  public long unsentBytes() {
    return pipe.unsentBytes();
  }

  @Override
  public void close() {
    pipe.close();
  }

  @Override
  public void setReading(boolean reading) {
    pipe.setReading(reading);
  }

  @Override
  public boolean inLoop() {
    return pipe.inLoop();
  }

  @Override
  public void wakeAt(long nanos) {
    pipe.wakeAt(nanos);
  }

  @Override
  public long openedNanos() {
    return pipe.openedNanos();
  }

  @Override
  public long nanoTime() {
    return pipe.nanoTime();
  }

  @Override
  public WorkRateLimiter work() {
    return pipe.work();
  }

  @Override
  public ConnectionInfo info() {
    return pipe.info();
  }
}
