/** Calls as events of the JDK Flight Recorder. */
module dev.gannet.jfr {
  requires jdk.jfr;
  requires transitive dev.gannet.api;
  requires static org.jspecify;

  exports dev.gannet.jfr;
}
