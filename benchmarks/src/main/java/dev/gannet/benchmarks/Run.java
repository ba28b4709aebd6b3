package dev.gannet.benchmarks;

import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What the loops of one measurement share: the request they send, the phase they are in, and the
 * first failure, which ends the run for all of them.
 *
 * <pre>
 *   WARMING_UP ──► MEASURING ──► OVER
 *        └──────────failure───────▲
 * </pre>
 */
final class Run {
  private enum Phase {
    WARMING_UP,
    MEASURING,
    OVER
  }

  private final Load.Payloads payloads;
  private final SimpleRequest request;
  private final AtomicReference<String> failure = new AtomicReference<>("");
  private final CountDownLatch failed = new CountDownLatch(1);
  private final CountDownLatch loops;
  private volatile Phase phase = Phase.WARMING_UP;

  Run(Load load) {
    this.payloads = load.payloads();
    this.request = payloads.request();
    this.loops = new CountDownLatch(load.channels() * load.callsPerChannel());
  }

  SimpleRequest request() {
    return request;
  }

  /** Whether a reply is what was asked for. If not, the run has failed. */
  boolean isRight(SimpleResponse response) {
    if (payloads.areRightIn(response)) {
      return true;
    }
    int bytes = response.getPayload().getBody().size();
    fail("a reply has " + bytes + " bytes of payload instead of " + payloads.serverBytes());
    return false;
  }

  boolean isMeasuring() {
    return phase == Phase.MEASURING;
  }

  boolean isOver() {
    return phase == Phase.OVER;
  }

  /** Ends the run; the first failure is the one that is told. */
  void fail(String what) {
    if (failure.compareAndSet("", what)) {
      phase = Phase.OVER;
      failed.countDown();
    }
  }

  /** What went wrong, if anything did. */
  Optional<String> failure() {
    return Optional.of(failure.get()).filter(it -> !it.isEmpty());
  }

  /** To be called by each loop at its end. */
  void loopEnded() {
    loops.countDown();
  }

  /** Enters the measuring phase unless the run has failed. */
  void beginMeasuring() {
    if (failed.getCount() > 0) {
      phase = Phase.MEASURING;
    }
  }

  void end() {
    phase = Phase.OVER;
  }

  /** Sleeps so long, or until the run fails. */
  void letPass(Duration time) throws InterruptedException {
    if (failed.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
      phase = Phase.OVER;
    }
  }

  /** Waits for the last call of each loop; says whether all came back. */
  boolean awaitLoops(Duration longest) throws InterruptedException {
    return loops.await(longest.toNanos(), TimeUnit.NANOSECONDS);
  }
}
