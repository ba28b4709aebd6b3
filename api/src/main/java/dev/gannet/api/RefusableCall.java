package dev.gannet.api;

/** A call of interceptors, each of which may refuse it by an exception. */
final class RefusableCall<Q, R> extends ForwardingClientCall<Q, R> {
  private final MethodDescriptor<Q, R> method;

  RefusableCall(MethodDescriptor<Q, R> method, ClientCall<Q, R> call) {
    super(call);
    this.method = method;
  }

  @Override
  public void start(Listener<? super R> listener, Metadata headers) {
    try {
      delegate().start(listener, headers); // no listener of its own: nobody ends this call
    } catch (StatusException e) {
      throw e.asFailureOf(method);
    }
  }

  @Override
  public void start(Listener<? super R> listener) {
    try {
      delegate().start(listener);
    } catch (StatusException e) {
      throw e.asFailureOf(method);
    }
  }

  @Override
  public void request(int messages) {
    try {
      super.request(messages);
    } catch (StatusException e) {
      throw e.asFailureOf(method);
    }
  }

  @Override
  public void sendMessage(Q message) {
    try {
      super.sendMessage(message);
    } catch (StatusException e) {
      throw e.asFailureOf(method);
    }
  }

  @Override
  public void halfClose() {
    try {
      super.halfClose();
    } catch (StatusException e) {
      throw e.asFailureOf(method);
    }
  }

  @Override
  public void cancel(String message) {
    try {
      super.cancel(message);
    } catch (StatusException e) {
      throw e.asFailureOf(method);
    }
  }

  @Override
  public void cancel(String message, Throwable cause) {
    try {
      super.cancel(message, cause);
    } catch (StatusException e) {
      throw e.asFailureOf(method);
    }
  }

  @Override
  public String toString() {
    return delegate().toString();
  }
}
