package dev.gannet.api.stub;

/**
 * A call with a stream in each direction. One thread may send while another reads. {@link #close}
 * cancels it unless it has ended. For applications to implement; new methods will have a default.
 */
public interface BidiStreamingCall<Q, R> extends Outgoing<Q>, Incoming<R>, ResponseMetadata {
  /**
   * Declares that no more requests follow; responses can still be read. Repeating it does nothing.
   */
  void halfClose();
}
