package dev.gannet.conformance.gauntlet;

import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import io.grpc.testing.integration.Messages.SimpleResponse;

/** One call of an honest client, which checks its answer. */
final class HonestCall implements ClientCall.Listener<SimpleResponse> {
  private final HonestPhase phase;
  private final long dueNanos;
  private final int responseBytes;
  private boolean answered;

  HonestCall(HonestPhase phase, long dueNanos, int responseBytes) {
    this.phase = phase;
    this.dueNanos = dueNanos;
    this.responseBytes = responseBytes;
  }

  @Override
  public void onMessage(SimpleResponse response) {
    answered = response.getPayload().getBody().size() == responseBytes;
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (status.isOk() && answered) {
      phase.onAnswer(System.nanoTime() - dueNanos);
    } else {
      phase.onFailure(status.isOk() ? "OK with a wrong answer" : status.toString());
    }
  }
}
