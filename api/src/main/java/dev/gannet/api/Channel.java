package dev.gannet.api;

/**
 * Where calls are made: a service somewhere, however many connections lead to it. Safe for all
 * threads.
 */
public interface Channel {
  /**
   * A new call that has not begun; {@link ClientCall#start} begins it. Never blocks and never
   * throws for the network's sake: what goes wrong is told to the call's listener.
   */
  <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options);

  /** The {@code :authority} that calls carry unless their options name another. */
  String authority();
}
