package dev.gannet.resolver.dns;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The thread of all lookups of the process. It exists while any resolver exists; a resolver exists
 * while its channel is not idle.
 */
final class LookUpThread {
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static @Nullable EventLoopGroup group;
  private static int users;

  private LookUpThread() {}

  /** The thread, until {@link #giveBack}. */
  static EventLoop lend() {
    LOCK.lock();
    try {
      EventLoopGroup there = group;
      if (there == null) {
        there =
            new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("gannet-dns", true), NioIoHandler.newFactory());
        group = there;
      }
      users++;
      return there.next();
    } finally {
      LOCK.unlock();
    }
  }

  /** A resolver does not need the thread any more. Tasks that were already submitted still run. */
  @SuppressWarnings("FutureReturnValueIgnored") // no thread waits for a daemon thread's end
  static void giveBack() {
    LOCK.lock();
    try {
      users--;
      EventLoopGroup there = group;
      if (users == 0 && there != null) {
        group = null;
        there.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      }
    } finally {
      LOCK.unlock();
    }
  }

  /** How many resolvers use it. */
  static int users() {
    LOCK.lock();
    try {
      return users;
    } finally {
      LOCK.unlock();
    }
  }
}
