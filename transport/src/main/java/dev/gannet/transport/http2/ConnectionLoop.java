package dev.gannet.transport.http2;

import dev.gannet.api.engine.EventLoopThread;
import dev.gannet.api.engine.WakeUps;
import dev.gannet.http2.PingPolicy;
import dev.gannet.http2.Role;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.Violation;
import dev.gannet.http2.connection.ConnectionListener;
import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.transport.memory.MemoryLimiter;
import dev.gannet.transport.pipe.LoopPauses;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.settings.ConnectionLimits;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Drives one HTTP/2 connection on one pipe, for clients and servers: creates the parts of the
 * connection, and calls each of them when it is its turn.
 *
 * <p>Work comes in batches: bytes that arrived in one pass, or mail from other threads. At the end
 * of a batch, all touched calls are woken once, all write commands are processed, and there is one
 * flush. Confined to the pipe's loop.
 */
final class ConnectionLoop {
  /** What was queued is flushed after this many rounds, even if more is queued all the time. */
  private static final int MAX_ROUNDS = 16;

  private final Pipe pipe;
  private final Outlet outlet;
  private final ConnectionListener events;
  private final Http2Connection connection;
  private final PingPolicy keepalive;
  private final LoopPass pass;
  private final LoopMailbox mailbox;
  private final DeadlineHeap deadlines = new DeadlineHeap();
  private final TouchedCalls touched = new TouchedCalls();
  private final PendingInput backlog = new PendingInput();
  private final CatchUp catchUp;
  private final OpenCalls openCalls;
  private final ConnectionClosing closing;
  private final MemoryPressure pressure;
  private final SendReadiness readiness;
  private final ConnectionParts parts;
  private final Runnable onNextPass = this::readOn;
  private long batchEndNanos;
  private boolean nextPassAsked;

  /**
   * Creates a loop that has not started yet.
   *
   * @param shed closes the connection because memory is short, with the reason; called on the loop
   */
  ConnectionLoop(
      Role role,
      ConnectionLimits limits,
      Pipe pipe,
      ConnectionListener events,
      Consumer<String> shed) {
    this.pipe = pipe;
    this.outlet = new Outlet(pipe);
    this.events = events;
    this.connection = new Http2Connection(role, limits.http2(), outlet, events, pipe.openedNanos());
    this.keepalive = limits.http2().timeouts().keepalive();
    this.pass = new LoopPass(pipe);
    this.mailbox = new LoopMailbox(pipe, pass, this::endBatch);
    this.catchUp = new CatchUp(pipe.pauses(pipe.openedNanos()));
    this.openCalls = new OpenCalls(connection);
    this.closing = new ConnectionClosing(connection, pipe);
    CallMemory calls = new CallMemory();
    this.pressure = new MemoryPressure(limits.memory(), connection, calls);
    SendQuota sendQuota = new SendQuota(limits.memory());
    this.readiness = new SendReadiness(sendQuota, connection);
    ReceivingParts receiving = receiving(limits, calls, sendQuota, new OnShort(mailbox, shed));
    this.parts =
        new ConnectionParts(
            pipe.info(),
            connection,
            mailbox,
            pass,
            deadlines,
            touched,
            receiving.memory(),
            calls,
            sendQuota,
            receiving);
  }

  /**
   * The connection joins its memory budget last: if a later step failed, nobody would remove it
   * from the budget.
   */
  private ReceivingParts receiving(
      ConnectionLimits limits, CallMemory calls, SendQuota sendQuota, MemoryLimiter.Member member) {
    MemoryLimiter budget = limits.memory();
    LoopParsing parsing = new LoopParsing(pass);
    WorkShare work = new WorkShare(limits.work().orElseGet(pipe::work), pipe, mailbox, deadlines);
    ReceiveAccounting held =
        new ReceiveAccounting(pipe, connection, openCalls, deadlines, catchUp, pressure);
    MessageReadings readings = new MessageReadings(limits.maxDecompressionRatio(), budget, work);
    MemoryLimiter.Share share = budget.join(pipe.info().remoteAddress(), pipe.nanoTime(), member);
    ConnectionMemory memory = new ConnectionMemory(share, pipe, connection, held, sendQuota, calls);
    return new ReceivingParts(mailbox, connection, held, memory, calls, work, parsing, readings);
  }

  /** What the connection does while memory is short. On any thread, by mail. */
  private record OnShort(LoopMailbox mailbox, Consumer<String> shed)
      implements MemoryLimiter.Member {
    @Override
    public void onShed(String why) {
      mailbox.post(new StreamMail(() -> shed.accept(why)));
    }

    /** Has the connection check its calls, because nothing else may happen on it. */
    @Override
    public void onScarce() {
      mailbox.post(new StreamMail(() -> {}));
    }
  }

  /** What the calls of the connection work with. */
  ConnectionParts parts() {
    return parts;
  }

  OpenCalls openCalls() {
    return openCalls;
  }

  ConnectionClosing closing() {
    return closing;
  }

  /** Starts the connection: sends this side's preface. */
  void start() {
    try {
      if (keepalive.isOn()) {
        pipe.acknowledgedWithin(keepalive.answerNanos());
      }
      connection.start();
      endBatch();
    } catch (RuntimeException | Error e) {
      memory().leave(); // a connection that has not started is not ended by anyone else
      throw e;
    }
  }

  /** What the peer has sent below HTTP/2 fails the connection, unless it is closing already. */
  void failByWire(Violation violation) {
    if (closing.sendGoAway(violation.code(), violation.detail())) {
      events.onFailed(violation);
    }
  }

  void receive(ByteBuffer bytes) {
    long nowNanos = pipe.nanoTime();
    if (!pass.isInBatch()) {
      pass.begin(nowNanos);
    }
    notePauses(nowNanos);
    catchUp.onRead();
    if (backlog.isEmpty()) {
      parse(bytes, nowNanos);
    }
    if (bytes.hasRemaining()) {
      backlog.add(bytes);
      pipe.setReading(false);
    }
  }

  /**
   * Parses as much as other connections can wait for: to end a pass costs a few microseconds, so
   * that one of many small frames had better go on than be cut into pieces.
   */
  private void parse(ByteBuffer bytes, long nowNanos) {
    connection.receive(bytes, nowNanos);
    while (bytes.hasRemaining() && pass.isShort() && connection.tryExtendPass()) {
      connection.receive(bytes, nowNanos);
    }
  }

  /**
   * What arrived in a pause of the loop may have arrived at any time in the pause; rate limits must
   * take that into account.
   */
  private void notePauses(long nowNanos) {
    LoopPauses pauses = pipe.pauses(nowNanos);
    if (!catchUp.hasSeen(pauses)) {
      long pausedNanos = catchUp.recordPauses(pauses, nowNanos);
      connection.onPause(pausedNanos, pauses.backlogNanos(nowNanos), nowNanos);
    }
  }

  /** The pass after one that left bytes unparsed. */
  private void readOn() {
    nextPassAsked = false;
    long nowNanos = pipe.nanoTime();
    pass.begin(nowNanos);
    notePauses(nowNanos);
    parse(backlog.bytes(), nowNanos);
    backlog.trim();
    endBatch();
    if (backlog.isEmpty()) {
      pipe.setReading(true);
    }
  }

  /** The pipe is closed, and all calls have ended. */
  void endLastBatch() {
    parts.receiving().work().leave();
    @Nullable Throwable failure = null;
    do { // the loop may accept no more tasks
      try {
        endBatch();
      } catch (Throwable e) {
        failure = e;
      }
    } while (isMoreToDo());
    memory().leave();
    CleanupSteps.rethrow(failure);
  }

  /** The pipe is closed: what is written from now on is dropped. */
  void shutOutlet() {
    outlet.shut();
  }

  /** The pipe is closed: unparsed requests would ask for answers that cannot be sent. */
  void dropUnread() {
    pass.enter();
    backlog.drop();
  }

  /** The pipe is closed: what arrived before that counts, however much it is. */
  void receiveLast() {
    pass.enter();
    if (!backlog.isEmpty()) {
      connection.receiveLast(backlog.bytes(), pipe.nanoTime());
    }
  }

  void wake() {
    pass.enter();
    long nowNanos = pipe.nanoTime();
    notePauses(nowNanos);
    if (!catchUp.updateReading(!backlog.isEmpty() && !connection.checkBlocked(), nowNanos)) {
      if (closing.isOpen()) {
        connection.onTime(nowNanos);
      }
      deadlines.expire(nowNanos);
    }
    endBatch();
  }

  /**
   * Processes write commands and wakes calls until there is no more of either, then flushes once.
   * If commands come faster than they are processed, the rest is left to another batch.
   */
  void endBatch() {
    pass.enter();
    int rounds = 0;
    do {
      mailbox.openAll();
      wakeCalls();
      connection.flush();
      settle();
    } while (isMoreToDo() && ++rounds < MAX_ROUNDS);
    pipe.flush();
    batchEndNanos = pipe.nanoTime();
    memory().report(backlog.heldBytes(), batchEndNanos);
    askForWake();
    pass.end();
    if (isMoreToDo()) { // or the memory report has closed this connection
      mailbox.wakeLoop();
    }
    if (!backlog.isEmpty() && !nextPassAsked && !connection.checkBlocked()) {
      nextPassAsked = true;
      pipe.executeInTurn(onNextPass);
    }
  }

  /**
   * Ends a pass whose news may start calls on other connections of this loop. Once such calls have
   * been started on this one, it delivers its news, and leaves the rest of the batch until the loop
   * has read from all its connections. So each of them sends what came of all these passes with one
   * flush.
   */
  void endRead() {
    if (!mailbox.isFedByNeighbours()) {
      endBatch();
      return;
    }
    pass.enter();
    wakeCalls();
    try {
      mailbox.wakeLoop();
    } catch (RejectedExecutionException e) {
      endBatch(); // the loop will run nothing more
    }
  }

  /** Delivers the news of calls; the virtual threads that wait for them are woken together. */
  private void wakeCalls() {
    if (touched.isEmpty() || !(Thread.currentThread() instanceof EventLoopThread thread)) {
      touched.flush();
      return;
    }
    WakeUps wakeUps = thread.wakeUps();
    wakeUps.beginBatch();
    try {
      touched.flush();
    } finally {
      wakeUps.endBatch();
    }
  }

  /** Applies the consequences of what the batch has changed. */
  private void settle() {
    pressure.settle();
    parts.receiving().held().settle(memory().spreadNanos());
    readiness.settle();
  }

  private ConnectionMemory memory() {
    return parts.memory();
  }

  private boolean isMoreToDo() {
    return !touched.isEmpty() || !mailbox.isEmpty();
  }

  /**
   * Ends the batch of what arrived in one pass; returns how long that has occupied the loop, in
   * nanoseconds.
   */
  long endPass() {
    boolean received = pass.isInBatch();
    endBatch();
    return received ? batchEndNanos - pass.beganNanos() : 0;
  }

  private void askForWake() {
    long dueNanos = deadlines.earliestNanos();
    if (closing.isOpen()) {
      dueNanos = Timeouts.earlier(dueNanos, connection.nextDueNanos(batchEndNanos));
    }
    if (dueNanos != Timeouts.NEVER) {
      pipe.wakeAt(dueNanos);
    }
  }
}
