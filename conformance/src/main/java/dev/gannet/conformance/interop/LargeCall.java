package dev.gannet.conformance.interop;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestServiceMethods;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A running large_unary call, and its result. For any thread. */
final class LargeCall implements ClientCall.Listener<SimpleResponse> {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicInteger messages = new AtomicInteger();
  private final AtomicReference<Status> status = new AtomicReference<>(Status.UNKNOWN);

  private LargeCall() {}

  /** Sends the request. */
  static LargeCall start(Channel channel) {
    ClientCall<SimpleRequest, SimpleResponse> call =
        channel.newCall(TestServiceMethods.UNARY_CALL, CallOptions.DEFAULT.withDeadline(PATIENCE));
    LargeCall listener = new LargeCall();
    call.start(listener);
    call.request(1);
    call.sendMessage(UnaryCases.largeRequest().build());
    return listener;
  }

  @Override
  public void onMessage(SimpleResponse message) {
    messages.incrementAndGet();
    Expect.zeros("the response's payload", UnaryCases.RESPONSE_BYTES, message.getPayload());
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    this.status.set(status);
    ended.countDown();
  }

  /** How many messages have arrived. */
  int messages() {
    return messages.get();
  }

  /** The status of the call; waits for its end. */
  Status await() throws InterruptedException {
    ended.await(); // the call has a deadline
    return status.get();
  }

  /** Waits for the end, which must be OK. */
  void succeeds() throws InterruptedException {
    Expect.equal("status", Status.OK, await());
    Expect.equal("messages", 1, messages());
  }
}
