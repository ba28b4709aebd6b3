package dev.gannet.http2.message;

import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.HeaderPattern;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a header list as a part of any HTTP message (RFC 9113 §8.2, §8.3). Computed
 * once for each list and cached in it, so a list that is used again costs nothing. Immutable.
 *
 * <p>A space at the start or end of a value is a flaw only in requests. Servers do send it, because
 * gRPC's own grammar allows a {@code grpc-message} to end with one, and the caller would otherwise
 * lose the status.
 */
public final class MessageFields {
  /** Returned by {@link #contentLength} if nothing is declared. */
  public static final long UNDECLARED = -1;

  private static final int REQUEST_SORTS =
      FieldSort.METHOD.bit | FieldSort.SCHEME.bit | FieldSort.PATH.bit | FieldSort.AUTHORITY.bit;
  private static final int PSEUDO_SORTS = REQUEST_SORTS | FieldSort.STATUS.bit;
  private static final int REGULAR_SORTS =
      FieldSort.CONTENT_LENGTH.bit
          | FieldSort.SPACED.bit
          | FieldSort.REGULAR.bit
          | FieldSort.NO_HOST.bit;

  private final @Nullable Flaw flaw;
  private int sorts;
  private boolean connects;
  private boolean hasAuthority;
  private int status;
  private long contentLength = UNDECLARED;

  /** For a pattern: a bit for each own field whose name does not restrict its value. */
  private int plainOrders;

  private MessageFields(HeaderList fields) {
    Flaw first = null;
    for (int i = 0; i < fields.size() && first == null; i++) {
      first = take(fields.field(i));
    }
    flaw = first;
  }

  /** The properties of lists with that pattern whose own fields are all regular. */
  private MessageFields(HeaderPattern pattern) {
    Flaw first = null;
    for (int i = 0; i < pattern.size() && first == null; i++) {
      first = pattern.isOpen(i) ? take(FieldSort.REGULAR, "") : take(pattern.field(i));
      boolean plain = pattern.isOpen(i) && FieldGrammar.isPlain(pattern.field(i).name());
      plainOrders |= plain ? 1 << pattern.orderOf(i) : 0;
    }
    flaw = first;
  }

  /** Checks a list, or returns the cached result for it or its pattern. */
  public static MessageFields of(HeaderList list) {
    return list.validation(MessageFields.class, MessageFields::validate);
  }

  private static MessageFields validate(HeaderList list) {
    Optional<HeaderPattern> pattern = list.pattern();
    if (pattern.isEmpty()) {
      return new MessageFields(list);
    }
    MessageFields shared = pattern.get().validation(MessageFields.class, MessageFields::new);
    return shared.areRegular(list, pattern.get().openCount()) ? shared : new MessageFields(list);
  }

  private boolean areRegular(HeaderList list, int own) {
    for (int i = 0; i < own; i++) {
      HeaderField field = list.own(i);
      boolean plain = (plainOrders >>> i & 1) != 0;
      if (plain
          ? !FieldGrammar.isRegular(field.value())
          : FieldGrammar.validation(field) != FieldSort.REGULAR) {
        return false;
      }
    }
    return true;
  }

  private @Nullable Flaw take(HeaderField field) {
    FieldValidation validation = FieldGrammar.validation(field);
    return validation instanceof FieldSort sort ? take(sort, field.value()) : (Flaw) validation;
  }

  private @Nullable Flaw take(FieldSort sort, String value) {
    boolean again = has(sort);
    boolean behindRegular = (sorts & REGULAR_SORTS) != 0;
    sorts |= sort.bit;
    return switch (sort) {
      case METHOD, SCHEME, PATH, AUTHORITY, STATUS -> {
        connects |= sort == FieldSort.METHOD && value.equals("CONNECT");
        hasAuthority |= sort == FieldSort.AUTHORITY && !value.isEmpty();
        status = sort == FieldSort.STATUS ? Integer.parseInt(value) : status;
        yield behindRegular ? Flaw.PSEUDO_LATE : again ? Flaw.PSEUDO_TWICE : null;
      }
      case CONTENT_LENGTH -> {
        contentLength = Long.parseLong(value);
        yield again ? Flaw.CONTENT_LENGTH : null;
      }
      case SPACED, REGULAR, NO_HOST -> null;
    };
  }

  /** What makes a message malformed if this list is that part of it; empty if nothing does. */
  public Optional<Flaw> flawAs(MessagePart part) {
    if (flaw != null) {
      return Optional.of(flaw);
    }
    return switch (part) {
      case REQUEST -> has(FieldSort.SPACED) ? Optional.of(Flaw.VALUE_SPACED) : flawAsRequest();
      case RESPONSE -> flawAsResponse();
      case REQUEST_TRAILERS ->
          has(FieldSort.SPACED) ? Optional.of(Flaw.VALUE_SPACED) : flawAsTrailers();
      case RESPONSE_TRAILERS -> flawAsTrailers();
    };
  }

  private Optional<Flaw> flawAsRequest() {
    if (has(FieldSort.STATUS)) {
      return Optional.of(Flaw.PSEUDO_OF_RESPONSE);
    }
    if (!has(FieldSort.METHOD)) {
      return Optional.of(Flaw.METHOD);
    }
    if (connects) {
      boolean sound = has(FieldSort.AUTHORITY) && !has(FieldSort.SCHEME) && !has(FieldSort.PATH);
      return sound ? Optional.empty() : Optional.of(Flaw.CONNECT);
    }
    if (!has(FieldSort.SCHEME)) {
      return Optional.of(Flaw.SCHEME);
    }
    if (!has(FieldSort.PATH)) {
      return Optional.of(Flaw.PATH);
    }
    boolean namesNobody = has(FieldSort.NO_HOST) && !hasAuthority;
    return namesNobody ? Optional.of(Flaw.HOST) : Optional.empty();
  }

  private Optional<Flaw> flawAsResponse() {
    if ((sorts & REQUEST_SORTS) != 0) {
      return Optional.of(Flaw.PSEUDO_OF_REQUEST);
    }
    return has(FieldSort.STATUS) ? Optional.empty() : Optional.of(Flaw.STATUS);
  }

  private Optional<Flaw> flawAsTrailers() {
    return (sorts & PSEUDO_SORTS) == 0 ? Optional.empty() : Optional.of(Flaw.PSEUDO_IN_TRAILERS);
  }

  /** The number in {@code content-length}, or {@link #UNDECLARED}. */
  public long contentLength() {
    return contentLength;
  }

  /** Whether other responses follow a response of this status (1xx, RFC 9110 §15.2). */
  public boolean isInterim() {
    return status >= 100 && status < 200;
  }

  /** Whether a response of this status has no content, whatever it declares (RFC 9110 §6.4.1). */
  public boolean isWithoutContent() {
    return isInterim() || status == 204 || status == 304;
  }

  private boolean has(FieldSort sort) {
    return (sorts & sort.bit) != 0;
  }
}
