package dev.gannet.transport.http2;

import dev.gannet.transport.MessageReading;
import dev.gannet.transport.memory.WorkRateLimiter;
import dev.gannet.transport.pipe.Pipe;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;

/**
 * Pays for the work of one connection's long and compressed messages: from the credit that received
 * bytes add, a small initial credit, and the {@link WorkRateLimiter}.
 *
 * <pre>
 *   message ──cheap, or there is enough──► paid, its reader may take it
 *      └──else──► waits ──its slices of the budget have come──► paid
 * </pre>
 *
 * <p>A message that took too long to be parsed is paid for afterwards: the messages behind it wait
 * until then. Waiting messages stay unparsed, as they arrived; the calls of the connection take
 * turns. Everything else on the connection continues meanwhile: what a call has waiting closes only
 * its own window. Confined to the connection's loop, except what readers report.
 */
final class WorkShare implements MessageReading.Ledger {
  /** A call with messages that are not paid for. */
  interface Debtor {
    /** The cost of the call's first message that was not charged yet. */
    int firstUnpaidBytes();

    /** The call's first uncharged message was charged; returns whether there are more. */
    boolean payFirst();
  }

  /** The initial credit of a connection: less than opening a connection is worth. */
  private static final int FIRST_CREDIT_BYTES = 64 << 10;

  /** The most credit that messages may leave to later ones. */
  private static final int MAX_CREDIT_BYTES = 1 << 20;

  /** The most that a connection may owe: seconds of the whole budget. */
  private static final int MAX_DEBT_BYTES = 64 << 20;

  /** What a connection takes from the budget at a time, in turn with others. */
  private static final int SLICE_BYTES = 256 << 10;

  private final Pipe pipe;
  private final LoopMailbox mailbox;
  private final WorkRateLimiter budget;
  private final LoopTimer slice;
  private final ArrayDeque<Debtor> waiting = new ArrayDeque<>(0); // mostly empty

  /**
   * Negative if the connection owes; while calls wait, it includes what was collected for the first
   * of them.
   */
  private long creditBytes = FIRST_CREDIT_BYTES;

  private long reservedBytes;

  /**
   * The share of one connection.
   *
   * @param budget the budget that it shares with other connections
   */
  WorkShare(WorkRateLimiter budget, Pipe pipe, LoopMailbox mailbox, DeadlineHeap deadlines) {
    this.budget = budget;
    this.pipe = pipe;
    this.mailbox = mailbox;
    this.slice = new LoopTimer(deadlines, this::onSlice);
  }

  /**
   * What a message costs beyond what its bytes pay for; negative if they pay for more.
   *
   * @param cameBytes its size as received, with its prefix
   */
  static long costBytes(int cameBytes, int decodedBytes) {
    return decodedBytes - (long) cameBytes * WorkRateLimiter.FREE_RATIO;
  }

  /** Whether a message that was not compressed may be taken at once. */
  boolean owesNothing() {
    return creditBytes >= 0;
  }

  /** Pays for a message, if that is possible at once. */
  boolean pay(long costBytes) {
    if (costBytes <= 0) {
      add(-costBytes);
    }
    long missingBytes = Math.max(0, costBytes) - creditBytes;
    if (missingBytes <= 0 && (costBytes <= 0 || waiting.isEmpty())) {
      creditBytes -= Math.max(0, costBytes);
      return true;
    }
    if (!waiting.isEmpty() || !budget.tryTake(missingBytes, pipe.nanoTime())) {
      return false;
    }
    creditBytes = 0;
    return true;
  }

  private void add(long bytes) {
    long most = Math.max(creditBytes, MAX_CREDIT_BYTES); // what was collected is kept
    creditBytes = Math.min(most, creditBytes + bytes);
  }

  /** A call has messages to be paid for, and had none before. */
  void await(Debtor call) {
    waiting.add(call);
    if (waiting.size() == 1) {
      payOrReserve();
    }
  }

  /** The messages of the call are not wanted any more. */
  void forget(Debtor call) {
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

  /** Pays for as many as possible, then reserves for the rest. */
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
    Debtor call = waiting.remove();
    creditBytes -= call.firstUnpaidBytes();
    if (call.payFirst()) {
      waiting.add(call);
    }
  }

  private void reserve(long bytes) {
    reservedBytes = bytes;
    slice.set(budget.reserve(bytes, pipe.nanoTime()));
  }

  @Override
  public long nanoTime() {
    return pipe.nanoTime();
  }

  @Override
  public void onSlow(long excessNanos) {
    long owedBytes = Math.min(MAX_DEBT_BYTES, excessNanos / WorkRateLimiter.NANOS_PER_BYTE);
    try {
      mailbox.post(new StreamMail(() -> owe(owedBytes)));
    } catch (RejectedExecutionException e) {
      // Its loop is shut down, and nothing more of the connection is read.
    }
  }

  private void owe(long bytes) {
    creditBytes = Math.max(-MAX_DEBT_BYTES, creditBytes - bytes);
  }

  /**
   * The connection is closed, and its timer will not run any more. Waiting messages whose readers
   * may still take them are released; their cost is taken from the budget ahead of later requests.
   */
  void leave() {
    while (!waiting.isEmpty()) {
      budget.reserve(waiting.element().firstUnpaidBytes(), pipe.nanoTime());
      payFirst();
    }
    stop();
  }
}
