package dev.gannet.transport.http2;

import dev.gannet.api.Status;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.PingPolicy;
import dev.gannet.http2.Role;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.connection.ConnectionListener;
import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.protocol.MessageSizeLimit;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.Mail;
import dev.gannet.transport.Mailbox;
import dev.gannet.transport.MessageReading;
import dev.gannet.transport.memory.InflatedArrays;
import dev.gannet.transport.memory.ParsingTurns;
import dev.gannet.transport.pipe.LoopPauses;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.settings.ConnectionLimits;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connects one HTTP/2 connection with one pipe: the part that client and server have in common.
 *
 * <p>Work comes in batches: bytes that arrived in one pass, or mail from other threads. At the end
 * of a batch, all touched calls are woken once, all write commands are processed, and there is one
 * flush. Confined to the pipe's loop, except {@link #post}.
 */
final class ConnectionLoop {
  private static final Logger LOG = System.getLogger(ConnectionLoop.class.getName());

  /** After parsing this many bytes, the loop checks how long that took. */
  private static final int CHECK_BYTES = 32 << 10;

  /** A pass that has taken this long parses nothing more itself. */
  private static final long LONG_PASS_NANOS = Duration.ofMillis(1).toNanos();

  /** What was queued is flushed after this many rounds, even if more is queued all the time. */
  private static final int MAX_ROUNDS = 16;

  private final Pipe pipe;
  private final Outlet outlet;
  private final Http2Connection connection;
  private final PingPolicy keepalive;
  private final MessageSizeLimit sizeLimit;
  private final int maxDecompressionRatio;
  private final WorkShare work;
  private final InflatedArrays inflatedArrays;
  private final ParsingTurns.Party parsing = ParsingTurns.SHARED.join();
  private final Mailbox mailbox = new Mailbox();
  private final DeadlineHeap deadlines = new DeadlineHeap();
  private final PendingInput backlog = new PendingInput();
  private final CatchUp catchUp;
  private final ConnectionMemory memory;
  private final Runnable onMail = this::endBatch;
  private final Runnable onNextPass = this::readOn;
  private ArrayList<CallStream<?, ?>> touched = new ArrayList<>();
  private ArrayList<CallStream<?, ?>> flushing = new ArrayList<>();
  private boolean inBatch;
  private long passBeganNanos;
  private long batchEndNanos;
  private int parsedBytes;
  private boolean passIsLong;
  private volatile boolean unwoken;
  private boolean nextPassAsked;
  private boolean closing;
  private boolean closingSoon;

  /**
   * Creates a loop that has not started yet.
   *
   * @param shed closes the connection because memory is short, with the reason; called on any
   *     thread
   */
  ConnectionLoop(
      Role role,
      ConnectionLimits limits,
      Pipe pipe,
      ConnectionListener events,
      Consumer<String> shed) {
    this.pipe = pipe;
    Limits limitsOfHttp2 = limits.http2();
    this.outlet = new Outlet(pipe);
    this.connection = new Http2Connection(role, limitsOfHttp2, outlet, events, pipe.openedNanos());
    this.keepalive = limitsOfHttp2.timeouts().keepalive();
    this.sizeLimit =
        role == Role.CLIENT
            ? MessageSizeLimit.OF_RECEIVED_RESPONSES
            : MessageSizeLimit.OF_RECEIVED_REQUESTS;
    this.maxDecompressionRatio = limits.maxDecompressionRatio();
    this.catchUp = new CatchUp(pipe.pauses(pipe.openedNanos()));
    this.work = new WorkShare(this, limits.work().orElseGet(pipe::work));
    this.inflatedArrays = new InflatedArrays(limits.memory());
    this.memory = new ConnectionMemory(this, pipe, limits.memory(), shed);
  }

  ConnectionMemory memory() {
    return memory;
  }

  ReceiveAccounting held() {
    return memory.held();
  }

  SendQuota sendQuota() {
    return memory.sendQuota();
  }

  /** The work budget that the connection's compressed messages are charged to. */
  WorkShare work() {
    return work;
  }

  /** How long or compressed messages of one call are read. */
  MessageReading reading(int maxMessageBytes) {
    return new MessageReading(
        sizeLimit, maxMessageBytes, maxDecompressionRatio, inflatedArrays, parsing, work);
  }

  Http2Connection connection() {
    return connection;
  }

  ConnectionInfo info() {
    return pipe.info();
  }

  long nanoTime() {
    return pipe.nanoTime();
  }

  /** When the pass began whose bytes are being parsed. On the loop. */
  long passBeganNanos() {
    return passBeganNanos;
  }

  /** Whether the calling thread is the loop's. */
  boolean isCurrent() {
    return pipe.inLoop();
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
      memory.leave(); // a connection that has not started is not ended by anyone else
      throw e;
    }
  }

  void receive(ByteBuffer bytes) {
    long nowNanos = pipe.nanoTime();
    if (!inBatch) {
      beginPass(nowNanos);
    }
    notePauses(nowNanos);
    catchUp.onRead();
    if (backlog.isEmpty()) {
      connection.receive(bytes, nowNanos);
    }
    if (bytes.hasRemaining()) {
      backlog.add(bytes);
      pipe.setReading(false);
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

  private void beginPass(long nowNanos) {
    inBatch = true;
    passBeganNanos = nowNanos;
    parsedBytes = 0;
    passIsLong = false;
  }

  /**
   * Whether a message of that size may be parsed in this pass. It may not if earlier messages have
   * taken so long that other connections wait.
   */
  boolean mayParse(int bytes) {
    parsedBytes += bytes;
    if (parsedBytes >= CHECK_BYTES) {
      parsedBytes = 0;
      passIsLong = pipe.nanoTime() - passBeganNanos > LONG_PASS_NANOS;
    }
    return !passIsLong;
  }

  /** The pass after one that left bytes unparsed. */
  private void readOn() {
    nextPassAsked = false;
    beginPass(pipe.nanoTime());
    notePauses(passBeganNanos);
    connection.receive(backlog.bytes(), passBeganNanos);
    backlog.trim();
    endBatch();
    if (backlog.isEmpty()) {
      pipe.setReading(true);
    }
  }

  /** The pipe is closed, and all calls have ended. */
  void endLastBatch() {
    work.leave();
    @Nullable Throwable failure = null;
    do { // the loop may accept no more tasks
      try {
        endBatch();
      } catch (Throwable e) {
        failure = e;
      }
    } while (isMoreToDo());
    memory.leave();
    CleanupSteps.rethrow(failure);
  }

  /** The pipe is closed: what is written from now on is dropped. */
  void shutOutlet() {
    outlet.shut();
  }

  /** The pipe is closed: unparsed requests would ask for answers that cannot be sent. */
  void dropUnread() {
    inBatch = true;
    backlog.drop();
  }

  /** The pipe is closed: what arrived before that counts, however much it is. */
  void receiveLast() {
    inBatch = true;
    if (!backlog.isEmpty()) {
      connection.receiveLast(backlog.bytes(), pipe.nanoTime());
    }
  }

  void wake() {
    inBatch = true;
    long nowNanos = pipe.nanoTime();
    notePauses(nowNanos);
    if (!catchUp.isReading(!backlog.isEmpty() && !connection.isBlocked(), nowNanos)) {
      if (!closing) {
        connection.onTime(nowNanos);
      }
      deadlines.expire(nowNanos);
    }
    endBatch();
  }

  /** Whether the loop paused for a good part of the last this many nanoseconds. */
  boolean wasAwayOf(long nanos) {
    return catchUp.wasAwayOf(nanos, pipe.nanoTime());
  }

  /**
   * Has the mail processed on the loop, soon. Any thread.
   *
   * @throws RejectedExecutionException if the loop accepts no more tasks; the mail stays, and the
   *     next caller tries again
   */
  void post(Mail mail) {
    boolean first = mailbox.put(mail);
    if ((first || unwoken) && !(pipe.inLoop() && inBatch)) {
      wakeLoop();
    }
  }

  private void wakeLoop() {
    try {
      pipe.execute(onMail);
    } catch (RuntimeException | Error e) { // there may be no memory for the task
      unwoken = true;
      throw e;
    }
    if (unwoken) {
      unwoken = false;
    }
  }

  void touch(CallStream<?, ?> call) {
    touched.add(call);
  }

  void watch(Timed timed) {
    deadlines.add(timed);
  }

  void unwatch(Timed timed) {
    deadlines.remove(timed);
  }

  /**
   * Processes write commands and wakes calls until there is no more of either, then flushes once.
   * If commands come faster than they are processed, the rest is left to another batch.
   */
  void endBatch() {
    inBatch = true;
    int rounds = 0;
    do {
      mailbox.openAll();
      flushTouched();
      connection.flush();
      memory.settle();
    } while (isMoreToDo() && ++rounds < MAX_ROUNDS);
    pipe.flush();
    batchEndNanos = pipe.nanoTime();
    memory.report(backlog.heldBytes(), batchEndNanos);
    askForWake();
    inBatch = false;
    if (isMoreToDo()) { // or the memory report has closed this connection
      wakeLoop();
    }
    if (!backlog.isEmpty() && !nextPassAsked && !connection.isBlocked()) {
      nextPassAsked = true;
      pipe.executeInTurn(onNextPass);
    }
  }

  private boolean isMoreToDo() {
    return !touched.isEmpty() || !mailbox.isEmpty();
  }

  /**
   * Ends the batch of what arrived in one pass; returns how long that has occupied the loop, in
   * nanoseconds.
   */
  long endPass() {
    boolean received = inBatch;
    endBatch();
    return received ? batchEndNanos - passBeganNanos : 0;
  }

  private void askForWake() {
    long dueNanos = deadlines.earliestNanos();
    if (!closing) {
      dueNanos = Timeouts.earlier(dueNanos, connection.nextDueNanos(batchEndNanos));
    }
    if (dueNanos != Timeouts.NEVER) {
      pipe.wakeAt(dueNanos);
    }
  }

  /** Sends a GOAWAY and closes the pipe once that is sent. */
  void close(ErrorCode code, String why) {
    if (sendGoAway(code, why)) {
      pipe.close();
    }
  }

  /**
   * Like {@link #close}, but does not wait for a peer that does not read, even if the pipe is
   * already being closed with patience.
   */
  void closeSoon(ErrorCode code, String why) {
    sendGoAway(code, why);
    closePipeSoon();
  }

  /** Closes without another frame: the connection has already sent its GOAWAY. */
  void closeAfterFailure() {
    if (!closing) {
      closing = true;
      pipe.flush();
    }
    closePipeSoon();
  }

  /** Sends the GOAWAY; false if it was already sent and the pipe is being closed. */
  boolean sendGoAway(ErrorCode code, String why) {
    boolean first = !closing;
    if (first) {
      closing = true;
      connection.goAway(code, why);
      pipe.flush();
    }
    return first;
  }

  private void closePipeSoon() {
    if (!closingSoon) {
      closingSoon = true;
      pipe.closeSoon();
    }
  }

  /**
   * Passes to the action all calls of that kind that have a stream; the action may end some of
   * them.
   */
  <C> void forEach(Class<C> kind, Consumer<? super C> action) {
    connection.forEachStream(stream -> {
      if (kind.isInstance(stream.attachment())) {
        action.accept(kind.cast(stream.attachment()));
      }
    });
  }

  private void flushTouched() {
    ArrayList<CallStream<?, ?>> now = touched;
    touched = flushing;
    flushing = now;
    int begun = 0;
    try {
      while (begun < now.size()) {
        flushEvents(now.get(begun++));
      }
    } finally {
      if (begun
          < now.size()) { // what was thrown closes the connection, and all calls must learn of it
        touched.addAll(now.subList(begun, now.size()));
      }
      now.clear();
    }
  }

  /** What one call's engine throws must not close the connection for the other calls. */
  private static void flushEvents(CallStream<?, ?> call) {
    try {
      call.flushEvents();
    } catch (Throwable e) {
      try {
        LOG.log(
            Level.ERROR,
            "ending a call because of an internal error in Gannet; please report it with this stack"
                + " trace",
            e);
      } finally {
        call.giveUp(
            Status.INTERNAL
                .withDescription(
                    "internal error in Gannet, logged with its stack trace; please report it")
                .withCause(e));
      }
    }
  }
}
