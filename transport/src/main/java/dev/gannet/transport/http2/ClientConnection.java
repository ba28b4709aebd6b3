package dev.gannet.transport.http2;

import dev.gannet.api.Status;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Role;
import dev.gannet.http2.Violation;
import dev.gannet.http2.connection.ConnectionListener;
import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.protocol.RequestFields;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.NotProcessed;
import dev.gannet.transport.PeerText;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import dev.gannet.transport.settings.ConnectionLimits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A client's HTTP/2 connection that carries calls.
 *
 * <pre>
 *   STARTING ──the server's SETTINGS──► READY ──the pipe is closed──► LOST
 *      └──the pipe is closed─────────────────────────────────────────────▲
 * </pre>
 *
 * <p>In each state it may be retired (GOAWAY, shutdown, stream ids used up): new calls go
 * elsewhere, and calls that were given to it may still start. Later it refuses: no call starts any
 * more. Both happen once, with a reason, and are never undone.
 *
 * <p>Calls above the server's limit of concurrent streams wait in {@link WaitingCalls}.
 */
public final class ClientConnection implements ClientTransport, PipeListener, ConnectionListener {
  private static final String SHED = "too little of the client's memoryBudget is left";
  private static final String TOO_MANY_PINGS = "too_many_pings"; // the text that gRFC A8 specifies

  private static final Status FULL =
      Status.UNAVAILABLE.withDescription(
          "the server accepts no more calls on the connection (SETTINGS_MAX_CONCURRENT_STREAMS)");

  private enum State {
    STARTING,
    READY,
    LOST
  }

  private final Owner owner;
  private final ConnectionLoop loop;
  private final ConnectionParts parts;
  private final Http2Connection http2;
  private final LongSupplier clock;
  private final SharedRequestFields sharedFields;

  private final ConnectionFaults faults;
  private final WaitingCalls waiting;
  private long maxConcurrentStreams = Long.MAX_VALUE;
  private final Pings pings = new Pings();

  /** The code and text of the server's last GOAWAY; null if it has sent none. */
  private @Nullable String goAway;

  private State state = State.STARTING;
  private boolean opening;

  /** Why it is retired; empty if it is not. */
  private Optional<Status> retirement = Optional.empty();

  /** Why it refuses calls; empty if it does not. */
  private Optional<Status> refusal = Optional.empty();

  private ClientConnection(Pipe pipe, ConnectionLimits limits, Owner owner) {
    this.owner = owner;
    this.loop = new ConnectionLoop(Role.CLIENT, limits, pipe, this, this::shed);
    this.parts = loop.parts();
    this.http2 = parts.http2();
    this.clock = pipe.clock();
    this.faults = new ConnectionFaults(owner.faults(), parts.info().remoteAddress());
    this.waiting = new WaitingCalls(clock);
    this.sharedFields =
        new SharedRequestFields(
            owner.authority(),
            pipe.info().tls().isPresent() ? "https" : "http",
            RequestFields.userAgent(owner.applicationUserAgent()),
            owner.encodings().accept(),
            pipe::isCertifiedFor);
  }

  /** Creates a connection on an open pipe and sends its preface at once. On the pipe's loop. */
  public static ClientConnection over(Pipe pipe, ConnectionLimits limits, Owner owner) {
    ClientConnection connection = new ClientConnection(pipe, limits, owner);
    connection.loop.start();
    return connection;
  }

  @Override
  public <Q, R> ClientStream<Q> open(CallStart<Q, R> start, ClientCallEventListener events) {
    return new ClientCallStream<>(this, start, events);
  }

  @Override
  public void ping(Ping ping) {
    try {
      parts.mailbox().post(new StreamMail(() -> sendPing(ping)));
    } catch (RejectedExecutionException e) {
      ping.onFailed(Status.UNAVAILABLE.withDescription("the event loop has ended").withCause(e));
    }
  }

  private void sendPing(Ping ping) {
    if (refusal.isPresent()) {
      ping.onFailed(refusal.get());
    } else {
      http2.ping(pings.add(ping, clock.getAsLong()));
    }
  }

  @Override
  public ConnectionInfo connection() {
    return parts.info();
  }

  @Override
  public String authority() {
    return owner.authority();
  }

  MessageEncodings encodings() {
    return owner.encodings();
  }

  @Override
  public int callsWaiting() {
    return waiting.size();
  }

  /** The code and text of the server's last GOAWAY; empty if it has sent none. */
  Optional<String> goAway() {
    return Optional.ofNullable(goAway);
  }

  /** Calls with a stream come first, so that they are counted when others look for a stream. */
  @Override
  public void spreadCalls(UnaryOperator<ClientCallEventListener> listeners) {
    parts
        .mailbox()
        .post(
            new StreamMail(() -> {
              loop.openCalls().forEach(ClientCallStream.class, call -> spread(call, listeners));
              waiting.all().forEach(call -> spread(call, listeners));
            }));
  }

  /** Moves the call if it waits; it may have a stream since an earlier one has moved. */
  private void spread(
      ClientCallStream<?, ?> call, UnaryOperator<ClientCallEventListener> listeners) {
    if (!waiting.contains(call) || !call.tryMove(NotProcessed.NOT_SENT, FULL)) {
      call.replaceListener(listeners);
    }
  }

  @Override
  public void shutdown() {
    parts
        .mailbox()
        .post(
            new StreamMail(() -> {
              refuse(Status.UNAVAILABLE.withDescription("the channel is shut down"));
              closeIfDrained();
            }));
  }

  @Override
  public void shutdownNow(Status status) {
    parts
        .mailbox()
        .post(
            new StreamMail(() -> {
              refuse(status);
              endWaiting(status);
              endOpen(status, ErrorCode.CANCEL);
              loop.closing()
                  .closeSoon(
                      ErrorCode.NO_ERROR, "the client closes the connection and cancels its calls");
            }));
  }

  /** Closes the connection because memory is short and this connection wastes the most. */
  private void shed(String why) {
    Status status = Status.UNAVAILABLE.withDescription(SHED + ": " + why);
    faults.onShed(why);
    refuse(status);
    endWaiting(status);
    endOpen(status, ErrorCode.CANCEL);
    loop.closing().closeSoon(ErrorCode.ENHANCE_YOUR_CALM, SHED);
  }

  /** What its calls work with. */
  ConnectionParts parts() {
    return parts;
  }

  /** The reason why no new call can start here, if none can. */
  Optional<Status> refusal() {
    return refusal;
  }

  /** The connection's clock. Any thread. */
  LongSupplier clock() {
    return clock;
  }

  /** The calls that wait for a stream. */
  WaitingCalls waitingCalls() {
    return waiting;
  }

  /** The request fields that calls with the same method, authority and encoding share. */
  HeaderList sharedFields(CallStart<?, ?> start) {
    return sharedFields.of(start);
  }

  void onCallEnded() {
    retireIfRunningOut(); // also by calls that were cut short and have never ended their requests
    openWaiting();
    closeIfDrained();
  }

  /** A call that cannot be sent ends at once, and calls this method while it runs. */
  private void openWaiting() {
    if (opening) {
      return;
    }
    opening = true;
    try {
      while (state != State.LOST && !waiting.isEmpty() && http2.canOpenStream()) {
        waiting.takeFirst().onStreamFree();
      }
    } finally {
      opening = false;
    }
  }

  private void refuse(Status why) {
    if (refusal.isEmpty()) {
      refusal = Optional.of(why);
      retire(why);
    }
  }

  /**
   * New calls are sent elsewhere; calls that were already given to this connection may still start.
   */
  private void retire(Status why) {
    if (retirement.isEmpty()) {
      retirement = Optional.of(why);
      owner.onGoingAway(why);
    }
  }

  private void closeIfDrained() {
    if (retirement.isPresent() && http2.streamCount() == 0 && waiting.isEmpty()) {
      refuse(retirement.get());
      // From now on, what the server has not read yet does not end the connection.
      loop.closing()
          .closeSoon(ErrorCode.NO_ERROR, "the client has no calls left on this connection");
    }
  }

  private void endOpen(Status status, ErrorCode code) {
    loop.openCalls().forEach(ClientCallStream.class, call -> call.abort(status, code));
  }

  private void endWaiting(Status status) {
    waiting.takeAll().forEach(call -> call.abort(status, ErrorCode.CANCEL));
  }

  /**
   * No stream will be free for these calls here: they move to another connection, if there is one.
   */
  private void moveWaiting(Status why) {
    waiting.takeAll().forEach(call -> call.moveElsewhere(NotProcessed.NOT_SENT, why));
  }

  private void moveOne(ClientCallStream<?, ?> call, Status why) {
    waiting.remove(call);
    call.moveElsewhere(NotProcessed.NOT_SENT, why);
  }

  private static ClientCallStream<?, ?> callOf(Http2Stream stream) {
    return (ClientCallStream<?, ?>) stream.attachment();
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    loop.receive(bytes);
  }

  @Override
  public void onBatchEnd() {
    loop.endRead();
  }

  @Override
  public void onWritable() {
    loop.endBatch();
  }

  @Override
  public void onWake() {
    loop.wake();
  }

  @Override
  public void onClosed(String why) {
    String lost = state == State.READY ? lost(why) : why + silence();
    state = State.LOST;
    loop.shutOutlet();
    CleanupSteps.runAll(
        List.of(
            loop::receiveLast,
            () -> endLost(Status.UNAVAILABLE.withDescription(lost)),
            loop::endLastBatch,
            () -> owner.onTerminated(refusal.orElse(Status.UNAVAILABLE.withDescription(why)))));
  }

  /**
   * The texts of the server's GOAWAY and of the lost connection together explain the failure best.
   */
  private void endLost(Status status) {
    Status failure =
        refusal
            .flatMap(Status::description)
            .map(said -> status.withDescription(said + "; " + status.description().orElse("")))
            .orElse(status);
    List<Runnable> steps = new ArrayList<>();
    steps.add(() -> refuse(status));
    steps.add(() -> pings.failAll(failure));
    waiting.all().forEach(call -> steps.add(() -> moveOne(call, status)));
    loop.openCalls().forEach(ClientCallStream.class, call -> steps.add(() -> call.onLost(failure)));
    CleanupSteps.runAll(steps);
  }

  private String lost(String why) {
    return "connection to " + parts.info().remoteAddress() + " lost: " + why;
  }

  /** A server that expects TLS closes a plaintext connection without sending anything. */
  private String silence() {
    return parts.info().tls().isPresent()
        ? " (before the server sent anything)"
        : " before the server sent anything; does it expect TLS? (So does one with too many"
            + " connections.)";
  }

  @Override
  public void onHeaders(Http2Stream stream, HeaderList headers, EndStream end) {
    callOf(stream).onHeaders(headers, end);
  }

  @Override
  public void onOversizedHeaders(Http2Stream stream, EndStream end) {
    callOf(stream).onOversizedHeaders();
  }

  @Override
  public void onData(Http2Stream stream, ByteBuffer bytes) {
    callOf(stream).onData(bytes);
  }

  @Override
  public void onEndStream(Http2Stream stream) {
    callOf(stream).onEndStream();
  }

  @Override
  public void onReset(Http2Stream stream, ErrorCode code) {
    callOf(stream).onReset(code);
  }

  @Override
  public void onViolation(Violation.OfStream violation) {
    faults.onStreamReset(violation);
  }

  @Override
  public void onBroken(Http2Stream stream, Violation.OfStream violation) {
    callOf(stream).onBroken(violation);
  }

  @Override
  public void onUnprocessed(Http2Stream stream) {
    callOf(stream)
        .moveElsewhere(
            NotProcessed.REFUSED,
            Status.UNAVAILABLE.withDescription(
                "the server closed the connection before it processed the call"));
  }

  @Override
  public void onBufferEmpty(Http2Stream stream, ByteBuffer data) {
    callOf(stream).onBufferEmpty(data);
  }

  @Override
  public void onDataSent(Http2Stream stream, int bytes) {
    callOf(stream).onSent(bytes);
  }

  @Override
  public void onEndSent(Http2Stream stream) {
    retireIfRunningOut();
  }

  private void retireIfRunningOut() {
    if (http2.isRunningOut()) {
      Status why = Status.UNAVAILABLE.withDescription("the connection has used up its stream ids");
      retire(why);
      if (http2.isExhausted()) {
        refuse(why);
        moveWaiting(why);
      }
    }
  }

  @Override
  public void onSettings() {
    long most = http2.peerMaxConcurrentStreams();
    if (most != maxConcurrentStreams) {
      maxConcurrentStreams = most;
      owner.onMaxConcurrentStreams(most);
    }
    if (state == State.STARTING) {
      state = State.READY;
      owner.onReady();
    }
    openWaiting();
  }

  @Override
  public void onPingAck(long opaque) {
    pings.onAnswer(opaque, clock.getAsLong());
  }

  @Override
  public void onGoAway(int lastStreamId, ErrorCode code, String debug) {
    String words = code == ErrorCode.NO_ERROR ? "" : " with " + code;
    String text = debug.isEmpty() ? "" : ": " + PeerText.escaped(debug);
    goAway = code + text;
    Status why =
        Status.UNAVAILABLE.withDescription(
            "the server closes the connection (GOAWAY)" + words + text);
    if (code == ErrorCode.ENHANCE_YOUR_CALM && debug.equals(TOO_MANY_PINGS)) {
      owner.onTooManyPings();
    }
    refuse(why);
    moveWaiting(why);
    closeIfDrained();
  }

  @Override
  public void onFailed(Violation violation) {
    Status status = statusOf(violation);
    faults.onFailed(violation);
    Status toCome = Status.UNAVAILABLE.withDescription(status.description().orElse(""));
    refuse(toCome);
    moveWaiting(toCome);
    endOpen(status, ErrorCode.CANCEL);
    loop.closing().closeAfterFailure();
  }

  @Override
  public void onWireFault(Violation violation) {
    loop.failByWire(violation);
  }

  private static Status statusOf(Violation violation) {
    return switch (violation) {
      case Violation.OutOfTime late -> Status.UNAVAILABLE.withDescription(late.detail());
      case Violation.OfStream broken -> brokenHttp2(broken);
      case Violation.OfConnection broken -> brokenHttp2(broken);
      case Violation.OverRate broken -> brokenHttp2(broken);
      case Violation.OverLimit broken -> brokenHttp2(broken);
    };
  }

  private static Status brokenHttp2(Violation violation) {
    return Status.INTERNAL.withDescription("the server violated HTTP/2: " + violation.detail());
  }
}
