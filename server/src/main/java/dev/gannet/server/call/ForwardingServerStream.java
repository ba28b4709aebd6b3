package dev.gannet.server.call;

import dev.gannet.api.Deadline;
import dev.gannet.api.Marshaller;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.ServerStream;
import java.util.Optional;

/**
 * A stream of this engine around another one, to which it forwards everything: around that of a
 * transport, or around one of its own kind. Subclasses observe a part of it, and a step of the call
 * that no transport sees: {@link #handlerStarted}.
 */
public abstract class ForwardingServerStream<R> implements ServerStream<R> {
  private final ServerStream<R> stream;

  public ForwardingServerStream(ServerStream<R> stream) {
    this.stream = stream;
  }

  @Override
  public int send(R message, MessageEncoding encoding, boolean compressed, Flush flush) {
    return stream.send(message, encoding, compressed, flush);
  }

  @Override
  public void close(Status status, Metadata trailers) {
    stream.close(status, trailers);
  }

  @Override
  public <Q> Marshaller<Q> requestMarshaller(MethodDescriptor<Q, ?> method) {
    return stream.requestMarshaller(method);
  }

  @Override
  public String authority() {
    return stream.authority();
  }

  @Override
  public Metadata headers() {
    return stream.headers();
  }

  @Override
  public Optional<Deadline> deadline() {
    return stream.deadline();
  }

  @Override
  public ConnectionInfo connection() {
    return stream.connection();
  }

  @Override
  public MessageEncodings encodings() {
    return stream.encodings();
  }

  @Override
  public boolean accepts(MessageEncoding encoding) {
    return stream.accepts(encoding);
  }

  @Override
  public void sendHeaders(Metadata headers, MessageEncoding encoding) {
    stream.sendHeaders(headers, encoding);
  }

  @Override
  public void flush() {
    stream.flush();
  }

  @Override
  public void fail(Status status, Metadata trailers) {
    stream.fail(status, trailers);
  }

  @Override
  public void cancel(Status status) {
    stream.cancel(status);
  }

  @Override
  public boolean isReady() {
    return stream.isReady();
  }

  @Override
  public boolean isOnLoop() {
    return stream.isOnLoop();
  }

  @Override
  public void runOnLoop(Runnable task) {
    stream.runOnLoop(task);
  }

  @Override
  public void consumed(int heldBytes) {
    stream.consumed(heldBytes);
  }

  @Override
  public void requested() {
    stream.requested();
  }

  /** The handler of the call starts; on its thread. */
  public void handlerStarted() {
    handlerStarted(stream);
  }

  /** Notifies the streams around that of the transport. */
  static void handlerStarted(ServerStream<?> stream) {
    if (stream instanceof ForwardingServerStream<?> around) {
      around.handlerStarted();
    }
  }

  @Override
  public void handlerEnded() {
    stream.handlerEnded();
  }
}
