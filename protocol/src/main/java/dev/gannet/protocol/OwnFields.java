package dev.gannet.protocol;

import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;

/**
 * The own fields of a list, those at the open places of its pattern: a timeout or metadata. They
 * are parsed at each call of a getter, so that a list that is not seen again needs no head of its
 * own.
 */
final class OwnFields {
  static final int NO_TIMEOUT = -1;

  /** For a list that was read without a pattern. */
  static final OwnFields NONE = new OwnFields(NO_TIMEOUT, new int[0], new boolean[0]);

  private final int timeoutOrder;
  private final int[] places;
  private final boolean[] binary;

  /**
   * Keeps the arrays, which the caller must not use any more.
   *
   * @param timeoutOrder which of the own fields is {@code grpc-timeout}, or {@link #NO_TIMEOUT}
   * @param places for each of the own fields the index of its value in the metadata; that of the
   *     timeout is not used
   * @param binary for each of them whether it is binary metadata
   */
  OwnFields(int timeoutOrder, int[] places, boolean[] binary) {
    this.timeoutOrder = timeoutOrder;
    this.places = places;
    this.binary = binary;
  }

  /**
   * Whether the own fields of a list can be read separately: each of them has one value, and a
   * valid one.
   */
  boolean areReadable(HeaderList list) {
    for (int i = 0; i < places.length; i++) {
      if (!isReadable(i, list.own(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean isReadable(int order, HeaderField field) {
    if (order == timeoutOrder) {
      return GrpcTimeout.parse(field.value()) != GrpcTimeout.MALFORMED;
    }
    return !binary[order] || MetadataFields.binaryValues(field).length == 1;
  }

  /** The timeout of a readable list; the shared one if the list has none of its own. */
  long timeoutNanos(HeaderList list, long sharedNanos) {
    return timeoutOrder == NO_TIMEOUT
        ? sharedNanos
        : GrpcTimeout.parse(list.own(timeoutOrder).value());
  }

  /** The metadata of a readable list: the shared metadata with the list's own values. */
  Object[] metadata(HeaderList list, Object[] shared) {
    if (places.length == (timeoutOrder == NO_TIMEOUT ? 0 : 1)) {
      return shared;
    }
    Object[] metadata = shared.clone();
    for (int i = 0; i < places.length; i++) {
      if (i != timeoutOrder) {
        HeaderField field = list.own(i);
        metadata[places[i]] = binary[i] ? MetadataFields.binaryValues(field)[0] : field.value();
      }
    }
    return metadata;
  }
}
