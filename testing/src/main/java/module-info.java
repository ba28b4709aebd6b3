/** What users need to test clients and services. */
module dev.gannet.testing {
  requires static org.jspecify;
  requires static org.junit.jupiter.api;
  requires transitive dev.gannet.api;
  requires transitive dev.gannet.client;
  requires transitive dev.gannet.server;
  requires dev.gannet.transport;
  requires dev.gannet.transport.inprocess;

  exports dev.gannet.testing;
}
