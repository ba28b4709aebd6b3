/** Calls and counters as events of the JDK Flight Recorder. */
module dev.gannet.jfr {
  requires jdk.jfr;
  requires transitive dev.gannet.api;
  requires transitive dev.gannet.client;
  requires transitive dev.gannet.server;
  requires static org.jspecify;

  exports dev.gannet.jfr;
}
