package dev.gannet.conformance.interop;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The compression of single messages: compresses each request of a stream or not, as the request
 * itself claims, and records whether each response was compressed.
 */
final class MessageCompression implements ClientInterceptor {
  private final List<Boolean> seen = new CopyOnWriteArrayList<>();

  /** For every response so far, in order, whether it was compressed. */
  List<Boolean> ofResponses() {
    return List.copyOf(seen);
  }

  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    return new Call<>(next.newCall(method, options), seen);
  }

  private record Call<Q, R>(ClientCall<Q, R> next, List<Boolean> seen) implements ClientCall<Q, R> {
    @Override
    public void start(Listener<? super R> listener, Metadata headers) {
      next.start(new Noting<R>(listener, next, seen), headers);
    }

    @Override
    public void request(int messages) {
      next.request(messages);
    }

    @Override
    public void sendMessage(Q message) {
      if (message instanceof StreamingInputCallRequest request) {
        next.setMessageCompression(request.getExpectCompressed().getValue());
      }
      next.sendMessage(message);
    }

    @Override
    public void halfClose() {
      next.halfClose();
    }

    @Override
    public void cancel(String message) {
      next.cancel(message);
    }

    @Override
    public void cancel(String message, Throwable cause) {
      next.cancel(message, cause);
    }

    @Override
    public boolean isReady() {
      return next.isReady();
    }

    @Override
    public boolean isResponseCompressed() {
      return next.isResponseCompressed();
    }

    @Override
    public void setMessageCompression(boolean enabled) {
      next.setMessageCompression(enabled);
    }
  }

  private record Noting<R>(
      ClientCall.Listener<? super R> next, ClientCall<?, R> call, List<Boolean> seen)
      implements ClientCall.Listener<R> {
    @Override
    public void onHeaders(Metadata headers) {
      next.onHeaders(headers);
    }

    @Override
    public void onMessage(R message) {
      seen.add(call.isResponseCompressed());
      next.onMessage(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      next.onClose(status, trailers);
    }

    @Override
    public void onReady() {
      next.onReady();
    }
  }
}
