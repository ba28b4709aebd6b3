/** Servers and clients for external suites, and the architecture test. */
module dev.gannet.conformance {
  requires dev.gannet;
  requires info.picocli;
  requires static org.jspecify;

  opens dev.gannet.conformance to
      info.picocli;
}
