package dev.gannet.suites;

import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.ServerStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The server's end of a {@link DirectCall}. */
final class DirectServerStream<R> implements ServerStream<R> {
  private final DirectCall<?, ?> call;
  private final Optional<Deadline> deadline;
  private List<Runnable> orders = new ArrayList<>();
  private boolean headersSent;

  DirectServerStream(DirectCall<?, ?> call, Optional<Deadline> deadline) {
    this.call = call;
    this.deadline = deadline;
  }

  @Override
  public String authority() {
    return call.start().authority();
  }

  @Override
  public Metadata headers() {
    return call.start().headers().copy();
  }

  @Override
  public Optional<Deadline> deadline() {
    return deadline;
  }

  @Override
  public ConnectionInfo connection() {
    return call.info();
  }

  @Override
  public MessageEncodings encodings() {
    return MessageEncodings.DEFAULT;
  }

  @Override
  public boolean accepts(MessageEncoding encoding) {
    return encoding == MessageEncoding.IDENTITY;
  }

  @Override
  public void sendHeaders(Metadata headers, MessageEncoding encoding) {
    headersSent = true;
    CallEvent event = new CallEvent.Headers(headers.copy());
    orders.add(() -> call.tellClient(event));
  }

  @Override
  public int send(R message, MessageEncoding encoding, boolean compressed, Flush flush) {
    if (!headersSent) {
      sendHeaders(new Metadata(), encoding);
    }
    call.toClient().add();
    CallEvent event = CallEvent.Message.parsed(message, 1);
    orders.add(() -> call.tellClient(event));
    if (flush == Flush.NOW) {
      flush();
    }
    return 0;
  }

  @Override
  public void close(Status status, Metadata trailers) {
    Metadata sent = trailers.copy();
    orders.add(() -> end(Status.OK, status, sent));
    flush();
  }

  @Override
  public void flush() {
    List<Runnable> taken = orders;
    orders = new ArrayList<>();
    taken.forEach(order -> call.execute(() -> obey(order)));
  }

  private void obey(Runnable order) {
    if (call.isServed()) {
      order.run();
    }
  }

  @Override
  public void fail(Status status, Metadata trailers) {
    call.execute(() -> end(status, status, trailers));
  }

  private void end(Status toldHere, Status toldClient, Metadata trailers) {
    if (call.isServed()) {
      call.answer(toldClient, trailers);
      call.endServer(toldHere);
    }
  }

  @Override
  public void cancel(Status status) {
    call.execute(() -> call.endBoth(status));
  }

  @Override
  public boolean isReady() {
    return call.isServed() && call.toClient().isShort();
  }

  @Override
  public boolean isOnLoop() {
    return call.isOnLoop();
  }

  @Override
  public void consumed(int heldBytes) {
    call.execute(call.toServer()::take);
  }

  @Override
  public void requested() {}

  @Override
  public void handlerEnded() {}
}
