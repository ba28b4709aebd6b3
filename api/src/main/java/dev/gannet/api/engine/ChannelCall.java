package dev.gannet.api.engine;

/** A call of a channel's engine, behind those of its interceptors. */
public interface ChannelCall {
  /**
   * Names the listener of the caller before the call starts, for a call that passes interceptors:
   * it gets the end if a listener of theirs throws before it has forwarded that.
   */
  void setCaller(StubListener caller);
}
