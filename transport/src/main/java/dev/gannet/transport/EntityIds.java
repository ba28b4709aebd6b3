package dev.gannet.transport;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The numbers by which tools know servers, channels and sockets (channelz, gRFC A14): one rising
 * row for all kinds of this process, from 1 on, none of them used twice. For all threads.
 */
public final class EntityIds {
  private static final AtomicLong LAST = new AtomicLong();

  private EntityIds() {}

  public static long next() {
    return LAST.incrementAndGet();
  }
}
