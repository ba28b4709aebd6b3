package dev.gannet.server.call;

import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.ServerStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A call's stream in a test's hand: it keeps what the engine says, and answers as it is told. */
public final class FakeServerStream implements ServerStream<String> {
  private static final SocketAddress PEER = InetSocketAddress.createUnresolved("client", 1);

  public final List<String> told = new ArrayList<>();
  public final Metadata headers = new Metadata();
  public Optional<Deadline> deadline = Optional.empty();
  public Metadata trailers = new Metadata();
  public Optional<RuntimeException> thrownBySend = Optional.empty();
  public Optional<Error> errorOfSend = Optional.empty();
  public Optional<RuntimeException> thrownByClose = Optional.empty();
  public Optional<RuntimeException> thrownByFail = Optional.empty();
  public boolean onLoop;

  /** What the loop has been asked to run. */
  public final List<Runnable> forLoop = new ArrayList<>();

  public boolean ready = true;
  public boolean readsGzip;
  public int consumedBytes;
  public int requests;
  public int handlersEnded;

  @Override
  public String authority() {
    return "server";
  }

  @Override
  public Metadata headers() {
    return headers;
  }

  @Override
  public Optional<Deadline> deadline() {
    return deadline;
  }

  @Override
  public ConnectionInfo connection() {
    return new ConnectionInfo(PEER, PEER);
  }

  @Override
  public MessageEncodings encodings() {
    return MessageEncodings.DEFAULT;
  }

  @Override
  public boolean accepts(MessageEncoding encoding) {
    return readsGzip;
  }

  @Override
  public void sendHeaders(Metadata headers, MessageEncoding encoding) {
    told.add("headers" + (encoding == MessageEncoding.IDENTITY ? "" : " " + encoding));
  }

  @Override
  public int send(String message, MessageEncoding encoding, boolean compressed, Flush flush) {
    if (errorOfSend.isPresent()) {
      throw errorOfSend.get();
    }
    if (thrownBySend.isPresent()) {
      throw thrownBySend.get();
    }
    told.add(message + (compressed ? " in " + encoding : ""));
    if (flush == Flush.NOW) {
      flush();
    }
    return message.length();
  }

  @Override
  public void close(Status status, Metadata trailers) {
    if (thrownByClose.isPresent()) {
      throw thrownByClose.get();
    }
    this.trailers = trailers;
    told.add("close " + status + (trailers.isEmpty() ? "" : " " + trailers.toStringWithValues()));
  }

  @Override
  public void flush() {
    told.add("flush");
  }

  @Override
  public void fail(Status status, Metadata trailers) {
    if (thrownByFail.isPresent()) {
      throw thrownByFail.get();
    }
    told.add("fail " + status + (trailers.isEmpty() ? "" : " " + trailers.toStringWithValues()));
  }

  @Override
  public void cancel(Status status) {
    told.add("cancel " + status);
  }

  @Override
  public boolean isReady() {
    return ready;
  }

  @Override
  public boolean isOnLoop() {
    return onLoop;
  }

  @Override
  public void runOnLoop(Runnable task) {
    if (onLoop) {
      task.run();
    } else {
      forLoop.add(task);
    }
  }

  @Override
  public void inTurn(Runnable task) {
    forLoop.add(task);
  }

  @Override
  public void consumed(int heldBytes) {
    consumedBytes += heldBytes;
  }

  @Override
  public void requested() {
    requests++;
  }

  @Override
  public void handlerEnded() {
    handlersEnded++;
  }
}
