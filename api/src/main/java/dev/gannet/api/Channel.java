package dev.gannet.api;

/**
 * Makes calls to a service, over any number of connections. Safe for all threads. For applications
 * to implement; new methods will have a default.
 */
public interface Channel {
  /**
   * Creates a call; {@link ClientCall#start} starts it. Never blocks and never throws because of
   * the network: errors are reported to the call's listener.
   */
  <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options);

  /** The {@code :authority} of calls whose options do not set another. */
  String authority();
}
