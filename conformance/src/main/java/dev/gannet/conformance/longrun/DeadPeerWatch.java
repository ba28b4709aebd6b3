package dev.gannet.conformance.longrun;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Registration;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.balancer.ConnectivityState;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.TestServiceMethods;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Measures when each end of a connection detects that its peer is dead: the client when its channel
 * leaves READY, the server when it ends the handler of a call that is held open.
 */
final class DeadPeerWatch implements AutoCloseable {
  /** Ignores the events of the call that is kept open. */
  private record Silent() implements ClientCall.Listener<StreamingInputCallResponse> {}

  private static final Duration OF_HELD_CALL = Duration.ofMinutes(2);

  private final CompletableFuture<Long> clientAt = new CompletableFuture<>();
  private final CompletableFuture<Long> serverAt;
  private final ClientCall<StreamingInputCallRequest, StreamingInputCallResponse> held;
  private final Registration states;

  /** Holds a call open; returns when its handler runs. */
  DeadPeerWatch(ManagedChannel channel, FaultsService service) throws InterruptedException {
    held =
        channel.newCall(
            TestServiceMethods.STREAMING_INPUT_CALL,
            CallOptions.DEFAULT.withWaitForReady(true).withDeadline(OF_HELD_CALL));
    held.start(new Silent());
    held.sendMessage(StreamingInputCallRequest.getDefaultInstance());
    serverAt = service.awaitHeldCall();
    states =
        channel.watchState(state -> {
          if (state != ConnectivityState.READY) {
            clientAt.complete(System.nanoTime());
          }
        });
  }

  /** How long after this time the client detected it; empty if it did not within the limit. */
  OptionalLong clientMillis(long sinceNanos, Duration atMost) throws InterruptedException {
    return millis(clientAt, sinceNanos, atMost);
  }

  /** The same for the server. */
  OptionalLong serverMillis(long sinceNanos, Duration atMost) throws InterruptedException {
    return millis(serverAt, sinceNanos, atMost);
  }

  private static OptionalLong millis(
      CompletableFuture<Long> moment, long sinceNanos, Duration atMost)
      throws InterruptedException {
    try {
      long left = sinceNanos + atMost.toNanos() - System.nanoTime();
      long atNanos = moment.get(Math.max(0, left), TimeUnit.NANOSECONDS);
      return OptionalLong.of(TimeUnit.NANOSECONDS.toMillis(atNanos - sinceNanos));
    } catch (TimeoutException e) {
      return OptionalLong.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException("moments do not fail", e);
    }
  }

  @Override
  public void close() {
    states.close();
    held.cancel("enough");
  }
}
