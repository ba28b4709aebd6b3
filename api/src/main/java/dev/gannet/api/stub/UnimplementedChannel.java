package dev.gannet.api.stub;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import java.util.concurrent.Executor;

/** The channel of a fake client, for methods that are not overridden. */
enum UnimplementedChannel implements Channel {
  ONLY;

  @Override
  public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
    return new FailedCall<>(method, options.executor().orElse(Runnable::run));
  }

  @Override
  public String authority() {
    return "";
  }

  /** A call that ends as soon as it starts. */
  private record FailedCall<Q, R>(MethodDescriptor<Q, R> method, Executor executor)
      implements ClientCall<Q, R> {
    @Override
    public void start(Listener<? super R> listener, Metadata headers) {
      Status status =
          Status.UNIMPLEMENTED.withDescription(
              "this client has no channel, and does not override " + method.fullMethodName());
      executor.execute(() -> listener.onClose(status, new Metadata()));
    }

    @Override
    public void request(int messages) {}

    @Override
    public void sendMessage(Q message) {}

    @Override
    public void halfClose() {}

    @Override
    public void cancel(String message) {}

    @Override
    public void cancel(String message, Throwable cause) {}

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public boolean isResponseCompressed() {
      return false;
    }

    @Override
    public void setMessageCompression(boolean enabled) {}
  }
}
