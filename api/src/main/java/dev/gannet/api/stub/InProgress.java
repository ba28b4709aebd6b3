package dev.gannet.api.stub;

/** A response that follows after its handler has returned. */
sealed interface InProgress permits ResponseInProgress, ResponsesInProgress {
  /** Starts to send the response. */
  void begin();

  /** The call is ready to send again. */
  void proceed();

  /** The call was cancelled. */
  void cancel();
}
