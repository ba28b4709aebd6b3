package dev.gannet.services;

import com.google.protobuf.MessageLite;
import dev.gannet.api.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * One page of a list in channelz, ordered by id, as messages.
 *
 * @param isLast whether no further entries follow
 */
record ChannelzPage<M extends MessageLite>(List<M> entries, boolean isLast) {
  private static final int ENTRIES = 100; // if the client sets no limit
  private static final int MAX_ENTRIES = 1_000; // whatever the client requests

  /** By default clients accept 4 MiB. */
  private static final long MAX_BYTES = 3L << 20;

  /** The tag and the length of an entry in its response. */
  private static final int ENTRY_BYTES = 6;

  /**
   * The page that starts with this id, or with the next existing one. It has at least one entry if
   * there are any.
   *
   * @param maxResults the maximum that the client requests; 0 means the default
   * @throws dev.gannet.api.StatusException if that is negative
   */
  static <T, M extends MessageLite> ChannelzPage<M> of(
      List<T> all, ToLongFunction<T> id, Function<T, M> message, long startId, long maxResults) {
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
    List<M> page = new ArrayList<>();
    long bytes = 0;
    for (T entry : from.stream().limit(most).toList()) {
      M next = message.apply(entry);
      bytes += next.getSerializedSize() + ENTRY_BYTES;
      if (!page.isEmpty() && bytes > MAX_BYTES) {
        break;
      }
      page.add(next);
    }
    return new ChannelzPage<>(page, page.size() == from.size());
  }
}
