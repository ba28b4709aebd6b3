package dev.gannet.benchmarks.jmh.stubs;

/** Whose plug-in has written a class. */
enum Library {
  GANNET,
  GRPC_JAVA,
  /** protoc's own generator, for messages. */
  BOTH
}
