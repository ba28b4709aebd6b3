/** Scripted HTTP/2 peer, virtual clock, simulated network. */
module dev.gannet.testing {
  requires transitive dev.gannet.api;
  requires dev.gannet.http2;
  requires dev.gannet.protocol;
  requires transitive dev.gannet.transport;
  requires dev.gannet.client;
  requires dev.gannet.server;
  requires static org.junit.jupiter.api;
  requires static transitive org.jspecify;

  exports dev.gannet.testing;
}
