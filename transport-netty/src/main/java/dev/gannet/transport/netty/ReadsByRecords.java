package dev.gannet.transport.netty;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator.DelegatingHandle;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Reads a TLS connection as Netty does by default, into buffers that grow with what arrives, but in
 * one pass no more than {@link TlsRecords#mayReadOn} allows: a megabyte of short records would
 * occupy the loop for a long time.
 */
@SuppressWarnings("deprecation") // Netty's channels have no other interface for this yet
final class ReadsByRecords extends AdaptiveRecvByteBufAllocator {
  /** After this many reads of one connection it is the next one's turn in any case. */
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
