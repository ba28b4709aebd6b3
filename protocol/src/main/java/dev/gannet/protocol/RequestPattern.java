package dev.gannet.protocol;

import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.HeaderPattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads gRPC's header lists of a pattern: the shared fields once, and of each list its own fields.
 */
final class RequestPattern {
  private final @Nullable RequestHead shared;

  /**
   * Keeps what was read.
   *
   * @param shared the call that all its lists are; a different result if the shared fields are not
   *     those of a call
   */
  private RequestPattern(@Nullable RequestHead shared) {
    this.shared = shared;
  }

  /** Reads a list by its pattern; null if it has none, or none that can be read as gRPC's. */
  static @Nullable RequestHead headOf(HeaderList fields) {
    return fields.pattern().isPresent()
            && fields.pattern().get().attachment(RequestPattern.class, RequestPattern::of).shared
                instanceof RequestHead.Call call
            && call.own().areReadable(fields)
        ? call
        : null;
  }

  private static RequestPattern of(HeaderPattern pattern) {
    return new RequestPattern(read(pattern));
  }

  private static @Nullable RequestHead read(HeaderPattern pattern) {
    RequestHeadReader reader = new RequestHeadReader(GrpcRequests.GRPC, RequestSyntax.GRPC);
    int[] places = new int[pattern.openCount()];
    boolean[] binary = new boolean[pattern.openCount()];
    int timeoutOrder = OwnFields.NO_TIMEOUT;
    for (int i = 0; i < pattern.size(); i++) {
      HeaderField field = pattern.field(i);
      if (!pattern.isOpen(i)) {
        reader.take(field);
      } else if (MetadataFields.isMetadata(field)) {
        places[pattern.orderOf(i)] = reader.leaveRoom(field.name());
        binary[pattern.orderOf(i)] = MetadataFields.isBinary(field);
      } else if (field.name().equals(FieldNames.GRPC_TIMEOUT)
          && timeoutOrder == OwnFields.NO_TIMEOUT) {
        timeoutOrder = pattern.orderOf(i);
      } else {
        return null;
      }
    }
    boolean timeoutTwice = timeoutOrder != OwnFields.NO_TIMEOUT && reader.isTimed();
    return timeoutTwice ? null : reader.head(new OwnFields(timeoutOrder, places, binary));
  }
}
