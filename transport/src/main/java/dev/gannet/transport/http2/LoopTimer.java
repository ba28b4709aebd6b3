package dev.gannet.transport.http2;

/**
 * A task that runs at a set time on a connection's loop, kept in the heap of its calls' deadlines.
 * Confined to the loop.
 */
final class LoopTimer implements Timed {
  private final ConnectionLoop loop;
  private final Runnable task;
  private long deadlineNanos;
  private int heapIndex = DeadlineHeap.OUTSIDE;

  LoopTimer(ConnectionLoop loop, Runnable task) {
    this.loop = loop;
    this.task = task;
  }

  /** Has the task run at that time, and not at the time that was set before. */
  void set(long atNanos) {
    loop.unwatch(this);
    deadlineNanos = atNanos;
    loop.watch(this);
  }

  /** Cancels the task. */
  void cancel() {
    loop.unwatch(this);
  }

  boolean isSet() {
    return heapIndex != DeadlineHeap.OUTSIDE;
  }

  @Override
  public long deadlineNanos() {
    return deadlineNanos;
  }

  @Override
  public int heapIndex() {
    return heapIndex;
  }

  @Override
  public void setHeapIndex(int index) {
    heapIndex = index;
  }

  @Override
  public void onDeadline() {
    task.run();
  }
}
