package dev.gannet.api.stub;

/** A response that its handler has started and that follows later. */
sealed interface InProgress permits ResponseInProgress, ResponsesInProgress {
  /** Starts to send the response. */
  void begin();

  /** The call is ready to send again. */
  void proceed();

  /** The call was cancelled. */
  void cancel();
}
