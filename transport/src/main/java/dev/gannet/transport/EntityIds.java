package dev.gannet.transport;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The ids of servers, channels and sockets for tools (channelz, gRFC A14): one sequence for all
 * kinds in this process, from 1 on, without reuse. For all threads.
 */
public final class EntityIds {
  private static final AtomicLong LAST = new AtomicLong();

  private EntityIds() {}

  public static long next() {
    return LAST.incrementAndGet();
  }
}
