package dev.gannet.transport.http2;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.Mail;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a server's call has to say at one flush: headers, a message, its end; a whole unary response
 * in one. Filled on the handler's thread, opened on the loop.
 */
final class ServerParcel extends Mail {
  private final ServerCallStream<?> call;
  private final MessageEncoding encoding;
  private @Nullable Metadata headers;
  private @Nullable ByteBuffer message;
  private @Nullable Status status;
  private @Nullable Metadata trailers;

  ServerParcel(ServerCallStream<?> call, MessageEncoding encoding) {
    this.call = call;
    this.encoding = encoding;
  }

  /** The encoding that the response's headers name. */
  MessageEncoding encoding() {
    return encoding;
  }

  void headers(Metadata headers) {
    this.headers = headers;
  }

  void message(ByteBuffer frame) {
    message = frame;
  }

  void end(Status status, Metadata trailers) {
    this.status = status;
    this.trailers = trailers;
  }

  /** Headers that the handler asked for. */
  @Nullable Metadata headers() {
    return headers;
  }

  /** The message, framed, if there is one. */
  @Nullable ByteBuffer message() {
    return message;
  }

  /** How the call ends, if it ends with this parcel. */
  @Nullable Status status() {
    return status;
  }

  Metadata trailers() {
    return trailers == null ? new Metadata() : trailers;
  }

  @Override
  protected void open() {
    call.onParcel(this);
  }
}
