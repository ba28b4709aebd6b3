package dev.gannet.suites;

import dev.gannet.api.Status;
import dev.gannet.protocol.ArraySource;
import dev.gannet.protocol.Deframer;
import dev.gannet.protocol.MessageEncoding;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** A framing without prefixes: all that comes is one message, which is whole at the end. */
final class WholeContent implements Deframer {
  private final int maxMessageBytes;
  private final ArraySource arrays;
  private byte[] held = {};
  private int heldMessageBytes;
  private boolean over;

  WholeContent(int maxMessageBytes, ArraySource arrays) {
    this.maxMessageBytes = maxMessageBytes;
    this.arrays = arrays;
  }

  @Override
  public Optional<Status> push(ByteBuffer data, Deframer.Receiver receiver) {
    int count = data.remaining();
    if (over) {
      data.position(data.limit());
      return Optional.empty();
    }
    if (count > maxMessageBytes - heldMessageBytes) {
      skip(data);
      return Optional.of(
          Status.RESOURCE_EXHAUSTED.withDescription("content over " + maxMessageBytes + " bytes"));
    }
    if (held.length < heldMessageBytes + count) {
      byte[] larger = arrays.take(2 * (heldMessageBytes + count));
      System.arraycopy(held, 0, larger, 0, heldMessageBytes);
      arrays.give(held);
      held = larger;
    }
    data.get(held, heldMessageBytes, count);
    heldMessageBytes += count;
    return Optional.empty();
  }

  @Override
  public void stopHolding() {
    over = true;
    held = new byte[0];
    heldMessageBytes = 0;
  }

  @Override
  public boolean skip(ByteBuffer data) {
    data.position(data.limit());
    stopHolding();
    return false;
  }

  @Override
  public Optional<Status> end(Deframer.Receiver receiver) {
    if (!over) {
      byte[] whole = Arrays.copyOf(held, heldMessageBytes);
      stopHolding();
      receiver.message(ByteBuffer.wrap(whole), Deframer.Ownership.GIVEN, MessageEncoding.IDENTITY);
    }
    return Optional.empty();
  }

  @Override
  public boolean isIdle() {
    return heldMessageBytes == 0;
  }

  @Override
  public int partBytes() {
    return heldMessageBytes;
  }

  @Override
  public int missingBytes() {
    return 0;
  }

  @Override
  public int heldBytes() {
    return held.length;
  }
}
