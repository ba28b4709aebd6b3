/** A virtual clock, for tests of engines. */
module dev.gannet.simulation {
  requires static org.jspecify;
  requires transitive dev.gannet.transport;

  exports dev.gannet.simulation to
      dev.gannet.testing;
}
