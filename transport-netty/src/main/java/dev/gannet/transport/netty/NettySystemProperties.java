package dev.gannet.transport.netty;

/**
 * Settings for Netty that are made before the first of its classes is used, unless the user has
 * made them already. Netty reads these properties once in a process.
 */
final class NettySystemProperties {
  private NettySystemProperties() {}

  static void setDefaults() {
    // Loading the JDK's Flight Recorder for events that nobody records takes a good part of the
    // time to a process's first call. Users who want the events set the property to true.
    setUnlessSet("io.netty.jfr.enabled", "false");
  }

  private static void setUnlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }
}
