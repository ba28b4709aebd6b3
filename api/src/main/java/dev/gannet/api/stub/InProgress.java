package dev.gannet.api.stub;

/** An answer that its handler has begun and that is to come. */
sealed interface InProgress permits ResponseInProgress, ResponsesInProgress {
  /** Begins to send what comes. */
  void begin();

  /** The call can be sent on again. */
  void proceed();

  /** Nobody waits for it any more. */
  void cancel();
}
