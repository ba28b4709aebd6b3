package dev.gannet.api.stub;

/**
 * A response observer that also steers its call. The contract is that of grpc-java's type of this
 * name.
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
public interface ClientResponseObserver<Q, R> extends StreamObserver<R> {
  /**
   * Called once, before anything else and before the call begins, on the thread that makes it:
   * handlers are set here, and nothing is sent yet.
   */
  void beforeStart(ClientCallStreamObserver<Q> requestStream);
}
