package dev.gannet.suites;

import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.protocol.ArraySource;
import dev.gannet.protocol.BinaryHeader;
import dev.gannet.protocol.Deframer;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageFrame;
import dev.gannet.protocol.PercentEncoding;
import dev.gannet.protocol.RequestHead;
import dev.gannet.protocol.RequestProtocol;
import dev.gannet.protocol.ResponsePart;
import dev.gannet.protocol.ResponseWriter;
import dev.gannet.protocol.WholeContentDeframer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A protocol of requests that is as unlike gRPC as can be: the content is the message, without a
 * prefix; the status stands in the headers, before the content; there are no trailers and no
 * streams. A request has no content-type: it is recognized by another header, and its path has only
 * the bare name of a method.
 */
public final class OneMessageProtocol implements RequestProtocol {
  static final String CONTENT_TYPE = "application/x-test";
  static final String MARK = "x-one-message";
  static final String PATHS = "/call/";
  static final String TIMEOUT = "x-timeout-ms";
  static final String STATUS = "x-status";
  static final String DESCRIPTION = "x-description";

  private static final Status UNREADABLE =
      Status.INTERNAL.withDescription("a binary header is not base64");
  private static final Status NO_TIMEOUT =
      Status.INTERNAL.withDescription(TIMEOUT + " is no number of milliseconds");

  private static final HeaderField OK_200 = HeaderField.of(":status", "200");
  private static final HeaderField CONTENT = HeaderField.of("content-type", CONTENT_TYPE);
  private static final HeaderList SHARED = HeaderList.of(OK_200, CONTENT);

  /** In requests whose messages are to be read from their ends. */
  static final String REVERSED = "x-reversed";

  private final Map<String, String> pathsByName = new HashMap<>();
  private final boolean reversed;

  /** For {@code ServiceLoader}. */
  public OneMessageProtocol() {
    this(false);
  }

  private OneMessageProtocol(boolean reversed) {
    this.reversed = reversed;
  }

  /** Reads a message from its end. */
  private record Reversed<T>(Marshaller<T> own) implements Marshaller<T> {
    @Override
    public void write(T message, MessageSink sink) {
      own.write(message, sink);
    }

    /** Also what the method's own marshaller throws for. */
    @Override
    public boolean reads(String format) {
      return format.equals(Texts.UNKNOWN_FORMAT);
    }

    @Override
    public T parse(ByteBuffer bytes) {
      ByteBuffer other = ByteBuffer.allocate(bytes.remaining());
      for (int at = bytes.limit() - 1; at >= bytes.position(); at--) {
        other.put(bytes.get(at));
      }
      return own.parse(other.flip());
    }
  }

  @Override
  public <Q> Marshaller<Q> requestMarshaller(MethodDescriptor<Q, ?> method) {
    if (reversed && method.equals(Texts.UNARY)) {
      throw new UnsupportedOperationException("a method that this protocol cannot read");
    }
    return reversed ? new Reversed<>(method.requestMarshaller()) : method.requestMarshaller();
  }

  @Override
  public RequestProtocol withMethods(List<MethodDescriptor<?, ?>> methods) {
    OneMessageProtocol ofServer = new OneMessageProtocol();
    methods.forEach(
        it -> ofServer.pathsByName.put(PATHS + it.bareMethodName(), "/" + it.fullMethodName()));
    return ofServer;
  }

  @Override
  public boolean speaks(HeaderList fields) {
    return find(fields, MARK).isPresent();
  }

  @Override
  public RequestHead read(HeaderList fields) {
    String asked = find(fields, ":path").map(HeaderField::value).orElse("");
    String path = pathsByName.get(asked);
    if (path == null) {
      return new RequestHead.Refused(
          this, Status.UNIMPLEMENTED.withDescription("nothing is called " + asked));
    }
    boolean toReverse = find(fields, REVERSED).isPresent();
    Optional<RequestHead.Call> call =
        RequestHead.Call.of(
                toReverse ? new OneMessageProtocol(true) : this,
                HeaderField.of(":path", path),
                "test")
            .withFormat(toReverse ? Texts.UNKNOWN_FORMAT : "")
            .withMetadata(fields);
    if (call.isEmpty()) {
      return new RequestHead.Refused(this, UNREADABLE);
    }
    Optional<HeaderField> timeout = find(fields, TIMEOUT);
    return timeout.isPresent() ? within(timeout.get().value(), call.get()) : call.get();
  }

  private RequestHead within(String millis, RequestHead.Call call) {
    if (!millis.matches("[0-9]{1,12}")) {
      return new RequestHead.NotACall(this, RequestHead.BAD_REQUEST, NO_TIMEOUT);
    }
    return call.withTimeoutNanos(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(millis)));
  }

  static Optional<HeaderField> find(HeaderList fields, String name) {
    for (HeaderField field : fields) {
      if (field.name().equals(name)) {
        return Optional.of(field);
      }
    }
    return Optional.empty();
  }

  @Override
  public boolean carries(MethodType type) {
    return type == MethodType.UNARY;
  }

  @Override
  public Deframer deframer(MessageEncoding encoding, int maxMessageBytes, ArraySource arrays) {
    return new WholeContentDeframer(encoding, maxMessageBytes, arrays);
  }

  @Override
  public <T> ByteBuffer frame(
      Marshaller<T> marshaller, T message, MessageEncoding encoding, ArraySource arrays) {
    return MessageFrame.bare(marshaller, message, arrays);
  }

  @Override
  public void write(ResponsePart part, ResponseWriter to) {
    Status status = part.status();
    if (status == null) {
      throw new AssertionError("a unary response comes as one part");
    }
    Metadata metadata = part.trailers().copy();
    Metadata headers = part.headers();
    if (headers != null) {
      metadata.mergeAbsent(headers);
    }
    answer(status, metadata, part.message(), to);
  }

  @Override
  public void end(Status status, Metadata trailers, ResponseWriter to) {
    answer(status, trailers, null, to);
  }

  private static void answer(
      Status status, Metadata metadata, @Nullable ByteBuffer message, ResponseWriter to) {
    if (to.hasBegun()) {
      return; // the status has left with the headers
    }
    List<HeaderField> own = new ArrayList<>();
    own.add(HeaderField.of(STATUS, status.code().name()));
    status
        .description()
        .ifPresent(text -> own.add(HeaderField.of(DESCRIPTION, PercentEncoding.encode(text))));
    metadata.forEach(
        new Metadata.Visitor() {
          @Override
          public void text(String name, String value) {
            own.add(HeaderField.of(name, value));
          }

          @Override
          public void binary(String name, byte[] value) {
            own.add(HeaderField.of(name, BinaryHeader.encode(value)));
          }
        });
    boolean empty = message == null || !message.hasRemaining();
    to.headers(SHARED, HeaderList.of(own), empty ? EndStream.YES : EndStream.NO);
    if (message != null && !empty) {
      to.data(message, EndStream.YES);
    }
  }
}
