package dev.gannet.protocol;

import dev.gannet.api.Status;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one request's head, or the fields that all requests of a pattern share. For
 * every protocol whose calls are made with POST: the rules for method, host, repeated fields and
 * metadata are the same for all, the rest is in the {@link RequestSyntax}.
 */
public final class RequestHeadReader {
  private final RequestProtocol protocol;
  private final RequestSyntax syntax;
  private HeaderField path = HeaderField.of(FieldNames.PATH, "");
  private String method = "";
  private String authority = "";
  private String host = "";
  private int hosts;
  private @Nullable String contentType;
  private @Nullable String encoding;
  private @Nullable String timeout;
  private @Nullable String contradiction; // the name of a field with two different values
  private String acceptEncoding = "";
  private @Nullable StringBuilder moreAcceptEncodings;

  private final List<Object> metadata = new ArrayList<>();
  private boolean readable = true;

  /** For the fields of one head. */
  RequestHeadReader(RequestProtocol protocol, RequestSyntax syntax) {
    this.protocol = protocol;
    this.syntax = syntax;
  }

  /**
   * The head of a request.
   *
   * @param protocol the protocol of the head
   */
  public static RequestHead read(
      HeaderList fields, RequestProtocol protocol, RequestSyntax syntax) {
    RequestHeadReader reader = new RequestHeadReader(protocol, syntax);
    for (int i = 0; i < fields.size(); i++) {
      reader.take(fields.field(i));
    }
    return reader.head(OwnFields.NONE);
  }

  void take(HeaderField field) {
    switch (field.name()) {
      case FieldNames.METHOD -> method = field.value();
      case FieldNames.PATH -> path = field;
      case FieldNames.AUTHORITY -> authority = field.value();
      case FieldNames.HOST -> {
        host = field.value();
        hosts++;
      }
      case FieldNames.CONTENT_TYPE -> contentType = only(contentType, field);
      default -> takeOfSyntax(field);
    }
  }

  private void takeOfSyntax(HeaderField field) {
    String name = field.name();
    if (name.equals(syntax.timeout().field())) {
      timeout = only(timeout, field);
    } else if (name.equals(syntax.encodings().field())) {
      encoding = only(encoding, field);
    } else if (name.equals(syntax.encodings().acceptedField())) {
      addAcceptEncoding(field.value());
    } else {
      takeMetadata(field);
    }
  }

  /** The value of a field that must have one value: if it is repeated, both must be equal. */
  private String only(@Nullable String before, HeaderField field) {
    if (before != null && !before.equals(field.value())) {
      contradiction = field.name();
    }
    return field.value();
  }

  /** A list, which may be split over several fields (RFC 9110 §5.3). */
  private void addAcceptEncoding(String value) {
    if (acceptEncoding.isEmpty()) {
      acceptEncoding = value;
      return;
    }
    if (moreAcceptEncodings == null) {
      moreAcceptEncodings = new StringBuilder();
    }
    moreAcceptEncodings.append(',').append(value);
  }

  private void takeMetadata(HeaderField field) {
    if (MetadataFields.isMetadata(field)) {
      readable &= MetadataFields.add(field, metadata);
    }
  }

  /** Reserves an index for the value of a field with this name, and returns it. */
  int leaveRoom(String name) {
    metadata.add(name);
    metadata.add("");
    return metadata.size() - 1;
  }

  /** Whether a timeout was among the fields that were read, whatever its value. */
  boolean isTimed() {
    return timeout != null;
  }

  /**
   * The head that results from the fields that were read.
   *
   * @param own describes the fields that were not read
   */
  RequestHead head(OwnFields own) {
    if (hosts > 1) {
      return notACall(RequestHead.BAD_REQUEST, "there is more than one host");
    }
    if (!method.equals("POST")) {
      return notACall(
          RequestHead.METHOD_NOT_ALLOWED, syntax.protocol() + " calls are made with POST");
    }
    if (contradiction != null) {
      return notACall(
          RequestHead.BAD_REQUEST,
          "the request has more than one " + contradiction + ", and they differ");
    }
    String type = contentType == null ? "" : contentType;
    RequestSyntax.ContentTypes types = syntax.contentTypes();
    if (!types.areAccepted().test(type)) {
      return notACall(
          RequestHead.UNSUPPORTED_MEDIA_TYPE, "the content-type is not " + types.expected());
    }
    if (!readable) {
      return new RequestHead.Refused(
          protocol, Status.INTERNAL.withDescription(MetadataFields.UNREADABLE));
    }
    OptionalLong timeoutNanos =
        timeout == null ? OptionalLong.empty() : syntax.timeout().nanos().apply(timeout);
    if (timeout != null && timeoutNanos.isEmpty()) {
      return notACall(RequestHead.BAD_REQUEST, syntax.timeout().field() + " is malformed");
    }
    String effectiveAuthority = authority.isEmpty() ? host : authority; // gRFC A41
    return new RequestHead.Call(
        new SharedHead(
            protocol,
            path,
            effectiveAuthority,
            types.format().apply(type),
            encodings(),
            metadata.toArray()),
        timeoutNanos.orElse(SharedHead.FOR_EVER),
        own);
  }

  private SharedHead.Encodings encodings() {
    String named = encoding == null ? MessageEncoding.IDENTITY.wireName() : encoding;
    String accepted =
        moreAcceptEncodings == null ? acceptEncoding : acceptEncoding + moreAcceptEncodings;
    return new SharedHead.Encodings(named, accepted);
  }

  private RequestHead notACall(int httpStatus, String why) {
    return new RequestHead.NotACall(protocol, httpStatus, Status.INTERNAL.withDescription(why));
  }
}
