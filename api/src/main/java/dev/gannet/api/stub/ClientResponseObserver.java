package dev.gannet.api.stub;

/**
 * A response observer that also controls its call. The contract is that of grpc-java's type of this
 * name. For applications to implement; new methods will have a default.
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
public interface ClientResponseObserver<Q, R> extends StreamObserver<R> {
  /**
   * Called once, before the call starts, on the thread that makes it: set handlers here; nothing
   * can be sent yet. An observer that keeps the request stream can ask it for the headers and
   * trailers of the responses when these have arrived.
   */
  void beforeStart(ClientCallStreamObserver<Q> requestStream);
}
