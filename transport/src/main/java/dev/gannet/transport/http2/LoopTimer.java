package dev.gannet.transport.http2;

/**
 * A task that runs at a set time on a connection's loop, kept in the heap of its calls' deadlines.
 * Confined to the loop.
 */
final class LoopTimer implements Timed {
  private final DeadlineHeap deadlines;
  private final Runnable task;
  private long deadlineNanos;
  private int heapIndex = DeadlineHeap.OUTSIDE;

  LoopTimer(DeadlineHeap deadlines, Runnable task) {
    this.deadlines = deadlines;
    this.task = task;
  }

  /** Has the task run at that time, and not at the time that was set before. */
  void set(long atNanos) {
    deadlines.remove(this);
    deadlineNanos = atNanos;
    deadlines.add(this);
  }

  /** Cancels the task. */
  void cancel() {
    deadlines.remove(this);
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
