package dev.gannet.suites;

import dev.gannet.api.Marshaller;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.protocol.ArraySource;
import dev.gannet.protocol.Deframer;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.RequestHead;
import dev.gannet.protocol.RequestProtocol;
import dev.gannet.protocol.RequestProtocols;
import dev.gannet.protocol.ResponsePart;
import dev.gannet.protocol.ResponseWriter;
import java.nio.ByteBuffer;

/** A broken protocol: it reads requests, and never writes a response. */
public final class MuteProtocol implements RequestProtocol {
  static final String CONTENT_TYPE = "application/x-mute";
  static final String NO_CALL = "/no/call";

  private final OneMessageProtocol reading = new OneMessageProtocol();

  @Override
  public boolean speaks(HeaderList fields) {
    return RequestProtocols.contentType(fields).equals(CONTENT_TYPE);
  }

  @Override
  public RequestHead read(HeaderList fields) {
    for (HeaderField field : fields) {
      if (field.name().equals(":path") && !field.value().equals(NO_CALL)) {
        return RequestHead.Call.of(this, field, "test");
      }
    }
    return new RequestHead.NotACall(this, 404, Status.NOT_FOUND);
  }

  @Override
  public boolean carries(MethodType type) {
    return reading.carries(type);
  }

  @Override
  public Deframer deframer(MessageEncoding encoding, int maxMessageBytes, ArraySource arrays) {
    return reading.deframer(encoding, maxMessageBytes, arrays);
  }

  @Override
  public <T> ByteBuffer frame(
      Marshaller<T> marshaller, T message, MessageEncoding encoding, ArraySource arrays) {
    return reading.frame(marshaller, message, encoding, arrays);
  }

  @Override
  public void write(ResponsePart part, ResponseWriter to) {}

  @Override
  public void end(Status status, Metadata trailers, ResponseWriter to) {}

  @Override
  public void answerNotACall(int httpStatus, Status status, ResponseWriter to) {}
}
