package dev.gannet.transport.netty;

/**
 * What Netty is told before the first of its classes is used, where the user has not told it
 * something already. Netty reads these properties once in a process.
 */
final class NettySwitches {
  private NettySwitches() {}

  static void set() {
    // Loading the JDK's flight recorder for events that nobody records is a good part of
    // the time that a process takes for its first call. Who wants the events sets the property to
    // true.
    setUnlessSet("io.netty.jfr.enabled", "false");
  }

  private static void setUnlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }
}
