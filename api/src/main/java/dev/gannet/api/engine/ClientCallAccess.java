package dev.gannet.api.engine;

/**
 * Looks behind the calls of interceptors, which this package cannot name, because their package
 * uses this one.
 */
public interface ClientCallAccess {
  /**
   * Names the caller's listener to the engine's call behind those of interceptors ({@link
   * ChannelCall#setCaller}), as soon as that is made. Does nothing if an interceptor does not
   * forward to a call of a channel.
   *
   * @param outermost a {@code ClientCall} that is not started yet
   */
  void setCaller(Object outermost, StubListener caller);
}
