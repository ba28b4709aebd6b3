package dev.gannet.protocol;

import dev.gannet.api.Marshaller;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.hpack.HeaderList;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A request protocol: how a request becomes a call, and how its response is sent. gRPC is built in
 * ({@link GrpcRequests}); a server's other protocols are found by {@code ServiceLoader}, unless its
 * builder says that it accepts gRPC alone, and selected once for each distinct header list ({@link
 * RequestProtocols}).
 *
 * <pre>
 *   header list ──read──► RequestHead.Call
 *   content ──deframer──► bytes ──requestMarshaller──► request
 *   response ──responseMarshaller, frame──► ResponsePart ──write──► ResponseWriter
 * </pre>
 *
 * <p>Implementations are stateless and safe for all threads: header lists and content are read, and
 * responses written, on the loops of connections, where nothing may block; messages are framed on
 * threads of handlers. Nothing that a peer sends may make an implementation throw.
 */
public interface RequestProtocol {
  /**
   * This protocol for one server. Called once, when the server is built. A protocol whose paths are
   * not gRPC's prepares here to find methods by its own: {@link #read} then returns a call whose
   * {@code path} is the slash and full name of the method that it found. Methods of the server's
   * fallback registry are not among these, because they may change.
   *
   * @param methods all methods that the server was built with
   */
  default RequestProtocol withMethods(List<MethodDescriptor<?, ?>> methods) {
    return this;
  }

  /**
   * Whether a request with that header list belongs to this protocol. Never called for lists with a
   * content-type of gRPC.
   */
  boolean speaks(HeaderList fields);

  /**
   * Reads the header list of a request that belongs to this protocol. The protocol of the returned
   * head may be another object than this one, which knows more of the request.
   */
  RequestHead read(HeaderList fields);

  /** Whether it supports calls of methods of that type; other calls end with UNIMPLEMENTED. */
  boolean carries(MethodType type);

  /**
   * Creates the deframer of one request.
   *
   * @param encoding the encoding of compressed messages
   * @param maxMessageBytes how long a message may be as received
   * @param arrays the source of arrays for incomplete messages
   */
  Deframer deframer(MessageEncoding encoding, int maxMessageBytes, ArraySource arrays);

  /**
   * What reads the messages of requests for a method: by default the method's own marshaller. A
   * protocol whose messages have another format, such as JSON for methods of protobuf, converts
   * them here and in {@link #responseMarshaller}; the marshaller is called on threads of handlers,
   * and for small messages on the loop. Asked as each call begins, so it must be cheap and always
   * give the same. A method for which this throws, or a format that the marshaller does not
   * {@linkplain Marshaller#reads read}, ends the call with UNIMPLEMENTED.
   */
  default <Q> Marshaller<Q> requestMarshaller(MethodDescriptor<Q, ?> method) {
    return method.requestMarshaller();
  }

  /**
   * What writes the messages of responses to calls of a method: by default the method's own
   * marshaller. The counterpart of {@link #requestMarshaller}, under the same rules: asked as each
   * call begins, so it must be cheap and always give the same; a method for which this throws, or a
   * format that the marshaller does not {@linkplain Marshaller#writes write}, ends the call with
   * UNIMPLEMENTED. The marshaller is called in {@link #frame}, on threads of handlers.
   */
  default <R> Marshaller<R> responseMarshaller(MethodDescriptor<?, R> method) {
    return method.responseMarshaller();
  }

  /**
   * Frames a message, in a heap buffer from position 0 to limit whose array belongs to the caller.
   *
   * @param marshaller writes messages as the {@link #responseMarshaller} of the call's method does;
   *     throws an exception if one is longer than the server may send, which must not be caught
   * @param encoding the encoding of this message
   * @throws IllegalStateException if the marshaller breaks a rule of {@link
   *     dev.gannet.api.MessageSink}
   */
  <T> ByteBuffer frame(
      Marshaller<T> marshaller, T message, MessageEncoding encoding, ArraySource arrays);

  /**
   * The size on the wire of a message that {@link #frame} made, in bytes, without its framing. For
   * tracers.
   */
  default int wireBytes(ByteBuffer frame) {
    return frame.limit();
  }

  /**
   * The size of such a message before compression, in bytes. For tracers.
   *
   * @param encoding the encoding of the response's compressed messages
   */
  default int messageBytes(ByteBuffer frame, MessageEncoding encoding) {
    return frame.limit();
  }

  /**
   * Writes what a handler has sent until a flush. The response to a method with a single response
   * message comes as one part, so its headers may depend on its status.
   */
  void write(ResponsePart part, ResponseWriter writer);

  /**
   * Writes the end of a response that its handler did not end, such as that of a late or refused
   * call. If the response has begun and can have no such end any more, it writes nothing, and the
   * stream is reset.
   */
  void end(Status status, Metadata trailers, ResponseWriter writer);

  /**
   * Answers a request that is not a call; as plain text, unless the protocol defines something
   * else.
   */
  default void answerNotACall(int httpStatus, Status status, ResponseWriter writer) {
    byte[] text = status.description().orElse("").getBytes(StandardCharsets.UTF_8);
    writer.headers(ResponseFields.plain(httpStatus, status), HeaderList.EMPTY, EndStream.NO);
    writer.data(ByteBuffer.wrap(text), EndStream.YES);
  }
}
