/** Servers and clients for external suites, and long-running tests of the whole system. */
module dev.gannet.conformance {
  requires HdrHistogram;
  requires com.google.protobuf;
  requires dev.gannet;
  requires dev.gannet.serviceconfig;
  requires dev.gannet.services;
  requires dev.gannet.suites;
  requires dev.gannet.testing;
  requires info.picocli;
  requires java.logging;
  requires java.management;
  requires java.xml;
  requires static org.jspecify;

  opens dev.gannet.conformance to
      info.picocli;
  opens dev.gannet.conformance.connect to
      info.picocli;
  opens dev.gannet.conformance.gauntlet to
      info.picocli;
  opens dev.gannet.conformance.h2spec to
      info.picocli;
  opens dev.gannet.conformance.interop to
      info.picocli;
  opens dev.gannet.conformance.longrun to
      info.picocli;
  opens dev.gannet.conformance.simulation to
      info.picocli;
}
