package dev.gannet.services;

import dev.gannet.services.binarylog.v1.GrpcLogEntry;

/** The destination for the entries of a {@link BinaryLog}. Safe for all threads. */
@FunctionalInterface
public interface BinaryLogSink {
  /**
   * Takes an entry; called on a thread of its call, which may be an event loop, so it must not
   * block. If it throws, the entry is lost and the call is not affected.
   */
  void write(GrpcLogEntry entry);
}
