package dev.gannet.services;

import dev.gannet.api.Status;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * One page of a list in channelz, ordered by id.
 *
 * @param isLast whether no further entries follow
 */
record ChannelzPage<T>(List<T> entries, boolean isLast) {
  private static final int ENTRIES = 100; // if the client sets no limit
  private static final int MAX_ENTRIES =
      1_000; // whatever the client requests: a response stays below 4 MiB

  /**
   * The page that starts with this id, or with the next existing one.
   *
   * @param maxResults the maximum that the client requests; 0 means the default
   * @throws dev.gannet.api.StatusException if that is negative
   */
  static <T> ChannelzPage<T> of(List<T> all, ToLongFunction<T> id, long startId, long maxResults) {
    if (maxResults < 0) {
      throw Status.INVALID_ARGUMENT
          .withDescription("max_results cannot be negative: " + maxResults)
          .asException();
    }
    long most = maxResults == 0 ? ENTRIES : Math.min(maxResults, MAX_ENTRIES);
    List<T> from =
        all.stream()
            .filter(it -> id.applyAsLong(it) >= startId)
            .sorted(Comparator.comparingLong(id))
            .toList();
    List<T> page = from.stream().limit(most).toList();
    return new ChannelzPage<>(page, page.size() == from.size());
  }
}
