package dev.gannet.protocol;

import dev.gannet.api.Status;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one gRPC request's head, or the fields that all requests of a pattern share.
 */
final class RequestHeadReader {
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

  static RequestHead read(HeaderList fields) {
    RequestHeadReader reader = new RequestHeadReader();
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
      case FieldNames.GRPC_ENCODING -> encoding = only(encoding, field);
      case FieldNames.GRPC_ACCEPT_ENCODING -> addAcceptEncoding(field.value());
      case FieldNames.GRPC_TIMEOUT -> timeout = only(timeout, field);
      default -> takeMetadata(field);
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

  /** Whether {@code grpc-timeout} was among the fields that were read, whatever its value. */
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
      return notACall(RequestHead.METHOD_NOT_ALLOWED, "gRPC calls are made with POST");
    }
    if (contradiction != null) {
      return notACall(
          RequestHead.BAD_REQUEST,
          "the request has more than one " + contradiction + ", and they differ");
    }
    String type = contentType == null ? "" : contentType;
    if (!ContentType.isGrpc(type)) {
      return notACall(
          RequestHead.UNSUPPORTED_MEDIA_TYPE, "the content-type is not application/grpc");
    }
    if (!readable) {
      return new RequestHead.Refused(
          GrpcRequests.GRPC, Status.INTERNAL.withDescription(MetadataFields.UNREADABLE));
    }
    OptionalLong timeoutNanos =
        timeout == null ? OptionalLong.empty() : GrpcTimeout.parseNanos(timeout);
    if (timeout != null && timeoutNanos.isEmpty()) {
      return notACall(RequestHead.BAD_REQUEST, "grpc-timeout is malformed");
    }
    String to = authority.isEmpty() ? host : authority; // gRFC A41
    return new RequestHead.Call(
        new SharedHead(
            GrpcRequests.GRPC, path, to, ContentType.format(type), encodings(), metadata.toArray()),
        timeoutNanos.orElse(SharedHead.FOR_EVER),
        own);
  }

  private SharedHead.Encodings encodings() {
    String named = encoding == null ? MessageEncoding.IDENTITY.wireName() : encoding;
    String accepted =
        moreAcceptEncodings == null ? acceptEncoding : acceptEncoding + moreAcceptEncodings;
    return new SharedHead.Encodings(named, accepted);
  }

  private static RequestHead notACall(int httpStatus, String why) {
    return new RequestHead.NotACall(
        GrpcRequests.GRPC, httpStatus, Status.INTERNAL.withDescription(why));
  }
}
