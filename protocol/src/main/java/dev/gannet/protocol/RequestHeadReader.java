package dev.gannet.protocol;

import dev.gannet.api.Status;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads one request's header list. */
final class RequestHeadReader {
  String path = "";
  String authority = "";
  String encoding = MessageEncoding.IDENTITY.wireName();
  String acceptEncoding = "";

  private String method = "";
  private String host = "";
  private int hosts;
  private String contentType = "";
  private String timeout = "";

  static RequestHead readWhole(HeaderList fields) {
    return new RequestHeadReader().read(fields);
  }

  private RequestHead read(HeaderList fields) {
    for (int i = 0; i < fields.size(); i++) {
      take(fields.field(i));
    }
    if (authority.isEmpty()) { // gRFC A41; beside :authority, host counts for nothing
      authority = host;
    }
    if (hosts > 1) {
      return rejected(RequestHead.BAD_REQUEST, "there is more than one host");
    }
    if (!method.equals("POST")) {
      return rejected(RequestHead.METHOD_NOT_ALLOWED, "gRPC calls are made with POST");
    }
    if (!ContentType.isGrpc(contentType)) {
      return rejected(
          RequestHead.UNSUPPORTED_MEDIA_TYPE, "the content-type is not application/grpc");
    }
    Optional<Object[]> metadata = MetadataFields.read(fields);
    if (metadata.isEmpty()) {
      return new RequestHead.Rejected(
          200, Status.INTERNAL.withDescription("a binary header is not base64"));
    }
    OptionalLong timeoutNanos = GrpcTimeout.parseNanos(timeout);
    if (timeoutNanos.isEmpty() && !timeout.isEmpty()) {
      return rejected(RequestHead.BAD_REQUEST, "grpc-timeout is malformed");
    }
    return new RequestHead.Call(this, timeoutNanos, metadata.get());
  }

  private void take(HeaderField field) {
    switch (field.name()) {
      case FieldNames.METHOD -> method = field.value();
      case FieldNames.PATH -> path = field.value();
      case FieldNames.AUTHORITY -> authority = field.value();
      case FieldNames.HOST -> {
        host = field.value();
        hosts++;
      }
      case FieldNames.CONTENT_TYPE -> contentType = field.value();
      case FieldNames.GRPC_ENCODING -> encoding = field.value();
      case FieldNames.GRPC_ACCEPT_ENCODING -> acceptEncoding = field.value();
      case FieldNames.GRPC_TIMEOUT -> timeout = field.value();
      default -> {} // metadata, or of no use to a server
    }
  }

  private static RequestHead rejected(int httpStatus, String why) {
    return new RequestHead.Rejected(httpStatus, Status.INTERNAL.withDescription(why));
  }
}
