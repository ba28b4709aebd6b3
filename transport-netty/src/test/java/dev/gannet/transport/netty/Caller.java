package dev.gannet.transport.netty;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Makes a call and waits for what comes of it. */
final class Caller implements ClientCall.Listener<byte[]> {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ClientCall<byte[], byte[]> call;
  private final CompletableFuture<Boolean> answered = new CompletableFuture<>();
  private final CompletableFuture<Status> end = new CompletableFuture<>();

  private Caller(ClientCall<byte[], byte[]> call) {
    this.call = call;
  }

  /** Begins a call without a deadline and sends one message. */
  static Caller begin(
      ManagedChannel channel, MethodDescriptor<byte[], byte[]> method, byte[] message) {
    return begin(channel, method, message, CallOptions.DEFAULT);
  }

  /** Begins a call with those options and sends one message. */
  static Caller begin(
      ManagedChannel channel,
      MethodDescriptor<byte[], byte[]> method,
      byte[] message,
      CallOptions options) {
    Caller caller = new Caller(channel.newCall(method, options));
    caller.call.start(caller);
    caller.call.request(2);
    caller.call.sendMessage(message);
    return caller;
  }

  /** The status of a whole call with one message, which waits for a connection if need be. */
  static Status call(ManagedChannel channel, byte[] message) throws Exception {
    CallOptions patient = CallOptions.DEFAULT.withDeadline(PATIENCE).withWaitForReady(true);
    Caller caller = begin(channel, EchoService.UNARY, message, patient);
    caller.call.halfClose();
    return caller.status();
  }

  void halfClose() {
    call.halfClose();
  }

  /** Waits for the first answer. */
  Caller awaitAnswer() throws Exception {
    answered.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    return this;
  }

  CompletableFuture<Status> end() {
    return end;
  }

  /** Waits for the end. */
  Status status() throws Exception {
    return end.get(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @Override
  public void onMessage(byte[] message) {
    answered.complete(true);
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    end.complete(status);
  }
}
