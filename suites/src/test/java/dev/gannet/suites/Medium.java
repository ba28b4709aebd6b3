package dev.gannet.suites;

/**
 * The ways from a channel to a server on which the same tests of calls run: the tests with a
 * parameter of this type say what every transport has to do.
 */
enum Medium {
  /** HTTP/2 over a {@link SimulatedNetwork}. */
  HTTP2,
  /** The same, found by a resolver and picked by a policy of the test's own. */
  PLUGGED_IN,
  /** Messages as objects, by a {@link DirectTransport}. */
  DIRECT,
  /** The in-process transport, messages written and parsed. */
  IN_PROCESS;

  /** How tracers write the sizes of an uncompressed message: an object has none. */
  String sizes(int bytes) {
    int known = this == DIRECT ? 0 : bytes;
    return known + " of " + known;
  }
}
