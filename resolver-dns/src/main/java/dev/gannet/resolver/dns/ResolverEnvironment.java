package dev.gannet.resolver.dns;

import dev.gannet.client.resolver.NameResolver;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.function.Supplier;

/**
 * What a resolver takes from outside.
 *
 * @param context the channel's threads, timers, clock and random numbers
 * @param hostname what this machine is called; may block
 */
record ResolverEnvironment(NameResolver.Context context, Supplier<String> hostname) {
  /** The environment of this process. */
  ResolverEnvironment(NameResolver.Context context) {
    this(context, ResolverEnvironment::hostnameOfMachine);
  }

  private static String hostnameOfMachine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "";
    }
  }
}
