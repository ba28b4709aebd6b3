package dev.gannet.api.stub;

/**
 * A call that sends one message and gets a stream of responses. {@link #close} cancels it unless it
 * has ended. For applications to implement; new methods will have a default.
 *
 * @param <R> the response message
 */
public interface ServerStreamingCall<R> extends Incoming<R>, ResponseMetadata {}
