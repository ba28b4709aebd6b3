package dev.gannet.transport.http2;

import dev.gannet.api.Status;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Role;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.Violation;
import dev.gannet.http2.connection.ConnectionListener;
import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.transport.LogAllowance;
import dev.gannet.transport.PeerText;
import dev.gannet.transport.ServerCalls;
import dev.gannet.transport.ServerTransport;
import dev.gannet.transport.memory.SpareArrays;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import dev.gannet.transport.settings.ConnectionLimits;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A server's HTTP/2 connection that carries calls: passes what arrives to the request of its
 * stream, and ends all calls when the connection ends or memory is short.
 *
 * <p>{@link RequestAdmission} begins the calls, and {@link ServerDrain} implements the graceful
 * shutdown. {@link #shutdown}, {@link #shutdownNow} and {@link #onRefused} may be called by any
 * thread; everything else happens on the pipe's loop.
 */
public final class ServerConnection implements ServerTransport, PipeListener, ConnectionListener {
  private static final Logger LOG = System.getLogger(ServerConnection.class.getName());
  private static final LogAllowance GO_AWAY_LINES = new LogAllowance(System::nanoTime);
  private static final long SLOW_PASS_NANOS = Duration.ofMillis(10).toNanos();
  private static final String SHUT_DOWN = "the server is shut down";
  private static final String SHED = "too little of the server's memoryBudget is left";
  private static final Status REFUSED =
      Status.UNAVAILABLE.withDescription(
          "refused: maxConcurrentCallsPerConnection is reached, or the server is shutting down");

  private final Owner owner;
  private final ServerCalls calls;
  private final ConnectionLoop loop;
  private final ConnectionParts parts;
  private final Http2Connection http2;
  private final ConnectionFaults faults;
  private final ServerDrain drain;
  private final ServerLifetime lifetime;
  private final RequestTracing tracing;
  private final RequestAdmission admission;
  private int brokenStreamId;
  private boolean goAwayLogged;

  private ServerConnection(Pipe pipe, ConnectionLimits limits, ServerCalls calls, Owner owner) {
    this.owner = owner;
    this.calls = calls;
    this.loop = new ConnectionLoop(Role.SERVER, limits, pipe, this, this::shed);
    this.parts = loop.parts();
    this.http2 = parts.http2();
    this.faults = new ConnectionFaults(owner.faults(), parts.info().remoteAddress());
    LongSupplier clock = pipe.clock();
    this.drain =
        new ServerDrain(
            http2, parts.deadlines(), clock, loop.closing(), this::leaveAnswered, this::cutShort);
    this.tracing = new RequestTracing(calls.tracers(), pipe.info());
    this.admission = new RequestAdmission(this, calls, tracing, clock);
    this.lifetime = new ServerLifetime(limits.age(), http2, parts.deadlines(), clock, drain);
  }

  /** Creates a connection on an open pipe and sends its SETTINGS at once. On the pipe's loop. */
  public static ServerConnection over(
      Pipe pipe, ConnectionLimits limits, ServerCalls calls, Owner owner) {
    ServerConnection connection = new ServerConnection(pipe, limits, calls, owner);
    connection.lifetime.start();
    connection.loop.start();
    return connection;
  }

  MessageEncodings encodings() {
    return calls.encodings();
  }

  /** What its calls work with. */
  ConnectionParts parts() {
    return parts;
  }

  Http2Connection http2() {
    return http2;
  }

  /** Whether no more streams will start. */
  boolean isDrained() {
    return drain.isDrained();
  }

  @Override
  public void shutdown() {
    parts.mailbox().post(new StreamMail(() -> drain.begin(SHUT_DOWN, Timeouts.NEVER)));
  }

  @Override
  public void shutdownNow(Status status) {
    parts.mailbox().post(new StreamMail(() -> closeNow(status, SHUT_DOWN)));
  }

  /** Ends the calls, or closes, because memory is short and this connection wastes the most. */
  private void shed(String why) {
    boolean stays = parts.memory().tryStayWithoutCalls();
    Status cancelled = Status.CANCELLED.withDescription(SHED);
    endAllCalls(cancelled, ErrorCode.ENHANCE_YOUR_CALM); // clients see RESOURCE_EXHAUSTED
    if (stays) {
      faults.onCallsShed(why);
    } else {
      faults.onShed(why);
      loop.closing().closeSoon(ErrorCode.ENHANCE_YOUR_CALM, SHED);
    }
  }

  private void cutShort(String why) {
    closeNow(Status.UNAVAILABLE.withDescription("maxConnectionAgeGrace expired: " + why), why);
  }

  private void closeNow(Status status, String why) {
    failAllCalls(status);
    http2.flush();
    loop.closing().closeSoon(ErrorCode.NO_ERROR, why);
  }

  /** Stops a stream whose answer was written: nothing more of its request is wanted. */
  void stop(Http2Stream stream) {
    http2.reset(stream, ErrorCode.NO_ERROR);
    drain.closeIfDone();
  }

  /** The call has ended on the wire and in its handler. */
  void onCallEnded(Http2Stream stream) {
    http2.release(stream);
    lifetime.onCallGone();
    drain.closeIfDone();
  }

  /** A stream has ended for its client. A handler that still runs does not keep the connection. */
  void onStreamEnded() {
    drain.closeIfDone();
  }

  @Override
  public void onHeaders(Http2Stream stream, HeaderList headers, EndStream end) {
    ReceivedRequest request = requestOf(stream);
    if (request != null) {
      request.onEndStream(); // trailers: what else follows the first header list is malformed
    } else {
      admission.onRequest(stream, headers, end);
    }
  }

  /** Ends all calls with an answer, so that clients learn the reason and can retry elsewhere. */
  private void failAllCalls(Status status) {
    loop.openCalls().forEach(ServerCallStream.class, call -> call.failOnLoop(status));
  }

  private void endAllCalls(Status status, ErrorCode code) {
    loop.openCalls().forEach(ServerCallStream.class, call -> call.abort(status, code));
  }

  @Override
  public void onRefusedStream(@Nullable HeaderList headers) {
    if (headers == null) {
      tracing.onUnread(REFUSED);
    } else {
      tracing.onRefused(headers, REFUSED);
    }
  }

  @Override
  public void onOversizedHeaders(Http2Stream stream, EndStream end) {
    ReceivedRequest request = requestOf(stream);
    if (request != null) {
      request.onOversizedTrailers();
    } else {
      admission.onOversizedRequest(stream);
    }
  }

  @Override
  public void onData(Http2Stream stream, ByteBuffer bytes) {
    ReceivedRequest request = requestOf(stream);
    if (request != null) {
      request.onData(bytes);
    }
  }

  @Override
  public void onEndStream(Http2Stream stream) {
    ReceivedRequest request = requestOf(stream);
    if (request != null) {
      request.onEndStream();
    }
  }

  @Override
  public void onReset(Http2Stream stream, ErrorCode code) {
    ReceivedRequest request = requestOf(stream);
    if (request != null) {
      request.onReset(code);
    }
  }

  @Override
  public void onViolation(Violation.OfStream violation) {
    if (violation.streamId() != brokenStreamId) { // a malformed request, which no listener has seen
      String words = "the client violated HTTP/2: " + violation.detail();
      tracing.onUnread(Status.CANCELLED.withDescription(words));
    }
    faults.onStreamReset(violation);
  }

  @Override
  public void onBroken(Http2Stream stream, Violation.OfStream violation) {
    brokenStreamId = violation.streamId();
    ReceivedRequest request = requestOf(stream);
    if (request != null) {
      request.onBroken(violation);
    }
  }

  @Override
  public void onUnprocessed(Http2Stream stream) {
    onReset(stream, ErrorCode.REFUSED_STREAM);
  }

  @Override
  public void onBufferEmpty(Http2Stream stream, ByteBuffer data) {
    SpareArrays.SHARED.give(data);
  }

  @Override
  public void onDataSent(Http2Stream stream, int bytes) {
    ReceivedRequest request = requestOf(stream);
    if (request != null) {
      request.onSent(bytes);
    }
  }

  @Override
  public void onEndSent(Http2Stream stream) {
    ReceivedRequest request = requestOf(stream);
    if (request != null) {
      request.onEndSent();
    }
  }

  /**
   * The request that arrived on the stream; null before it has, and for one that was answered by
   * headers alone.
   */
  private static @Nullable ReceivedRequest requestOf(Http2Stream stream) {
    return stream.attachment() instanceof ReceivedRequest request ? request : null;
  }

  /**
   * A request was refused, or an answer not sent, because it would need too much memory. Any
   * thread.
   */
  void onRefused(PeerFault fault, String why) {
    faults.onStreamEnded(fault, why);
  }

  @Override
  public void onSettings() {}

  @Override
  public void onPingAck(long opaque) {
    drain.onPingAck(opaque);
  }

  private void leaveAnswered() {
    loop.openCalls().forEach(AnsweredRequest.class, AnsweredRequest::onDrain);
  }

  @Override
  public void onGoAway(int lastStreamId, ErrorCode code, String debug) {
    if (code != ErrorCode.NO_ERROR && !goAwayLogged) {
      goAwayLogged = true;
      logGoAway(code, debug);
    }
  }

  private void logGoAway(ErrorCode code, String debug) {
    GO_AWAY_LINES.write("of these", rest -> LOG.log(Level.INFO, () -> goAway(code, debug) + rest));
  }

  private String goAway(ErrorCode code, String debug) {
    return "client "
        + parts.info().remoteAddress()
        + " closes its connection (GOAWAY) with "
        + code
        + " "
        + PeerText.escaped(debug);
  }

  @Override
  public void onFailed(Violation violation) {
    faults.onFailed(violation);
    loop.closing().closeAfterFailure();
    endAllCalls(
        Status.CANCELLED.withDescription("the connection is closed: " + violation.detail()),
        ErrorCode.CANCEL);
  }

  @Override
  public void onWireFault(Violation violation) {
    loop.failByWire(violation);
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    loop.receive(bytes);
  }

  @Override
  public void onBatchEnd() {
    if (loop.endPass() >= SLOW_PASS_NANOS) {
      calls.onSlowPass();
    }
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
    loop.shutOutlet();
    loop.dropUnread();
    Status lost =
        Status.CANCELLED.withDescription(
            "connection to client " + parts.info().remoteAddress() + " lost: " + why);
    List<Runnable> steps = new ArrayList<>();
    loop.openCalls()
        .forEach(
            ServerCallStream.class, call -> steps.add(() -> call.abort(lost, ErrorCode.CANCEL)));
    steps.add(loop::endLastBatch);
    steps.add(() -> owner.onTerminated(this));
    CleanupSteps.runAll(steps);
  }
}
