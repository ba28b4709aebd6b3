package dev.gannet.suites;

import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.ClientStreamTracer;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;

/** A tracer that fails whatever it is told. */
final class ThrowingTracer implements ClientCallTracer, ClientStreamTracer, ServerStreamTracer {
  private static void fail() {
    throw new AssertionError("a tracer's fault");
  }

  @Override
  public ClientStreamTracer newAttempt(ClientStreamTracer.Start attempt) {
    return this;
  }

  @Override
  public void onStreamOpened(Opened stream) {
    fail();
  }

  @Override
  public void onHeadersSent(Metadata headers) {
    fail();
  }

  @Override
  public void onHeadersReceived(Metadata headers) {
    fail();
  }

  @Override
  public void onMessageSent(int sequence, long wireBytes, long messageBytes) {
    fail();
  }

  @Override
  public void onMessageReceived(int sequence, long wireBytes, long messageBytes) {
    fail();
  }

  @Override
  public void onEnd(Status status, Metadata trailers) {
    fail();
  }
}
