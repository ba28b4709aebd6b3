package dev.gannet.conformance.connect;

import connectrpc.conformance.v1.ClientCompat.ClientCompatRequest;
import connectrpc.conformance.v1.ClientCompat.ClientCompatRequest.Cancel;
import java.time.Duration;

/** When a client must cancel its call. */
sealed interface Cancellation {
  record Never() implements Cancellation {}

  /** Instead of ending the requests. */
  record BeforeHalfClose() implements Cancellation {}

  /** This long after the end of the requests, whatever has been received until then. */
  record AfterHalfClose(Duration delay) implements Cancellation {}

  /** As soon as this many responses were read; 1 or more. */
  record AfterResponses(int responses) implements Cancellation {}

  /** The suite's request; a bare {@code cancel} means immediately after the end of the requests. */
  static Cancellation of(ClientCompatRequest request) {
    Cancel cancel = request.getCancel();
    return switch (cancel.getCancelTimingCase()) {
      case BEFORE_CLOSE_SEND -> new BeforeHalfClose();
      case AFTER_CLOSE_SEND_MS ->
          new AfterHalfClose(
              Duration.ofMillis(Integer.toUnsignedLong(cancel.getAfterCloseSendMs())));
      case AFTER_NUM_RESPONSES -> new AfterResponses(cancel.getAfterNumResponses());
      case CANCELTIMING_NOT_SET ->
          request.hasCancel() ? new AfterHalfClose(Duration.ZERO) : new Never();
    };
  }
}
