package dev.gannet.protocol;

import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;

/**
 * What the own fields of a list mean, those at the open places of its pattern: a timeout or
 * metadata. They are read whenever somebody asks, so that a list that never comes again costs no
 * head of its own.
 */
final class OwnFields {
  static final int NO_TIMEOUT = -1;

  /** Of a list that was read as a whole. */
  static final OwnFields NONE = new OwnFields(NO_TIMEOUT, new int[0]);

  private final int timeoutOrder;
  private final int[] places;

  /**
   * Keeps the array: the caller gives it away.
   *
   * @param timeoutOrder which of the own fields is {@code grpc-timeout}, or {@link #NO_TIMEOUT}
   * @param places for each of the own fields its value's place in the metadata; that of the timeout
   *     does not count
   */
  OwnFields(int timeoutOrder, int[] places) {
    this.timeoutOrder = timeoutOrder;
    this.places = places;
  }

  /**
   * Whether those of a list can be read by themselves: each of them has one value, and a sound one.
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
    return !MetadataFields.isBinary(field) || MetadataFields.binaryValues(field).length == 1;
  }

  /** The timeout of a list that is readable; the shared one if it has none of its own. */
  long timeoutNanos(HeaderList list, long sharedNanos) {
    return timeoutOrder == NO_TIMEOUT
        ? sharedNanos
        : GrpcTimeout.parse(list.own(timeoutOrder).value());
  }

  /** The metadata of a list that is readable: the shared one with the list's own values. */
  Object[] metadata(HeaderList list, Object[] shared) {
    if (places.length == (timeoutOrder == NO_TIMEOUT ? 0 : 1)) {
      return shared;
    }
    Object[] metadata = shared.clone();
    for (int i = 0; i < places.length; i++) {
      if (i != timeoutOrder) {
        metadata[places[i]] = valueOf(list.own(i));
      }
    }
    return metadata;
  }

  private static Object valueOf(HeaderField field) {
    return MetadataFields.isBinary(field) ? MetadataFields.binaryValues(field)[0] : field.value();
  }
}
