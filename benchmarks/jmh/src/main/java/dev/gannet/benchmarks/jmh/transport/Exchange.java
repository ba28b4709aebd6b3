package dev.gannet.benchmarks.jmh.transport;

import java.util.function.Consumer;

/** A client on one connection to its own server, both of one library. */
interface Exchange extends AutoCloseable {
  /** The name of the service. */
  String SERVICE = "bench.Bytes";

  /** The method that echoes its request. */
  String ECHO = SERVICE + "/Echo";

  /**
   * The method that sends each message as often as the first four bytes of the message say (big
   * endian).
   */
  String REPEAT = SERVICE + "/Repeat";

  /** One unary call by the library's blocking client. */
  byte[] echo(byte[] request);

  /**
   * Starts a unary call, directly with the library's call object; the response arrives on the
   * connection's event loop.
   */
  void beginEcho(byte[] request, Consumer<byte[]> response);

  /**
   * Starts a stream that repeats its request; each response arrives on the connection's event loop,
   * and the next 64 are requested ahead.
   */
  void beginRepeat(byte[] request, Consumer<byte[]> response, Runnable end);

  @Override
  void close();
}
