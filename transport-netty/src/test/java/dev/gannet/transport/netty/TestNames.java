package dev.gannet.transport.netty;

import dev.gannet.api.engine.EventLoopThread;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The JVM's look-ups of names in tests: like those of the system, and names that end with {@link
 * #SUFFIX} are this machine. Found by {@link java.util.ServiceLoader}.
 */
public final class TestNames extends InetAddressResolverProvider {
  /** Of names that only this knows. */
  static final String SUFFIX = ".looked-up.test";

  /** A name whose look-up lasts until {@link #MAY_END}. */
  static final String SLOW = "slow" + SUFFIX;

  /** Counts the look-ups of such names on event loops. */
  static final AtomicInteger ON_LOOPS = new AtomicInteger();

  /** The look-up of {@link #SLOW} has begun. */
  static final CountDownLatch BEGUN = new CountDownLatch(1);

  static final CountDownLatch MAY_END = new CountDownLatch(1);

  @Override
  public InetAddressResolver get(Configuration configuration) {
    return new Names(configuration.builtinResolver());
  }

  @Override
  public String name() {
    return "names of tests";
  }

  private record Names(InetAddressResolver system) implements InetAddressResolver {
    @Override
    public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
        throws UnknownHostException {
      if (!host.endsWith(SUFFIX)) {
        return system.lookupByName(host, policy);
      }
      if (Thread.currentThread() instanceof EventLoopThread) {
        ON_LOOPS.incrementAndGet();
      }
      if (host.equals(SLOW)) {
        awaitEnd();
      }
      return Stream.of(InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1}));
    }

    private static void awaitEnd() throws UnknownHostException {
      BEGUN.countDown();
      try {
        MAY_END.await();
      } catch (InterruptedException e) {
        throw new UnknownHostException("interrupted");
      }
    }

    @Override
    public String lookupByAddress(byte[] address) throws UnknownHostException {
      return system.lookupByAddress(address);
    }
  }
}
