package dev.gannet.transport.http2;

/** Something with a deadline that a {@link DeadlineHeap} watches. */
interface Timed {
  long deadlineNanos();

  /** Its place in the heap; kept for the heap. */
  int heapIndex();

  void setHeapIndex(int index);

  /** The deadline has passed; it is out of the heap. */
  void onDeadline();
}
