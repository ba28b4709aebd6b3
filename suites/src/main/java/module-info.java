/** Virtual clock, simulated network, storms of random calls. */
module dev.gannet.suites {
  requires transitive dev.gannet.api;
  requires dev.gannet.http2;
  requires dev.gannet.protocol;
  requires transitive dev.gannet.transport;
  requires transitive dev.gannet.simulation;
  requires dev.gannet.client;
  requires dev.gannet.server;
  requires dev.gannet.transport.inprocess;
  requires static org.junit.jupiter.api;
  requires static org.jspecify;

  exports dev.gannet.suites to
      dev.gannet.conformance;
  exports dev.gannet.suites.storm to
      dev.gannet.conformance;
}
