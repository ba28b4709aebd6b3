package dev.gannet.transport.netty;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator.DelegatingHandle;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Has a connection with TLS read as Netty does by itself, into buffers that grow with what comes,
 * but no further in one pass than {@link TlsRecords#mayReadOn} says: a megabyte of short records
 * would hold the loop for long.
 */
@SuppressWarnings("deprecation") // Netty's channels know no other way yet
final class ReadsByRecords extends AdaptiveRecvByteBufAllocator {
  /** After so many reads of one connection it is the next one's turn in any case. */
  private static final int READS_IN_A_ROW = 16;

  private final TlsRecords records;

  /** For one channel. */
  ReadsByRecords(TlsRecords records) {
    this.records = records;
    maxMessagesPerRead(READS_IN_A_ROW);
  }

  @Override
  public Handle newHandle() {
    return new Bounded((ExtendedHandle) super.newHandle());
  }

  private final class Bounded extends DelegatingHandle implements ExtendedHandle {
    private final ExtendedHandle adaptive;

    Bounded(ExtendedHandle adaptive) {
      super(adaptive);
      this.adaptive = adaptive;
    }

    @Override
    public boolean continueReading() {
      return records.mayReadOn() && adaptive.continueReading();
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
      return records.mayReadOn() && adaptive.continueReading(maybeMoreData);
    }
  }
}
