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
record Surroundings(NameResolver.Context context, Supplier<String> hostname) {
  /** Those of this process. */
  Surroundings(NameResolver.Context context) {
    this(context, Surroundings::hostnameOfMachine);
  }

  private static String hostnameOfMachine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "";
    }
  }
}
