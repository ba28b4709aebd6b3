package dev.gannet.resolver.dns;

import dev.gannet.client.resolver.NameResolver;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What a resolver takes from outside.
 *
 * @param context the channel's threads and timers
 * @param nanoTime a clock
 * @param random which part of the clients this one belongs to
 * @param hostname what this machine is called; may block
 */
record ResolverEnvironment(
    NameResolver.Context context,
    LongSupplier nanoTime,
    RandomGenerator random,
    Supplier<String> hostname) {
  /** Those of this process. */
  ResolverEnvironment(NameResolver.Context context) {
    this(context, System::nanoTime, new SplittableRandom(), ResolverEnvironment::hostnameOfMachine);
  }

  private static String hostnameOfMachine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "";
    }
  }
}
