package dev.gannet.benchmarks.jmh.transport;

import java.util.function.Consumer;

/** A client on one connection to a server of its own, both of one library. */
interface Exchange extends AutoCloseable {
  /** What the service is called. */
  String SERVICE = "bench.Bytes";

  /** Its method that gives back what it was given. */
  String ECHO = SERVICE + "/Echo";

  /**
   * Its method that says each message as often as the message's first four bytes say, big end
   * first.
   */
  String REPEAT = SERVICE + "/Repeat";

  /** One unary call by the library's blocking client. */
  byte[] echo(byte[] request);

  /**
   * Begins a unary call, straight on the library's call object; the response comes on the
   * connection's event loop.
   */
  void beginEcho(byte[] request, Consumer<byte[]> response);

  /**
   * Begins a stream that repeats its request; each response comes on the connection's event loop,
   * and the next 64 are asked for ahead.
   */
  void beginRepeat(byte[] request, Consumer<byte[]> response, Runnable end);

  @Override
  void close();
}
