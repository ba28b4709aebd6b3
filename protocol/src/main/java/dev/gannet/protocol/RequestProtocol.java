package dev.gannet.protocol;

import dev.gannet.api.Marshaller;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.hpack.HeaderList;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A protocol of requests: how a request becomes a call, and how its response goes back. gRPC is
 * built in ({@link GrpcRequests}); others are found by {@code ServiceLoader} and chosen by the
 * request's {@code content-type}, once for each distinct header list ({@link RequestProtocols}).
 *
 * <pre>
 *   header list ──read──► RequestHead.Call        content ──deframer──► messages
 *   ResponsePart ──write──► ResponseWriter        message ──frame──► content
 * </pre>
 *
 * <p>Stateless and safe for all threads: header lists and content are read, and responses written,
 * on the loops of connections, where nothing may block; messages are framed on threads of handlers.
 * What a peer sends must never throw out of here.
 */
public interface RequestProtocol {
  /**
   * Whether requests of that content-type are its own. Never asked for what says gRPC.
   *
   * @param contentType as it came; empty where there was none
   */
  boolean speaks(String contentType);

  /** Reads the header list of a request whose content-type it speaks. */
  RequestHead read(HeaderList fields);

  /** Whether it can carry calls of methods of that type; others end with UNIMPLEMENTED. */
  boolean carries(MethodType type);

  /**
   * Puts together the messages of one request.
   *
   * @param encoding what compressed messages are compressed with
   * @param maxMessageBytes how long a message may be as it comes
   * @param arrays what parts of messages are held in
   */
  Deframer deframer(MessageEncoding encoding, int maxMessageBytes, ArraySource arrays);

  /**
   * A message as it travels, in a heap buffer from position 0 to limit whose array is the caller's.
   *
   * @param encoding what this message is compressed with
   * @throws IllegalStateException if the marshaller breaks a rule of {@link
   *     dev.gannet.api.MessageSink}
   */
  <T> ByteBuffer frame(
      Marshaller<T> marshaller, T message, MessageEncoding encoding, ArraySource arrays);

  /**
   * How long a message that {@link #frame} made is as it travels, in bytes, without what frames it.
   * For tracers.
   */
  default int wireBytes(ByteBuffer frame) {
    return frame.limit();
  }

  /**
   * How long such a message is before compression, in bytes. For tracers.
   *
   * @param encoding what compressed messages of the response are compressed with
   */
  default int messageBytes(ByteBuffer frame, MessageEncoding encoding) {
    return frame.limit();
  }

  /**
   * Writes what a handler has said up to a flush. The response to a method with a single response
   * message comes as one part, so its headers may depend on its status.
   */
  void write(ResponsePart part, ResponseWriter to);

  /**
   * Writes the end of a response whose handler did not give it: of a late or refused call, say.
   * Where the response has begun and can have no such end any more, writes nothing, and its stream
   * is reset.
   */
  void end(Status status, Metadata trailers, ResponseWriter to);

  /** Answers a request that is no call; as plain text, unless the protocol has its own way. */
  default void reject(int httpStatus, Status status, ResponseWriter to) {
    byte[] text = status.description().orElse("").getBytes(StandardCharsets.UTF_8);
    to.headers(ResponseFields.plain(httpStatus, status), HeaderList.EMPTY, EndStream.NO);
    to.data(ByteBuffer.wrap(text), EndStream.YES);
  }
}
