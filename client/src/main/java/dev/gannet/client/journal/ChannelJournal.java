package dev.gannet.client.journal;

import dev.gannet.api.CallFailure;
import dev.gannet.transport.EntityIds;
import java.net.SocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts of a channel, its events, and the addresses that it cannot reach. Calls that succeed at
 * once add nothing to it. Safe for all threads.
 */
public final class ChannelJournal {
  /** How many addresses a failed call names. */
  public static final int MAX_NAMED = 16;

  private final long id = EntityIds.next();
  private final EventLog events = new EventLog();
  private final LongAdder failed = new LongAdder();
  private final LongAdder transparentRetries = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder hedges = new LongAdder();
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * Why connecting has failed; the latest failure is the last. Only addresses that are in use have
   * one.
   */
  private final SequencedMap<SocketAddress, String> connectFailures = new LinkedHashMap<>();

  public long id() {
    return id;
  }

  /** The last events of the channel, without those of its subchannels. */
  public EventLog events() {
    return events;
  }

  public void onCallFailed() {
    failed.increment();
  }

  public long failedCalls() {
    return failed.sum();
  }

  public void onTransparentRetry() {
    transparentRetries.increment();
  }

  public long transparentRetries() {
    return transparentRetries.sum();
  }

  /** A further attempt of a call begins, after those before it have failed. */
  public void onRetry() {
    retries.increment();
  }

  public long retries() {
    return retries.sum();
  }

  /** A further attempt of a call begins, while others are running. */
  public void onHedge() {
    hedges.increment();
  }

  public long hedges() {
    return hedges.sum();
  }

  /**
   * Connecting to the address has failed. This is kept until {@link #forgetFailures}, because the
   * address is connected or no longer used.
   */
  public void onConnectFailed(SocketAddress address, String why) {
    lock.lock();
    try {
      connectFailures.putLast(address, why);
    } finally {
      lock.unlock();
    }
  }

  /** It is connected, or no longer used: its earlier failures do not matter any more. */
  public void forgetFailures(SocketAddress address) {
    lock.lock();
    try {
      connectFailures.remove(address);
    } finally {
      lock.unlock();
    }
  }

  /** Whether connecting to the address has failed recently. */
  public boolean hasFailed(SocketAddress address) {
    lock.lock();
    try {
      return connectFailures.containsKey(address);
    } finally {
      lock.unlock();
    }
  }

  /** Adds the addresses to which no connection could be made recently, and why. */
  public CallFailure addTo(CallFailure failure) {
    lock.lock();
    try {
      List<CallFailure.AddressFailure> latest =
          connectFailures.sequencedEntrySet().reversed().stream()
              .limit(MAX_NAMED)
              .map(it -> CallFailure.AddressFailure.of(it.getKey(), it.getValue()))
              .toList();
      return failure
          .withAddresses(latest.reversed())
          .withOmittedAddresses(connectFailures.size() - latest.size());
    } finally {
      lock.unlock();
    }
  }
}
