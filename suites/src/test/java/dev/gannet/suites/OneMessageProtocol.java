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
import dev.gannet.protocol.RequestHeadReader;
import dev.gannet.protocol.RequestProtocol;
import dev.gannet.protocol.RequestProtocols;
import dev.gannet.protocol.RequestSyntax;
import dev.gannet.protocol.ResponsePart;
import dev.gannet.protocol.ResponseWriter;
import dev.gannet.protocol.WholeContentDeframer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A protocol of requests that is as unlike gRPC as can be: the content is the message, without a
 * prefix; the status stands in the headers, before the content; there are no trailers and no
 * streams. A request has no content-type: it is recognized by another header, and its path has only
 * the bare name of a method. Another header asks for a second format of messages, in both
 * directions.
 */
public final class OneMessageProtocol implements RequestProtocol {
  static final String CONTENT_TYPE = "application/x-test";
  static final String MARK = "x-one-message";
  static final String PATHS = "/call/";
  static final String TIMEOUT = "x-timeout-ms";
  static final String STATUS = "x-status";
  static final String DESCRIPTION = "x-description";

  static final RequestSyntax SYNTAX =
      new RequestSyntax(
          "one-message",
          RequestSyntax.ContentTypes.ANY,
          new RequestSyntax.Timeout(TIMEOUT, OneMessageProtocol::nanosOfMillis),
          RequestSyntax.Encodings.NONE);

  private static final HeaderField OK_200 = HeaderField.of(":status", "200");
  private static final HeaderField CONTENT = HeaderField.of("content-type", CONTENT_TYPE);
  private static final HeaderList SHARED = HeaderList.of(OK_200, CONTENT);

  /** In requests whose messages, and those of their responses, have the second format. */
  static final String FORMAT = "x-format";

  /** The second format: texts in quotes. The methods' own marshaller throws at its name. */
  static final String QUOTED = Texts.UNKNOWN_FORMAT;

  /** A format that requests may have, and responses not. */
  static final String READ_ONLY = "read-only";

  /** The names of methods whose messages of one direction have no second format. */
  static final String UNREAD = "Unread";

  static final String UNWRITTEN = "Unwritten";

  private final Map<String, String> pathsByName = new HashMap<>();
  private final boolean quoted;

  /** For {@code ServiceLoader}. */
  public OneMessageProtocol() {
    this(false);
  }

  private OneMessageProtocol(boolean quoted) {
    this.quoted = quoted;
  }

  /** Messages as strings of JSON, as long as nothing in them must be escaped. */
  private record Quoted<T>(Marshaller<T> own) implements Marshaller<T> {
    private static final byte QUOTE = '"';

    @Override
    public void write(T message, MessageSink sink) {
      ByteBuffer text = MessageFrame.bare(own, message, ArraySource.HEAP);
      sink.reserve(text.remaining() + 2).put(QUOTE).put(text).put(QUOTE);
    }

    @Override
    public T parse(ByteBuffer bytes) {
      int length = bytes.remaining() - 2;
      int first = bytes.position();
      if (length < 0 || bytes.get(first) != QUOTE || bytes.get(first + 1 + length) != QUOTE) {
        throw new IllegalArgumentException("not in quotes");
      }
      return own.parse(bytes.slice(first + 1, length));
    }

    @Override
    public boolean reads(String format) {
      return writes(format) || format.equals(READ_ONLY);
    }

    @Override
    public boolean writes(String format) {
      return format.equals(QUOTED);
    }
  }

  @Override
  public <Q> Marshaller<Q> requestMarshaller(MethodDescriptor<Q, ?> method) {
    return quoted ? quoted(method.requestMarshaller(), method, UNREAD) : method.requestMarshaller();
  }

  @Override
  public <R> Marshaller<R> responseMarshaller(MethodDescriptor<?, R> method) {
    return quoted
        ? quoted(method.responseMarshaller(), method, UNWRITTEN)
        : method.responseMarshaller();
  }

  private static <T> Marshaller<T> quoted(
      Marshaller<T> own, MethodDescriptor<?, ?> method, String nameOfUnsupported) {
    if (method.bareMethodName().equals(nameOfUnsupported)) {
      throw new UnsupportedOperationException("a method that this protocol cannot convert");
    }
    return new Quoted<>(own);
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
    return !RequestProtocols.firstValue(fields, MARK).isEmpty();
  }

  @Override
  public RequestHead read(HeaderList fields) {
    String format = RequestProtocols.firstValue(fields, FORMAT);
    OneMessageProtocol ofCall = format.isEmpty() ? this : new OneMessageProtocol(true);
    RequestHead head = RequestHeadReader.read(fields, ofCall, SYNTAX);
    return head instanceof RequestHead.Call call ? found(call.withFormat(format)) : head;
  }

  private RequestHead found(RequestHead.Call call) {
    String path = pathsByName.get(call.path());
    return path == null
        ? new RequestHead.Refused(
            this, Status.UNIMPLEMENTED.withDescription("nothing is called " + call.path()))
        : call.withPath(path);
  }

  private static OptionalLong nanosOfMillis(String value) {
    return value.matches("[0-9]{1,12}")
        ? OptionalLong.of(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(value)))
        : OptionalLong.empty();
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
