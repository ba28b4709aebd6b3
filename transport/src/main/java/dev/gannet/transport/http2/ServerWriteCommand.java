package dev.gannet.transport.http2;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.ResponsePart;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a server's call sends at one flush: headers, a message, its end; a complete unary response
 * in one. Filled on the handler's thread, processed on the loop.
 */
final class ServerWriteCommand extends Mail implements ResponsePart {
  private final ServerCallStream<?> call;
  private final MessageEncoding encoding;
  private @Nullable Metadata headers;
  private @Nullable ByteBuffer message;
  private @Nullable Status status;
  private @Nullable Metadata trailers;

  ServerWriteCommand(ServerCallStream<?> call, MessageEncoding encoding) {
    this.call = call;
    this.encoding = encoding;
  }

  @Override
  public MessageEncoding encoding() {
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

  @Override
  public @Nullable Metadata headers() {
    return headers;
  }

  @Override
  public @Nullable ByteBuffer message() {
    return message;
  }

  @Override
  public @Nullable Status status() {
    return status;
  }

  @Override
  public Metadata trailers() {
    return trailers == null ? new Metadata() : trailers;
  }

  @Override
  void open() {
    call.onWriteCommand(this);
  }
}
