package dev.gannet.api.stub;

/**
 * A call with a stream each way. One thread may send while another reads. {@link #close} cancels it
 * unless it has ended.
 */
public interface BidiStreamingCall<Q, R> extends Outgoing<Q>, Incoming<R>, ResponseMetadata {
  /** Says that no more requests follow; responses are read on. */
  void halfClose();
}
