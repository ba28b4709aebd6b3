package dev.gannet.protocol;

import dev.gannet.api.Metadata;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.Indexing;
import java.util.ArrayList;
import java.util.List;

/**
 * The header list of a request, in two parts: what all calls of a method share, and what one call
 * adds.
 */
public final class RequestFields {
  /** The name of this implementation for servers; the version is the release's. */
  public static final String USER_AGENT = "grpc-java-gannet/0.1.0";

  private RequestFields() {}

  /**
   * {@code user-agent}: the application's own part, followed by this implementation's name.
   *
   * @param application products and comments (RFC 9110 §10.1.5), or an empty text
   */
  public static String userAgent(String application) {
    return application.isEmpty() ? USER_AGENT : application + " " + USER_AGENT;
  }

  /** The same with only this implementation's name and the built-in encodings, for tools. */
  public static HeaderList shared(
      String scheme, String authority, String fullMethodName, MessageEncoding encoding) {
    String accept = MessageEncodings.DEFAULT.accept();
    return shared(scheme, USER_AGENT, authority, fullMethodName, encoding, accept);
  }

  /**
   * The fields shared by all calls of one method, authority and encoding; should be kept and
   * reused.
   *
   * @param scheme {@code http} or {@code https}
   * @param userAgent the value of {@link #userAgent}
   * @param acceptEncoding the value of {@link MessageEncodings#accept}
   */
  public static HeaderList shared(
      String scheme,
      String userAgent,
      String authority,
      String fullMethodName,
      MessageEncoding encoding,
      String acceptEncoding) {
    List<HeaderField> fields = new ArrayList<>();
    fields.add(HeaderField.of(FieldNames.METHOD, "POST"));
    fields.add(HeaderField.of(FieldNames.SCHEME, scheme));
    fields.add(HeaderField.of(FieldNames.PATH, "/" + fullMethodName));
    fields.add(HeaderField.of(FieldNames.AUTHORITY, authority));
    fields.add(HeaderField.of(FieldNames.TE, "trailers"));
    fields.add(HeaderField.of(FieldNames.CONTENT_TYPE, ContentType.GRPC));
    fields.add(HeaderField.of(FieldNames.USER_AGENT, userAgent));
    if (encoding != MessageEncoding.IDENTITY) {
      fields.add(HeaderField.of(FieldNames.GRPC_ENCODING, encoding.wireName()));
    }
    fields.add(HeaderField.of(FieldNames.GRPC_ACCEPT_ENCODING, acceptEncoding));
    return HeaderList.of(fields);
  }

  /** The fields of one call without a deadline. */
  public static HeaderList own(Metadata metadata) {
    if (metadata.isEmpty()) {
      return HeaderList.EMPTY;
    }
    List<HeaderField> fields = new ArrayList<>(metadata.size());
    MetadataFields.write(metadata, fields);
    return HeaderList.of(fields);
  }

  /** The fields of one call with that much time left. */
  public static HeaderList own(Metadata metadata, long timeoutNanos) {
    List<HeaderField> fields = new ArrayList<>(1 + metadata.size());
    String timeout = GrpcTimeout.format(timeoutNanos);
    fields.add(HeaderField.of(FieldNames.GRPC_TIMEOUT, timeout, Indexing.SKIPPED));
    MetadataFields.write(metadata, fields);
    return HeaderList.of(fields);
  }
}
