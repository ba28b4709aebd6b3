package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import java.util.ArrayList;
import java.util.List;

/** A handler that does nothing by itself: it hands its calls to the test. */
final class HeldCalls implements ServerCallHandler<String, String> {
  private final int requestedAtStart;
  private final List<HeldCall> all = new ArrayList<>();

  /** Asks for so many messages at the start of each call; none where 0. */
  HeldCalls(int requestedAtStart) {
    this.requestedAtStart = requestedAtStart;
  }

  /** Asks for all that comes. */
  HeldCalls() {
    this(1_000_000);
  }

  @Override
  public ServerCall.Listener<String> startCall(ServerCall<String, String> call, Metadata headers) {
    HeldCall held = new HeldCall(call, headers);
    all.add(held);
    if (requestedAtStart > 0) {
      call.request(requestedAtStart);
    }
    return held;
  }

  List<HeldCall> all() {
    return all;
  }

  HeldCall only() {
    assertThat(all).hasSize(1);
    return all.getFirst();
  }
}
