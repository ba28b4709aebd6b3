package dev.gannet.protocol;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A response's header list as a client understands it, headers or trailers. Created once for each
 * distinct list of a connection and shared by its calls.
 */
public final class ResponseHead {
  private static final int NO_HTTP_STATUS = 0;
  private static final int OK = 200;
  private static final Object[] NO_METADATA = {};

  private final Optional<Object[]> metadata;
  private final Optional<Status> status;
  private final Optional<Status> headersFault;
  private int httpStatus = NO_HTTP_STATUS;
  private @Nullable String contentType;
  private @Nullable String encoding;
  private @Nullable String grpcStatus;
  private @Nullable String grpcMessage;
  private @Nullable String contradiction; // the name of a field with two different values

  private ResponseHead(HeaderList fields) {
    for (int i = 0; i < fields.size(); i++) {
      take(fields.field(i));
    }
    metadata = MetadataFields.read(fields);
    status = statusOf(grpcStatus, grpcMessage);
    headersFault = findHeadersFault();
  }

  /** Reads a list, or returns the cached result. */
  public static ResponseHead of(HeaderList fields) {
    return fields.attachment(ResponseHead.class, ResponseHead::new);
  }

  /** {@code grpc-encoding} as received; {@code identity} if it was missing. */
  public String encoding() {
    return encoding == null ? MessageEncoding.IDENTITY.wireName() : encoding;
  }

  /** The metadata, in a new object for the caller; empty if a binary value is malformed. */
  public Metadata metadata() {
    return ReceivedMetadata.over(metadata.orElse(NO_METADATA));
  }

  /** Whether the list contains the status of the call. */
  public boolean hasStatus() {
    return status.isPresent();
  }

  /** Why these headers cannot begin a gRPC response, if they cannot. */
  public Optional<Status> headersFault() {
    return headersFault;
  }

  private Optional<Status> findHeadersFault() {
    if (httpStatus != OK) {
      return Optional.of(StatusMapping.ofHttp(httpStatus));
    }
    boolean foreign = contentType == null || !ContentType.isGrpc(contentType);
    if (foreign && contradiction == null) {
      return Optional.of(
          Status.UNKNOWN.withDescription("the response's content-type is not application/grpc"));
    }
    return unreadable();
  }

  /**
   * The status of the call, from a list that ends it: trailers, or headers that end the response.
   */
  public Status endStatus() {
    boolean failedBelow = httpStatus != NO_HTTP_STATUS && httpStatus != OK;
    if (unreadable().isPresent()) {
      return failedBelow ? StatusMapping.ofHttp(httpStatus) : unreadable().get();
    }
    if (status.isPresent() && !(failedBelow && status.get().isOk())) {
      return status.get();
    }
    return failedBelow
        ? StatusMapping.ofHttp(httpStatus)
        : Status.UNKNOWN.withDescription("the response ended without a gRPC status");
  }

  /** Why nothing in the list can be relied on, if so. */
  private Optional<Status> unreadable() {
    if (contradiction != null) {
      return Optional.of(
          Status.INTERNAL.withDescription(
              "the response has more than one " + contradiction + ", and they differ"));
    }
    return metadata.isPresent()
        ? Optional.empty()
        : Optional.of(Status.INTERNAL.withDescription(MetadataFields.UNREADABLE));
  }

  private void take(HeaderField field) {
    switch (field.name()) {
      case FieldNames.STATUS -> httpStatus = number(field.value());
      case FieldNames.CONTENT_TYPE -> contentType = only(contentType, field);
      case FieldNames.GRPC_ENCODING -> encoding = only(encoding, field);
      case FieldNames.GRPC_STATUS -> grpcStatus = only(grpcStatus, field);
      case FieldNames.GRPC_MESSAGE -> grpcMessage = only(grpcMessage, field);
      default -> {} // metadata, or not used by a client
    }
  }

  /** The value of a field that must have one value: if it is repeated, both must be equal. */
  private String only(@Nullable String before, HeaderField field) {
    if (before != null && !before.equals(field.value())) {
      contradiction = field.name();
    }
    return field.value();
  }

  private static Optional<Status> statusOf(@Nullable String number, @Nullable String message) {
    return number == null || number.isEmpty()
        ? Optional.empty()
        : Optional.of(parseStatus(number, message));
  }

  private static Status parseStatus(String number, @Nullable String message) {
    int value = number(number);
    Status status = Status.Code.of(value).toStatus();
    boolean canonical = number.length() == 1 || !number.startsWith("0");
    if (value > Status.Code.UNAUTHENTICATED.value() || value < 0 || !canonical) {
      return Status.UNKNOWN.withDescription("the response has an unknown grpc-status");
    }
    return message == null || message.isEmpty()
        ? status
        : status.withDescription(PercentEncoding.decode(message));
  }

  /** A short decimal number; -1 for any other text. */
  private static int number(String text) {
    if (text.isEmpty() || text.length() > 3) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }
}
