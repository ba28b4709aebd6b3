package dev.gannet.transport.http2;

import dev.gannet.transport.MessageReading;
import dev.gannet.transport.WorkBudget;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;

/**
 * What one connection's long and compressed messages are paid from: what its compressed ones have
 * left of what their bytes pay for, a little of its own, and the {@link WorkBudget}.
 *
 * <pre>
 *   message ──cheap, or there is enough──► paid, its reader may take it
 *      └──else──► waits ──its slices of the budget have come──► paid
 * </pre>
 *
 * <p>A message that took too long to be read is paid for afterwards: those behind it wait until it
 * is. What waits does so unread and as it came; the calls of the connection take turns. Everything
 * else of the connection goes on meanwhile: what a call has waiting keeps its own window shut, and
 * nobody else's. Confined to the connection's loop, but for what readers tell.
 */
final class WorkShare implements MessageReading.Ledger {
  /** What a new connection has of its own: less than opening it is worth. */
  private static final int FIRST_CREDIT_BYTES = 64 << 10;

  /** What messages may leave to those that come after them. */
  private static final int MAX_CREDIT_BYTES = 1 << 20;

  /** What a connection may come to owe: seconds of the whole budget. */
  private static final int MAX_DEBT_BYTES = 64 << 20;

  /** What a connection takes of the budget at a time, and others after it. */
  private static final int SLICE_BYTES = 256 << 10;

  private final ConnectionLoop loop;
  private final WorkBudget budget;
  private final LoopTimer slice;
  private final ArrayDeque<IncomingMessages> waiting = new ArrayDeque<>();

  /** Below zero what is owed; while calls wait, also what was collected for the first of them. */
  private long creditBytes = FIRST_CREDIT_BYTES;

  private long reservedBytes;

  WorkShare(ConnectionLoop loop, WorkBudget budget) {
    this.loop = loop;
    this.budget = budget;
    this.slice = new LoopTimer(loop, this::onSlice);
  }

  /**
   * What a message costs beyond what its bytes pay for; less than nothing if they pay for more.
   *
   * @param cameBytes as it came, with its prefix
   */
  static long costBytes(int cameBytes, int decodedBytes) {
    return decodedBytes - (long) cameBytes * WorkBudget.FREE_RATIO;
  }

  /** Whether a message that was not compressed may be taken at once. */
  boolean owesNothing() {
    return creditBytes >= 0;
  }

  /** Pays for a message, if that can be done at once. */
  boolean pay(long costBytes) {
    if (costBytes <= 0) {
      add(-costBytes);
    }
    long missingBytes = Math.max(0, costBytes) - creditBytes;
    if (missingBytes <= 0 && (costBytes <= 0 || waiting.isEmpty())) {
      creditBytes -= Math.max(0, costBytes);
      return true;
    }
    if (!waiting.isEmpty() || !budget.tryTake(missingBytes, loop.nanoTime())) {
      return false;
    }
    creditBytes = 0;
    return true;
  }

  private void add(long bytes) {
    long most = Math.max(creditBytes, MAX_CREDIT_BYTES); // what was collected stays
    creditBytes = Math.min(most, creditBytes + bytes);
  }

  /** A call has messages that are to be paid for, and had none before. */
  void await(IncomingMessages call) {
    waiting.add(call);
    if (waiting.size() == 1) {
      payOrReserve();
    }
  }

  /** The messages of the call are not wanted any more. */
  void forget(IncomingMessages call) {
    waiting.remove(call);
    if (waiting.isEmpty()) {
      stop();
    }
  }

  private void stop() {
    slice.cancel();
    budget.giveBack(reservedBytes);
    reservedBytes = 0;
    creditBytes = Math.min(MAX_CREDIT_BYTES, creditBytes);
  }

  private void onSlice() {
    creditBytes += reservedBytes;
    reservedBytes = 0;
    payOrReserve();
  }

  /** Pays as far as it goes, then sees to it that it goes on. */
  private void payOrReserve() {
    while (!waiting.isEmpty()) {
      long missingBytes = waiting.element().firstUnpaidBytes() - creditBytes;
      if (missingBytes > 0) {
        reserve(Math.min(missingBytes, SLICE_BYTES));
        return;
      }
      payFirst();
    }
    stop();
  }

  private void payFirst() {
    IncomingMessages call = waiting.remove();
    creditBytes -= call.firstUnpaidBytes();
    if (call.payFirst()) {
      waiting.add(call);
    }
  }

  private void reserve(long bytes) {
    reservedBytes = bytes;
    slice.set(budget.reserve(bytes, loop.nanoTime()));
  }

  @Override
  public long nanoTime() {
    return loop.nanoTime();
  }

  @Override
  public void onSlow(long excessNanos) {
    long owedBytes = Math.min(MAX_DEBT_BYTES, excessNanos / WorkBudget.NANOS_PER_BYTE);
    try {
      loop.post(new StreamMail(() -> owe(owedBytes)));
    } catch (RejectedExecutionException e) {
      // Its loop is shut down, and nothing more is read of it.
    }
  }

  private void owe(long bytes) {
    creditBytes = Math.max(-MAX_DEBT_BYTES, creditBytes - bytes);
  }

  /**
   * The connection is gone, and no time comes here any more. What waits for readers that may have
   * it all the same is let go, and taken from what the next ask for.
   */
  void leave() {
    while (!waiting.isEmpty()) {
      budget.reserve(waiting.element().firstUnpaidBytes(), loop.nanoTime());
      payFirst();
    }
    stop();
  }
}
