package dev.gannet.transport.http2;

/**
 * The memory that the calls of one connection take apart from messages that wait to be read or
 * sent: the calls themselves, what handlers hold, and copies for another attempt. Confined to the
 * connection's loop.
 */
final class CallMemory {
  private int openCalls;
  private long callBytes;
  private long wholeBytes;
  private long handlerBytes;
  private long replayBytes;

  /** A server's call begins, which takes this many bytes without its messages. */
  void onCall(int bytes) {
    openCalls++;
    callBytes += bytes;
  }

  /**
   * A server's call and its handler have ended.
   *
   * @param bytes what it took since {@link #onCall}
   */
  void onCallGone(int bytes) {
    openCalls--;
    callBytes -= bytes;
  }

  /**
   * This many bytes more of the calls belong to calls whose request is complete (or less, if
   * negative).
   */
  void changeWhole(int bytes) {
    wholeBytes += bytes;
  }

  /**
   * Handlers of large messages hold this many bytes more, or will once the messages are complete.
   */
  void changeHandlers(int bytes) {
    handlerBytes += bytes;
  }

  /**
   * A client's calls keep copies of this many bytes more (or less), to send them again if the
   * server has not processed them.
   */
  void changeReplay(long bytes) {
    replayBytes += bytes;
  }

  /** How many calls of a server have not ended, or have handlers that still run. */
  int openCalls() {
    return openCalls;
  }

  /** Whether a call waits for its peer to continue its request. */
  boolean hasUnfinishedCalls() {
    return callBytes > wholeBytes;
  }

  /** The bytes of calls whose peer has to continue their requests. */
  long unfinishedBytes() {
    return callBytes - wholeBytes;
  }

  /** The bytes of calls whose requests are complete, and of what handlers hold. */
  long servedBytes() {
    return wholeBytes + handlerBytes;
  }

  /** The bytes of all calls, and of what handlers hold. */
  long bytes() {
    return callBytes + handlerBytes;
  }

  /** The bytes of a client's copies, including those that wait to be written. */
  long replayBytes() {
    return replayBytes;
  }
}
