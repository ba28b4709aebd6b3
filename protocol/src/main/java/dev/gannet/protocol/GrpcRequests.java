package dev.gannet.protocol;

import dev.gannet.api.Marshaller;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.hpack.HeaderList;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** gRPC's requests and responses (PROTOCOL-HTTP2). */
public enum GrpcRequests implements RequestProtocol {
  /** The only instance. */
  GRPC;

  @Override
  public boolean speaks(HeaderList fields) {
    return ContentType.isGrpc(RequestProtocols.contentType(fields));
  }

  @Override
  public RequestHead read(HeaderList fields) {
    return RequestHeadReader.read(fields, this, RequestSyntax.GRPC);
  }

  @Override
  public boolean carries(MethodType type) {
    return true;
  }

  @Override
  public Deframer deframer(MessageEncoding encoding, int maxMessageBytes, ArraySource arrays) {
    return new MessageDeframer(
        encoding, maxMessageBytes, MessageSizeLimit.OF_RECEIVED_REQUESTS, arrays);
  }

  @Override
  public <T> ByteBuffer frame(
      Marshaller<T> marshaller, T message, MessageEncoding encoding, ArraySource arrays) {
    return MessageFrame.compressed(MessageFrame.frame(marshaller, message, arrays), encoding);
  }

  @Override
  public int wireBytes(ByteBuffer frame) {
    return MessageFrame.wireBytes(frame);
  }

  @Override
  public int messageBytes(ByteBuffer frame, MessageEncoding encoding) {
    return MessageFrame.messageBytes(frame, encoding);
  }

  @Override
  public void write(ResponsePart part, ResponseWriter writer) {
    Status status = part.status();
    Metadata headers = part.headers();
    ByteBuffer message = part.message();
    boolean empty = headers == null && message == null;
    if (!writer.hasBegun() && !(empty && status != null)) {
      begin(part.encoding(), headers, writer);
    }
    if (message != null) {
      writer.data(message, EndStream.NO);
    }
    if (status != null) {
      end(status, part.trailers(), writer);
    }
  }

  private static void begin(
      MessageEncoding encoding, @Nullable Metadata headers, ResponseWriter writer) {
    HeaderList own = headers == null ? HeaderList.EMPTY : ResponseFields.own(headers);
    writer.headers(writer.encodings().responseHeaders(encoding), own, EndStream.NO);
  }

  /** Trailers, or headers that end the response (Trailers-Only). */
  @Override
  public void end(Status status, Metadata trailers, ResponseWriter writer) {
    HeaderList fields = ResponseFields.trailers(status, trailers);
    if (writer.hasBegun()) {
      writer.trailers(fields);
    } else {
      writer.headers(
          writer.encodings().responseHeaders(MessageEncoding.IDENTITY), fields, EndStream.YES);
    }
  }
}
