/** A JUnit extension that fails test classes that lose Netty's buffers. For tests only. */
module dev.gannet.leaks {
  requires io.netty.common;
  requires transitive org.junit.jupiter.api;
  requires static org.jspecify;

  exports dev.gannet.leaks;

  provides org.junit.jupiter.api.extension.Extension with
      dev.gannet.leaks.LeakWatch;
}
