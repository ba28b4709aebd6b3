package dev.gannet.protocol;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.http2.hpack.HeaderList;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Metadata that is not sent over a network: which fields would arrive, and how long they would be
 * by the rules of RFC 9113 §6.5.2.
 */
public final class CarriedMetadata {
  /** More than the protocol's own fields take, apart from the names of method and authority. */
  private static final int PROTOCOL_BYTES = 1 << 10;

  private static final int FIELD_BYTES = 32;

  /** The most bytes in a grpc-message for one character of a description. */
  private static final int MAX_OCTETS_OF_CHARACTER = 9;

  /** Descriptions of up to this many characters are never cut. */
  private static final int SHORT_DESCRIPTION = 256;

  private CarriedMetadata() {}

  /** What a receiver gets: the same fields without those that belong to the protocol. */
  public static Metadata copy(Metadata sent) {
    if (sent.isEmpty()) {
      return new Metadata();
    }
    Look look = Look.at(sent);
    Metadata copy = sent.copy();
    if (look.ofProtocol) {
      for (String name : sent.names()) {
        if (!FieldNames.isForApplications(name)) {
          copy.discardAll(keyOf(name));
        }
      }
    }
    return copy;
  }

  private static Metadata.Key<?> keyOf(String name) {
    return name.endsWith(Metadata.BINARY_SUFFIX)
        ? Metadata.Key.binary(name)
        : Metadata.Key.ascii(name);
  }

  /** The description of a status as it arrives: none if it is empty, and cut if it is long. */
  public static @Nullable String description(String words) {
    if (words.isEmpty()) {
      return null;
    }
    return words.length() <= SHORT_DESCRIPTION
        ? words
        : PercentEncoding.decode(PercentEncoding.encode(words));
  }

  /** The size of a request's header list, if it exceeds the limit. */
  public static OptionalLong overlongRequest(
      Metadata metadata, String authority, String fullMethodName, int limitBytes) {
    long most = Look.bytesOf(metadata) + PROTOCOL_BYTES + authority.length();
    if (most + fullMethodName.length() <= limitBytes) {
      return OptionalLong.empty();
    }
    HeaderList shared =
        RequestFields.shared("http", authority, fullMethodName, MessageEncoding.IDENTITY);
    return over(shared.sizeBytes() + (long) RequestFields.own(metadata).sizeBytes(), limitBytes);
  }

  /** The size of a response's header list, if it exceeds the limit. */
  public static OptionalLong overlongHeaders(Metadata metadata, int limitBytes) {
    if (Look.bytesOf(metadata) + PROTOCOL_BYTES <= limitBytes) {
      return OptionalLong.empty();
    }
    long bytes = MessageEncodings.DEFAULT.responseHeaders(MessageEncoding.IDENTITY).sizeBytes();
    return over(bytes + ResponseFields.own(metadata).sizeBytes(), limitBytes);
  }

  /** The size of a response's trailers, if it exceeds the limit. */
  public static OptionalLong overlongTrailers(Status status, Metadata metadata, int limitBytes) {
    int characters = status.description().map(String::length).orElse(0);
    long most = Look.bytesOf(metadata) + (long) characters * MAX_OCTETS_OF_CHARACTER;
    if (most + PROTOCOL_BYTES <= limitBytes) {
      return OptionalLong.empty();
    }
    return over(ResponseFields.trailers(status, metadata).sizeBytes(), limitBytes);
  }

  private static OptionalLong over(long bytes, int limitBytes) {
    return bytes > limitBytes ? OptionalLong.of(bytes) : OptionalLong.empty();
  }

  /** Computes the length of fields, and whether any belongs to the protocol. */
  private static final class Look implements Metadata.Visitor {
    private long bytes;
    private boolean ofProtocol;

    static Look at(Metadata metadata) {
      Look look = new Look();
      metadata.forEach(look);
      return look;
    }

    static long bytesOf(Metadata metadata) {
      return metadata.isEmpty() ? 0 : at(metadata).bytes;
    }

    @Override
    public void text(String name, String value) {
      add(name, value.length());
    }

    @Override
    public void binary(String name, byte[] value) {
      add(name, (4L * value.length + 2) / 3);
    }

    private void add(String name, long valueBytes) {
      bytes += name.length() + valueBytes + FIELD_BYTES;
      ofProtocol |= !FieldNames.isForApplications(name);
    }
  }
}
