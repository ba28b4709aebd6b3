package dev.gannet.protocol;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.Indexing;
import java.util.ArrayList;
import java.util.List;

/** The header lists of a response: headers, trailers, and both in one (Trailers-Only). */
public final class ResponseFields {
  private static final HeaderField OK_200 = HeaderField.of(FieldNames.STATUS, "200");
  private static final HeaderField GRPC_CONTENT =
      HeaderField.of(FieldNames.CONTENT_TYPE, ContentType.GRPC);

  /** The trailers of a call that ended with OK and has no further trailers. */
  public static final HeaderList OK_TRAILERS =
      HeaderList.of(HeaderField.of(FieldNames.GRPC_STATUS, "0"));

  private static final HeaderField[] STATUSES = statuses();

  private ResponseFields() {}

  /**
   * The first fields of responses whose messages may be in that encoding, also of Trailers-Only
   * responses.
   */
  static HeaderList headers(MessageEncoding encoding, String acceptEncoding) {
    HeaderField accept = HeaderField.of(FieldNames.GRPC_ACCEPT_ENCODING, acceptEncoding);
    return encoding == MessageEncoding.IDENTITY
        ? HeaderList.of(OK_200, GRPC_CONTENT, accept)
        : HeaderList.of(
            OK_200,
            GRPC_CONTENT,
            accept,
            HeaderField.of(FieldNames.GRPC_ENCODING, encoding.wireName()));
  }

  /** The fields of metadata only. */
  public static HeaderList own(Metadata metadata) {
    return RequestFields.own(metadata);
  }

  /** The complete trailers of a call that ended with this status. */
  public static HeaderList trailers(Status status, Metadata metadata) {
    if (status.isOk() && metadata.isEmpty() && status.description().isEmpty()) {
      return OK_TRAILERS;
    }
    List<HeaderField> fields = new ArrayList<>(2 + metadata.size());
    fields.add(STATUSES[status.code().value()]);
    status
        .description()
        .map(PercentEncoding::encode)
        .ifPresent(
            text -> fields.add(HeaderField.of(FieldNames.GRPC_MESSAGE, text, Indexing.SKIPPED)));
    MetadataFields.write(metadata, fields);
    return HeaderList.of(fields);
  }

  /** The headers of an answer that is not a gRPC response: an HTTP status and plain text. */
  public static HeaderList plain(int httpStatus, Status status) {
    List<HeaderField> fields = new ArrayList<>();
    fields.add(HeaderField.of(FieldNames.STATUS, Integer.toString(httpStatus)));
    fields.add(HeaderField.of(FieldNames.CONTENT_TYPE, "text/plain; charset=utf-8"));
    fields.add(STATUSES[status.code().value()]);
    String text = PercentEncoding.encode(status.description().orElse(""));
    fields.add(HeaderField.of(FieldNames.GRPC_MESSAGE, text, Indexing.SKIPPED));
    if (httpStatus == RequestHead.METHOD_NOT_ALLOWED) {
      fields.add(HeaderField.of("allow", "POST"));
    }
    return HeaderList.of(fields);
  }

  private static HeaderField[] statuses() {
    Status.Code[] codes = Status.Code.values();
    HeaderField[] fields = new HeaderField[codes.length];
    for (Status.Code code : codes) {
      String value = Integer.toString(code.value());
      fields[code.value()] = HeaderField.of(FieldNames.GRPC_STATUS, value);
    }
    return fields;
  }
}
