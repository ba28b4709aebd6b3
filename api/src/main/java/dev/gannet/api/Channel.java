package dev.gannet.api;

import java.util.concurrent.Executor;

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

  /**
   * The executor that runs the listeners of calls whose options have none ({@link
   * CallOptions#executor}): for interceptors that notify a listener themselves. By default it runs
   * each task on a new virtual thread.
   */
  @Preview(until = "0.3")
  default Executor executor() {
    return task -> Thread.ofVirtual().name("gannet-callback").start(task);
  }
}
