package dev.gannet.suites;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.gannet.api.Marshaller;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.protocol.ArraySource;
import dev.gannet.protocol.Deframer;
import dev.gannet.protocol.GrpcRequests;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.RequestHead;
import dev.gannet.protocol.RequestHeadReader;
import dev.gannet.protocol.RequestProtocol;
import dev.gannet.protocol.RequestProtocols;
import dev.gannet.protocol.ResponsePart;
import dev.gannet.protocol.ResponseWriter;
import java.nio.ByteBuffer;

/**
 * A protocol like gRPC-Web: the status stands in the last part of the content, so headers never end
 * a response, and there are no trailers.
 */
public final class ContentEndProtocol implements RequestProtocol {
  static final String CONTENT_TYPE = "application/x-content-end";
  static final String TIMEOUT = OneMessageProtocol.TIMEOUT;
  static final String END = "end:"; // before the name of the status

  private static final HeaderList SHARED =
      HeaderList.of(HeaderField.of(":status", "200"), HeaderField.of("content-type", CONTENT_TYPE));

  @Override
  public boolean speaks(HeaderList fields) {
    return RequestProtocols.contentType(fields).equals(CONTENT_TYPE);
  }

  @Override
  public RequestHead read(HeaderList fields) {
    return RequestHeadReader.read(fields, this, OneMessageProtocol.SYNTAX);
  }

  @Override
  public boolean carries(MethodType type) {
    return true;
  }

  @Override
  public Deframer deframer(MessageEncoding encoding, int maxMessageBytes, ArraySource arrays) {
    return GrpcRequests.GRPC.deframer(encoding, maxMessageBytes, arrays);
  }

  @Override
  public <T> ByteBuffer frame(
      Marshaller<T> marshaller, T message, MessageEncoding encoding, ArraySource arrays) {
    return GrpcRequests.GRPC.frame(marshaller, message, encoding, arrays);
  }

  @Override
  public void write(ResponsePart part, ResponseWriter to) {
    begin(to);
    ByteBuffer message = part.message();
    if (message != null) {
      to.data(message, EndStream.NO);
    }
    Status status = part.status();
    if (status != null) {
      end(status, part.trailers(), to);
    }
  }

  @Override
  public void end(Status status, Metadata trailers, ResponseWriter to) {
    begin(to);
    to.data(ByteBuffer.wrap((END + status.code()).getBytes(US_ASCII)), EndStream.YES);
  }

  private static void begin(ResponseWriter to) {
    if (!to.hasBegun()) {
      to.headers(SHARED, HeaderList.EMPTY, EndStream.NO);
    }
  }

  @Override
  public void answerNotACall(int httpStatus, Status status, ResponseWriter to) {
    end(status, new Metadata(), to);
  }
}
