package dev.gannet.protocol;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import java.util.OptionalLong;

/**
 * What a server understood of a request's header list: a call, or why it is none. Made once for the
 * lists of a pattern, or per distinct list of a connection, and shared by its calls.
 */
public sealed interface RequestHead {
  int BAD_REQUEST = 400;
  int METHOD_NOT_ALLOWED = 405;
  int UNSUPPORTED_MEDIA_TYPE = 415;
  int HEADER_FIELDS_TOO_LARGE = 431;

  /**
   * A gRPC request: what its header list has in common with others. For what may be the list's own,
   * timeout and metadata, it is asked with the list.
   */
  final class Call implements RequestHead {
    private final SharedHead shared;
    private final long timeoutNanos;
    private final OwnFields own;

    Call(SharedHead shared, long timeoutNanos, OwnFields own) {
      this.shared = shared;
      this.timeoutNanos = timeoutNanos;
      this.own = own;
    }

    OwnFields own() {
      return own;
    }

    /** {@code :path} as it came, with its leading slash. */
    public String path() {
      return shared.path.value();
    }

    /**
     * The field {@code :path}, on which a server keeps the method it found: the calls of a method
     * share it.
     */
    public HeaderField pathField() {
      return shared.path;
    }

    /** {@code :authority}, or {@code host} where that is all there is; may be empty. */
    public String authority() {
      return shared.authority;
    }

    /**
     * The message format that {@code content-type} names, {@code proto} say, in lower case; empty
     * where it names none.
     */
    public String format() {
      return shared.format;
    }

    /** {@code grpc-encoding} as it came; {@code identity} where it did not. */
    public String encoding() {
      return shared.encoding;
    }

    /** Whether the client reads that encoding. */
    public boolean accepts(MessageEncoding wanted) {
      return MessageEncoding.accepts(shared.acceptEncoding, wanted);
    }

    /**
     * How long the client waits, counted from the arrival; empty means for ever.
     *
     * @param fields a list that was read as this call
     */
    public OptionalLong timeoutNanos(HeaderList fields) {
      long nanos = own.timeoutNanos(fields, timeoutNanos);
      return nanos == SharedHead.FOR_EVER ? OptionalLong.empty() : OptionalLong.of(nanos);
    }

    /** How many values the request's metadata has. */
    public int metadataValues() {
      return shared.metadata.length / 2;
    }

    /**
     * The request's metadata, in an object of the caller's own.
     *
     * @param fields a list that was read as this call
     */
    public Metadata metadata(HeaderList fields) {
      return Metadata.received(own.metadata(fields, shared.metadata));
    }
  }

  /**
   * Not a call: to be answered with that HTTP status, and with the gRPC status for clients that
   * understand it.
   */
  record Rejected(int httpStatus, Status status) implements RequestHead {}

  /** A call that cannot be read: to be answered with that gRPC status alone. */
  record Refused(Status status) implements RequestHead {}

  /** Reads a list, or remembers what it was read as. */
  static RequestHead of(HeaderList fields) {
    return fields.meaning(RequestHead.class, RequestPattern::headOf);
  }
}
