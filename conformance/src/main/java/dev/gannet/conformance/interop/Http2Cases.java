package dev.gannet.conformance.interop;

import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.SubchannelSnapshot;
import dev.gannet.client.balancer.ConnectivityState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * gRPC's negative HTTP/2 cases (negative-http2-interop-test-descriptions): how a client treats
 * servers that send GOAWAY, reset streams, send PINGs, or accept one call at a time.
 */
final class Http2Cases {
  private static final String RESET_CODE = "NO_ERROR";
  private static final int CALLS_AT_ONCE = 10;
  private static final Duration GOAWAY_PATIENCE = Duration.ofSeconds(1);
  private static final Map<String, Http2Case> BY_NAME = table();

  private Http2Cases() {}

  /** One case. */
  @FunctionalInterface
  interface Http2Case {
    /**
     * Returns if the client does what the case demands.
     *
     * @throws Mismatch if not
     */
    void run(ManagedChannel channel) throws InterruptedException;
  }

  static Optional<Http2Case> named(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }

  private static Map<String, Http2Case> table() {
    Map<String, Http2Case> table = new LinkedHashMap<>();
    table.put("goaway", Http2Cases::goAway);
    table.put("rst_after_header", channel -> fails(channel, 0));
    table.put("rst_during_data", channel -> fails(channel, 0));
    table.put("rst_after_data", channel -> fails(channel, 1));
    table.put("ping", channel -> LargeCall.start(channel).succeeds());
    table.put("max_streams", Http2Cases::maxStreams);
    return Collections.unmodifiableMap(table);
  }

  /** A call that its server aborts fails, and the messages that were complete are delivered. */
  private static void fails(ManagedChannel channel, int messages) throws InterruptedException {
    LargeCall call = LargeCall.start(channel);
    Status status = call.await();
    Expect.equal("whether the call is OK", false, status.isOk());
    if (!status.toString().contains(RESET_CODE)) {
      throw new Mismatch("code of the reset", RESET_CODE, status);
    }
    Expect.equal("messages", messages, call.messages());
  }

  /**
   * The second call is made on another connection, because the server has sent GOAWAY on the first.
   */
  private static void goAway(ManagedChannel channel) throws InterruptedException {
    CountDownLatch left = new CountDownLatch(1);
    LargeCall first = LargeCall.start(channel);
    first.succeeds();
    Registration watch =
        channel.watchState(state -> {
          if (state != ConnectivityState.READY) {
            left.countDown();
          }
        });
    try (watch) {
      boolean seen = left.await(GOAWAY_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      Expect.equal("whether the GOAWAY is seen", true, seen);
    }
    LargeCall.start(channel).succeeds();
    Expect.equal("connections that were made", 2L, connectsOf(channel));
  }

  private static long connectsOf(ManagedChannel channel) {
    return channel.snapshot().subchannels().stream()
        .mapToLong(SubchannelSnapshot::connectsSucceeded)
        .sum();
  }

  /** The first call learns the limit; the later ones run one after another. */
  private static void maxStreams(ManagedChannel channel) throws InterruptedException {
    LargeCall.start(channel).succeeds();
    List<LargeCall> calls = new ArrayList<>();
    for (int i = 0; i < CALLS_AT_ONCE; i++) {
      calls.add(LargeCall.start(channel));
    }
    for (LargeCall call : calls) {
      call.succeeds();
    }
  }
}
