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
  private List<Runnable> commands = new ArrayList<>();
  private boolean headersSent;

  DirectServerStream(DirectCall<?, ?> call, Optional<Deadline> deadline) {
    this.call = call;
    this.deadline = deadline;
  }

  @Override
  public String authority() {
    return call.authority();
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
    return call.encodings();
  }

  @Override
  public boolean accepts(MessageEncoding encoding) {
    return encoding == MessageEncoding.IDENTITY;
  }

  @Override
  public void sendHeaders(Metadata headers, MessageEncoding encoding) {
    headersSent = true;
    Metadata sent = headers.copy();
    commands.add(() -> call.respond(sent));
  }

  @Override
  public int send(R message, MessageEncoding encoding, boolean compressed, Flush flush) {
    if (!headersSent) {
      sendHeaders(new Metadata(), encoding);
    }
    call.toClient().add();
    CallEvent.Message sent = CallEvent.Message.handed(message, CallEvent.Following.MORE);
    commands.add(() -> call.respond(sent));
    if (flush == Flush.NOW) {
      flush();
    }
    return 0;
  }

  @Override
  public void close(Status status, Metadata trailers) {
    Metadata sent = trailers.copy();
    commands.add(() -> call.close(status, sent));
    flush();
  }

  @Override
  public void flush() {
    List<Runnable> taken = commands;
    commands = new ArrayList<>();
    taken.forEach(this::execute);
  }

  @Override
  public void fail(Status status, Metadata trailers) {
    Metadata sent = trailers.copy();
    execute(() -> call.fail(status, sent));
  }

  /** Runs the command, unless the call has ended by then. */
  private void execute(Runnable command) {
    call.execute(() -> {
      if (call.isServed()) {
        command.run();
      }
    });
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
  public void runOnLoop(Runnable task) {
    if (isOnLoop()) {
      task.run();
    } else {
      call.execute(task);
    }
  }

  @Override
  public void inTurn(Runnable task) {
    call.execute(() -> {
      task.run();
      call.flushServer();
    });
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
