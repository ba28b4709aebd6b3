package dev.gannet.protocol;

import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.HeaderPattern;

/**
 * What was understood of the header lists of a pattern: all that they share was read once, and for
 * each list only its own fields are read, a timeout or metadata.
 */
final class RequestPattern {
  private static final int NONE = -1;

  private final SharedHead shared;

  /** Which of a list's own fields is {@code grpc-timeout}. */
  private final int timeoutOrder;

  private final long sharedTimeoutNanos;

  /** For each of a list's own fields its value's place in the metadata, if it has one. */
  private final int[] places;

  private RequestPattern(RequestHead.Call call, int timeoutOrder, int[] places) {
    this.shared = call.shared();
    this.sharedTimeoutNanos = call.timeoutNanos().orElse(SharedHead.FOR_EVER);
    this.timeoutOrder = timeoutOrder;
    this.places = places;
  }

  /** Reads a list by its pattern if it has one that can be read, or else as a whole. */
  static RequestHead headOf(HeaderList fields) {
    return fields.pattern().isPresent()
            && fields.pattern().get().meaning(RequestPattern::of) instanceof RequestPattern pattern
        ? pattern.read(fields)
        : RequestHeadReader.read(fields);
  }

  /** What is understood of the pattern: itself if it cannot be read as a call's. */
  private static Object of(HeaderPattern pattern) {
    RequestHeadReader reader = new RequestHeadReader();
    int[] places = new int[pattern.openCount()];
    int timeoutOrder = NONE;
    for (int i = 0; i < pattern.size(); i++) {
      HeaderField field = pattern.field(i);
      if (!pattern.isOpen(i)) {
        reader.take(field);
      } else if (MetadataFields.isMetadata(field)) {
        places[pattern.orderOf(i)] = reader.leaveRoom(field.name());
      } else if (field.name().equals(FieldNames.GRPC_TIMEOUT) && timeoutOrder == NONE) {
        timeoutOrder = pattern.orderOf(i);
        places[timeoutOrder] = NONE;
      } else {
        return pattern;
      }
    }
    return reader.head() instanceof RequestHead.Call call
            && (timeoutOrder == NONE || call.timeoutNanos().isEmpty())
        ? new RequestPattern(call, timeoutOrder, places)
        : pattern;
  }

  private RequestHead read(HeaderList fields) {
    long timeoutNanos = sharedTimeoutNanos;
    if (timeoutOrder != NONE) {
      timeoutNanos = GrpcTimeout.parse(fields.own(timeoutOrder).value());
      if (timeoutNanos == GrpcTimeout.MALFORMED) {
        return RequestHeadReader.read(fields);
      }
    }
    if (places.length == (timeoutOrder == NONE ? 0 : 1)) {
      return new RequestHead.Call(shared, timeoutNanos);
    }
    Object[] metadata = shared.metadata.clone();
    for (int i = 0; i < places.length; i++) {
      if (places[i] != NONE && !fill(metadata, places[i], fields.own(i))) {
        return RequestHeadReader.read(fields);
      }
    }
    return new RequestHead.Call(shared.with(metadata), timeoutNanos);
  }

  /** Puts the value in; not if there are several, or none that can be read. */
  private static boolean fill(Object[] metadata, int place, HeaderField field) {
    if (!MetadataFields.isBinary(field)) {
      metadata[place] = field.value();
      return true;
    }
    byte[][] values = MetadataFields.binaryValues(field);
    if (values.length == 1) {
      metadata[place] = values[0];
    }
    return values.length == 1;
  }
}
