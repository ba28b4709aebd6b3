package dev.gannet.testing;

/** The transports over which the same tests of calls run. */
enum Medium {
  /** HTTP/2 over a {@link SimulatedNetwork}. */
  HTTP2,
  /** Messages as objects, by a {@link DirectTransport}. */
  DIRECT,
  /** The in-process transport, messages written and parsed. */
  IN_PROCESS
}
