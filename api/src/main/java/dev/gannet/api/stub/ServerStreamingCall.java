package dev.gannet.api.stub;

/**
 * A call that sends one message and is answered by a stream. {@link #close} cancels it unless it
 * has ended.
 *
 * @param <R> the response message
 */
public interface ServerStreamingCall<R> extends Incoming<R>, ResponseMetadata {}
