package dev.gannet.conformance.longrun;

import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A service of a known capacity: each call waits for one of N permits and holds it for 5 ms, so
 * that at most N calls end every 5 ms. Safe for all threads.
 */
final class PermitService implements TestService {
  private static final int HOLD_MILLIS = 5;

  private final Semaphore permits;

  PermitService(int permits) {
    this.permits = new Semaphore(permits, true);
  }

  /** How many calls can end within a second with this many permits. */
  static int callsPerSecond(int permits) {
    return permits * (int) TimeUnit.SECONDS.toMillis(1) / HOLD_MILLIS;
  }

  /** Removes permits; waits until calls have given them back. */
  void take(int count) throws InterruptedException {
    permits.acquire(count);
  }

  /** Adds permits. */
  void add(int count) {
    permits.release(count);
  }

  @Override
  public SimpleResponse unaryCall(SimpleRequest request) throws InterruptedException {
    permits.acquire();
    try {
      TimeUnit.MILLISECONDS.sleep(HOLD_MILLIS);
    } finally {
      permits.release();
    }
    return SimpleResponse.getDefaultInstance();
  }
}
