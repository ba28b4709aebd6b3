package dev.gannet.services;

import dev.gannet.services.binarylog.v1.GrpcLogEntry;

/** Where a {@link BinaryLog} puts its entries. Safe for all threads. */
@FunctionalInterface
public interface BinaryLogSink {
  /**
   * Takes an entry; on a thread of its call, which may be an event loop, so it must not block. What
   * it throws loses the entry and changes nothing for the call.
   */
  void write(GrpcLogEntry entry);
}
