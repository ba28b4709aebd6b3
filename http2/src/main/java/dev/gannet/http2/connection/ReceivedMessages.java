package dev.gannet.http2.connection;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.Role;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.message.DeclaredContent;
import dev.gannet.http2.message.Flaw;
import dev.gannet.http2.message.MessageFields;
import dev.gannet.http2.message.MessagePart;
import java.util.Optional;

/**
 * Checks that what the peer sends on a stream is one well-formed HTTP message (RFC 9113 §8.1): a
 * head and optional trailers; before a response's head optional interim responses; and as much
 * content as the head declared. Malformed parts count as not received.
 */
final class ReceivedMessages {
  /** RFC 9110 defines three 1xx codes; nobody needs more than a few of each. */
  private static final int MAX_INTERIMS = 8;

  private final Role role;

  ReceivedMessages(Role role) {
    this.role = role;
  }

  /** A request is sent on the stream; responses to HEAD have no content (RFC 9110 §9.3.2). */
  static void onRequestSent(Http2Stream stream, HeaderList shared, HeaderList own) {
    HeaderList fields = shared.size() > 0 ? shared : own;
    for (int i = 0; i < fields.size(); i++) {
      HeaderField field = fields.field(i);
      if (field.name().equals(":method")) {
        stream.asksForHead = field.value().equals("HEAD");
        return;
      }
    }
  }

  /**
   * A header list arrived. If the stream still has no head after this, it was an interim response.
   */
  Optional<Flaw> onList(Http2Stream stream, HeaderList list, EndStream end) {
    MessageFields fields = MessageFields.of(list);
    if (stream.hasHead) {
      return onTrailers(stream, fields, end);
    }
    Optional<Flaw> flaw =
        fields.flawAs(role == Role.SERVER ? MessagePart.REQUEST : MessagePart.RESPONSE);
    if (flaw.isPresent()) {
      return flaw;
    }
    if (fields.isInterim()) {
      return onInterim(stream, end);
    }
    boolean declared = fields.contentLength() != MessageFields.UNDECLARED;
    if (declared && !stream.asksForHead && !fields.isWithoutContent()) {
      stream.declaredContent = new DeclaredContent(fields.contentLength());
    }
    flaw = end == EndStream.YES ? onEnd(stream) : Optional.empty();
    stream.hasHead = flaw.isEmpty();
    return flaw;
  }

  /** A header list arrived that was too large to be parsed. */
  Optional<Flaw> onOversizedList(Http2Stream stream, EndStream end) {
    boolean second = stream.hasHead;
    stream.hasHead = true;
    return second && end == EndStream.NO ? Optional.of(Flaw.HEADERS_TWICE) : Optional.empty();
  }

  private Optional<Flaw> onTrailers(Http2Stream stream, MessageFields fields, EndStream end) {
    if (end == EndStream.NO) {
      return Optional.of(Flaw.HEADERS_TWICE);
    }
    Optional<Flaw> flaw =
        fields.flawAs(
            role == Role.SERVER ? MessagePart.REQUEST_TRAILERS : MessagePart.RESPONSE_TRAILERS);
    return flaw.isPresent() ? flaw : onEnd(stream);
  }

  private static Optional<Flaw> onInterim(Http2Stream stream, EndStream end) {
    if (end == EndStream.YES) {
      return Optional.of(Flaw.INTERIM_AT_END);
    }
    return ++stream.interims > MAX_INTERIMS ? Optional.of(Flaw.INTERIMS_ENDLESS) : Optional.empty();
  }

  /** Content arrived, without padding. */
  Optional<Flaw> onContent(Http2Stream stream, int bytes) {
    DeclaredContent declared = stream.declaredContent;
    return declared == null ? Optional.empty() : declared.take(bytes);
  }

  /** The message ended. */
  Optional<Flaw> onEnd(Http2Stream stream) {
    DeclaredContent declared = stream.declaredContent;
    return declared == null ? Optional.empty() : declared.end();
  }
}
