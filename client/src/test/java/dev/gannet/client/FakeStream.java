package dev.gannet.client;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.protocol.ArraySource;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageSizeLimit;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.MessageReading;
import dev.gannet.transport.NotProcessed;
import dev.gannet.transport.RetryTarget;
import dev.gannet.transport.memory.ParsingTurns;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A stream in a test's hand: keeps what it is told, and says what a server would. */
public final class FakeStream<Q> implements ClientStream<Q> {
  public final CallStart<Q, ?> start;
  public ClientCallEventListener events;
  private final MessageReading reading =
      new MessageReading(
          MessageSizeLimit.OF_RECEIVED_RESPONSES,
          100,
          100,
          ArraySource.HEAP,
          ParsingTurns.SHARED.join(),
          new NoLedger());
  public final List<String> told = new ArrayList<>();
  public final List<Status> cancellations = new ArrayList<>();
  public int consumedBytes;
  public int requests;
  public boolean ready;
  public Optional<RuntimeException> thrownBySend = Optional.empty();
  public Optional<RuntimeException> thrownByCancel = Optional.empty();

  /** Happens once, while the next message is written. */
  public Runnable duringSend = () -> {};

  private Optional<RetryTarget> target = Optional.empty();
  private boolean over;
  private boolean endedByServer;

  /** Every message is read in no time. */
  private record NoLedger() implements MessageReading.Ledger {
    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public void onSlow(long excessNanos) {
      throw new AssertionError("no time has passed");
    }
  }

  public FakeStream(CallStart<Q, ?> start, ClientCallEventListener events) {
    this.start = start;
    this.events = events;
  }

  /** Another listener gets the further events, if there are any. */
  void replaceListener(UnaryOperator<ClientCallEventListener> by) {
    if (!over) {
      events = by.apply(events);
    }
  }

  private void tell(String what) {
    told.add(what);
    target.ifPresent(to -> to.send(stream -> ((FakeStream<?>) stream).tell(what)));
  }

  @Override
  public void send(Q message, boolean compressed) {
    if (thrownBySend.isPresent()) {
      throw thrownBySend.get();
    }
    Runnable happens = duringSend;
    duringSend = () -> {};
    happens.run();
    tell(message + (compressed ? "" : " (not compressed)"));
  }

  @Override
  public void sendFramed(ByteBuffer frame) {
    throw new UnsupportedOperationException("replayed by tell");
  }

  @Override
  public void halfClose() {
    tell("half-close");
  }

  @Override
  public void flush() {
    tell("flush");
  }

  @Override
  public void cancel(Status status) {
    cancellations.add(status);
    if (thrownByCancel.isPresent()) {
      throw thrownByCancel.get();
    }
    if (target.isPresent()) {
      target.get().cancel(status);
    } else {
      over &= !endedByServer; // the server's end may wait behind unread messages; this overtakes it
      endedByServer = false;
      ends(CallEvent.Closed.atOnce(status));
    }
  }

  private void ends(CallEvent.Closed closed) {
    if (!over) {
      over = true;
      events.add(closed);
      events.flush();
    }
  }

  /** The server's own end. */
  public void endsWith(Status status) {
    endsWith(status, new Metadata());
  }

  /** The server's own end, with trailers. */
  public void endsWith(Status status, Metadata trailers) {
    endedByServer = !over;
    ends(CallEvent.Closed.received(status, trailers));
  }

  /** The connection had no free stream until now. */
  public void hasWaitedSince(long nanos) {
    events.onWaitedForStream(nanos);
  }

  /** The headers of the call are on their way. */
  public void headersAreSent() {
    events.onHeadersSent(connection(), start.authority().orElse("name"));
  }

  public void answersHeaders() {
    events.add(new CallEvent.Headers(new Metadata()));
    events.flush();
  }

  public void answers(String message) {
    events.add(CallEvent.Message.parsed(message, message.length()));
    events.flush();
  }

  /** Empty headers, a message, and the end with OK. */
  public void answersWhole(String message) {
    endedByServer = true;
    over = true;
    events.addWholeResponse(CallEvent.Message.handed(message, CallEvent.Following.MORE));
    events.flush();
  }

  /** A message that the reader decodes. */
  public void answersLate(String message, MessageEncoding encoding) {
    byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    events.add(CallEvent.Message.unparsed(buffer, bytes.length, encoding, reading));
    events.flush();
  }

  public void becomesReady() {
    ready = true;
    events.add(new CallEvent.Ready());
    events.flush();
  }

  /** Its server has not processed the call: whether there is another attempt. */
  public boolean isNotProcessed(NotProcessed how) {
    Status why = Status.UNAVAILABLE.withDescription("not processed");
    Optional<RetryTarget> next = events.onNotProcessed(how, why);
    if (next.isEmpty()) {
      ends(CallEvent.Closed.atOnce(why));
    } else {
      List.copyOf(told)
          .forEach(what -> next.get().send(stream -> ((FakeStream<?>) stream).tell(what)));
      target = next;
    }
    return next.isPresent();
  }

  @Override
  public ConnectionInfo connection() {
    return new ConnectionInfo(TestResolver.address(9), TestResolver.address(1));
  }

  @Override
  public boolean isReady() {
    return ready;
  }

  @Override
  public void consumed(int heldBytes) {
    consumedBytes += heldBytes;
  }

  @Override
  public void requested() {
    requests++;
  }
}
