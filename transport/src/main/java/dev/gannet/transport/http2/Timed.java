package dev.gannet.transport.http2;

/** Something with a deadline that a {@link DeadlineHeap} watches. */
interface Timed {
  long deadlineNanos();

  /** Its index in the heap; stored for the heap. */
  int heapIndex();

  void setHeapIndex(int index);

  /** The deadline has passed; it was removed from the heap. */
  void onDeadline();
}
