package dev.gannet.transport.memory;

import dev.gannet.transport.memory.MemoryLimiter.Share;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Chooses connections that are closed because memory is short. The order is that of {@link
 * SheddingPriority}; within one class, first the connections whose addresses together hold the
 * most, then those that hold the most themselves.
 *
 * <p>Bytes that wait for the connection's peer to do something count in full. All other bytes,
 * which handlers or this side will free, count one {@value #OTHERS_PART}th. For connections that
 * are being served, the result is divided by how often they were served. One scan looks at each
 * connection once and sorts those of one class once; after each class that was closed completely
 * there is another scan.
 */
final class Shedding {
  /** The divisor for bytes that do not wait for the peer. */
  private static final int OTHERS_PART = 16;

  /**
   * A connection that holds less than this fraction of an equal share is not the reason why memory
   * is short.
   */
  private static final int LITTLE_PART = 4;

  private final long limitBytes;
  private final long nowNanos;

  Shedding(long limitBytes, long nowNanos) {
    this.limitBytes = limitBytes;
    this.nowNanos = nowNanos;
  }

  /** A connection that may be closed, with its values at the time of the scan. */
  private record Candidate(Share share, long heldBytes, long weight) {}

  /**
   * Closes connections until the excess is gone, and some more where they are not busy.
   *
   * @param stayingBytes what all connections that are not being closed hold now
   */
  void shed(Collection<Share> shares, LongSupplier stayingBytes) {
    boolean moreToClose = true;
    while (moreToClose) {
      moreToClose = shedMostWasteful(shares, stayingBytes);
    }
  }

  /**
   * Closes connections of the first class that is not empty, and of no other class: while they are
   * closed, other connections may have entered that class, and they go before those of the next
   * class.
   *
   * @return whether all connections of that class were closed, so that another scan is needed;
   *     false if none could be asked to close
   */
  private boolean shedMostWasteful(Collection<Share> shares, LongSupplier stayingBytes) {
    for (Map.Entry<SheddingPriority, List<Candidate>> some : sort(shares).entrySet()) {
      SheddingPriority priority = some.getKey();
      long mostBytes = limitBytes - priority.roomBytes(limitBytes);
      if (stayingBytes.getAsLong() > mostBytes) {
        boolean notified = close(priority, some.getValue(), stayingBytes, mostBytes);
        return notified && stayingBytes.getAsLong() > mostBytes;
      }
    }
    return false;
  }

  /** Closes idle connections until that much memory is free. */
  void makeRoom(Collection<Share> shares, LongSupplier stayingBytes, long wantedBytes) {
    Map<SheddingPriority, List<Candidate>> all = sort(shares);
    for (Map.Entry<SheddingPriority, List<Candidate>> some : all.entrySet()) {
      if (some.getKey().isIdle()) {
        close(some.getKey(), some.getValue(), stayingBytes, limitBytes - wantedBytes);
      }
    }
  }

  private Map<SheddingPriority, List<Candidate>> sort(Collection<Share> shares) {
    Map<SheddingPriority, List<Candidate>> all = new EnumMap<>(SheddingPriority.class);
    long littleBytes = limitBytes / Math.max(1, shares.size()) / LITTLE_PART;
    for (Share share : shares) {
      long held = share.stayingBytes();
      if (held > 0) {
        long owed = Math.min(held, share.owedBytes());
        long weight = owed + (held - owed) / OTHERS_PART;
        SheddingPriority priority = SheddingPriority.of(share, weight < littleBytes, nowNanos);
        long times = priority.isServed() ? 1 + share.timesServed() : 1;
        all.computeIfAbsent(priority, first -> new ArrayList<>())
            .add(new Candidate(share, held, weight / times));
      }
    }
    return all;
  }

  /** Returns whether any of them was asked to close. */
  private boolean close(
      SheddingPriority priority,
      List<Candidate> candidates,
      LongSupplier stayingBytes,
      long mostBytes) {
    if (stayingBytes.getAsLong() <= mostBytes) {
      return false;
    }
    boolean notified = false;
    candidates.sort(order(priority, candidates));
    for (Candidate next : candidates) {
      long staying = stayingBytes.getAsLong();
      if (staying <= mostBytes) {
        return notified;
      }
      notified |= next.share.shed(describe(priority, next, staying));
    }
    return notified;
  }

  private static Comparator<Candidate> order(
      SheddingPriority priority, List<Candidate> candidates) {
    Comparator<Candidate> byWeight =
        Comparator.comparingLong(Candidate::weight)
            .thenComparingLong(Candidate::heldBytes)
            .reversed();
    if (!priority.goesByAddress()) {
      return byWeight;
    }
    Map<Object, Long> groups = new HashMap<>();
    candidates.forEach(it -> groups.merge(it.share.group(), it.weight, Long::sum));
    Comparator<Candidate> byGroup =
        Comparator.comparingLong(it -> -groups.getOrDefault(it.share.group(), 0L));
    return byGroup.thenComparing(byWeight);
  }

  private String describe(SheddingPriority priority, Candidate candidate, long stayingBytes) {
    long still = TimeUnit.NANOSECONDS.toSeconds(candidate.share.stillNanos(nowNanos));
    long age = TimeUnit.NANOSECONDS.toSeconds(candidate.share.ageNanos(nowNanos));
    String why =
        switch (priority) {
          case NEVER_SERVED ->
              "no call was ever served on it, and it made no progress for " + still + " s";
          case STANDING_STILL -> "it made no progress for " + still + " s";
          case NOT_SERVED_YET -> "no call was served on it in " + age + " s";
          case LITTLE -> "no call was served on it for " + still + " s";
          case NEW -> "it connected " + age + " s ago";
          case BUSY ->
              "of the remaining connections it holds the most memory relative to the calls served"
                  + " on it";
        };
    return size(stayingBytes)
        + " of "
        + size(limitBytes)
        + " (memoryBudget) are held, "
        + size(candidate.heldBytes)
        + " by this connection; "
        + why;
  }

  private static String size(long bytes) {
    return bytes < 10 << 20 ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB";
  }
}
