package dev.gannet.benchmarks.jmh.transport;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import java.nio.ByteBuffer;

/** Gannet's handler that repeats its request. */
final class GannetRepeat implements ServerCall.Listener<byte[]> {
  private final ServerCall<byte[], byte[]> call;
  private byte[] message = {};
  private int left;
  private boolean begun;

  GannetRepeat(ServerCall<byte[], byte[]> call) {
    this.call = call;
    call.request(1);
  }

  @Override
  public void onMessage(byte[] request) {
    message = request;
    left = ByteBuffer.wrap(request).getInt();
  }

  @Override
  public void onHalfClose() {
    begun = true;
    onReady();
  }

  @Override
  public void onReady() {
    if (!begun) {
      return;
    }
    for (; left > 0 && call.isReady(); left--) {
      call.sendMessage(message);
    }
    if (left == 0) {
      begun = false;
      call.close(Status.OK, new Metadata());
    }
  }
}
