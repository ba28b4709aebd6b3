package dev.gannet.protocol;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A request's header list as a server understands it: a call, or what it must be answered. Created
 * once for all lists of a pattern, or once for each distinct list of a connection, and shared by
 * its calls.
 */
public sealed interface RequestHead {
  int BAD_REQUEST = 400;
  int METHOD_NOT_ALLOWED = 405;
  int UNSUPPORTED_MEDIA_TYPE = 415;
  int HEADER_FIELDS_TOO_LARGE = 431;

  /**
   * A call: what its header list has in common with others. Timeout and metadata may differ between
   * lists, so their getters are passed the list. Immutable.
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

    /**
     * A call in another protocol than gRPC, without a timeout, compression or metadata. For
     * requests that {@link RequestHeadReader} cannot read.
     *
     * @param path a slash followed by the method's full name: {@code :path} if that is its form, or
     *     a new field for this head, because the server keeps in it what it found for a connection
     */
    public static Call of(RequestProtocol protocol, HeaderField path, String authority) {
      SharedHead shared = SharedHead.of(protocol, path, authority);
      return new Call(shared, SharedHead.FOR_EVER, OwnFields.NONE);
    }

    /** This call with another path: a slash followed by the full name of the method found. */
    public Call withPath(String path) {
      HeaderField field = HeaderField.of(FieldNames.PATH, path);
      return new Call(shared.withPath(field), timeoutNanos, own);
    }

    /** This call with a message format, in lower case. */
    public Call withFormat(String format) {
      return new Call(shared.withFormat(format), timeoutNanos, own);
    }

    /**
     * This call with the encoding of its requests, and the encodings that its responses may have.
     */
    public Call withEncodings(String encoding, String acceptEncoding) {
      SharedHead.Encodings encodings = new SharedHead.Encodings(encoding, acceptEncoding);
      return new Call(shared.with(encodings), timeoutNanos, own);
    }

    /** This call with a timeout, 0 or more. */
    public Call withTimeoutNanos(long nanos) {
      return new Call(shared, nanos, own);
    }

    /** This call with the list's metadata; empty if a binary value is malformed. */
    public Optional<Call> withMetadata(HeaderList fields) {
      return MetadataFields.read(fields)
          .map(metadata -> new Call(shared.withMetadata(metadata), timeoutNanos, own));
    }

    /** The protocol of the response. */
    public RequestProtocol protocol() {
      return shared.protocol;
    }

    OwnFields own() {
      return own;
    }

    /** A slash followed by the method's full name; in gRPC {@code :path} as received. */
    public String path() {
      return shared.path.value();
    }

    /**
     * The field with the path, to which a server attaches the method that it found: calls of a
     * method share it.
     */
    public HeaderField pathField() {
      return shared.path;
    }

    /** {@code :authority}, or {@code host} if there is no {@code :authority}; may be empty. */
    public String authority() {
      return shared.authority;
    }

    /**
     * The message format in {@code content-type}, such as {@code proto}, in lower case; empty if it
     * names none.
     */
    public String format() {
      return shared.format;
    }

    /** {@code grpc-encoding} as received; {@code identity} if it was missing. */
    public String encoding() {
      return shared.encodings.ofRequests();
    }

    /** Whether the client accepts that encoding. */
    public boolean accepts(MessageEncoding wanted) {
      return MessageEncoding.accepts(shared.encodings.accepted(), wanted);
    }

    /**
     * How long the client waits, counted from the request's arrival; empty for no limit.
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
     * The request's metadata, in a new object for the caller.
     *
     * @param fields a list that was read as this call
     */
    public Metadata metadata(HeaderList fields) {
      return ReceivedMetadata.over(own.metadata(fields, shared.metadata));
    }
  }

  /** Not a call: must be answered with that HTTP status and a text that explains it. */
  record NotACall(RequestProtocol protocol, int httpStatus, Status status) implements RequestHead {}

  /** A call that cannot be understood: must be answered with that status. */
  record Refused(RequestProtocol protocol, Status status) implements RequestHead {}
}
