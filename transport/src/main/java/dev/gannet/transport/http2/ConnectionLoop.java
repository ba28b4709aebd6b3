package dev.gannet.transport.http2;

import dev.gannet.api.Status;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.PingPolicy;
import dev.gannet.http2.Role;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.connection.ConnectionListener;
import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.ConnectionLimits;
import dev.gannet.transport.InflatedArrays;
import dev.gannet.transport.Mail;
import dev.gannet.transport.Mailbox;
import dev.gannet.transport.MessageReading;
import dev.gannet.transport.ParsingTurns;
import dev.gannet.transport.pipe.LoopPauses;
import dev.gannet.transport.pipe.Pipe;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Joins one HTTP/2 connection to one pipe: the part of a driver that both roles share.
 *
 * <p>Whatever happens comes in batches: bytes that arrived in one pass, or mails of other threads.
 * A batch ends with all touched calls woken once, all orders taken, and one flush. Confined to the
 * pipe's loop, but for {@link #post}.
 */
final class ConnectionLoop {
  private static final Logger LOG = System.getLogger(ConnectionLoop.class.getName());

  /** After so many bytes that were parsed it looks whether that took long. */
  private static final int LOOK_BYTES = 32 << 10;

  /** A pass that has taken so long parses nothing more itself. */
  private static final long LONG_PASS_NANOS = Duration.ofMillis(1).toNanos();

  /** What was ordered first leaves after so many rounds, though more is ordered all the time. */
  private static final int MAX_ROUNDS = 16;

  private final Pipe pipe;
  private final Outlet outlet;
  private final Http2Connection connection;
  private final PingPolicy keepalive;
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
   * A loop that has not begun yet.
   *
   * @param shed closes the connection because memory is short, and says why; called on any thread
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

  /** What the connection's compressed messages are paid from. */
  WorkShare work() {
    return work;
  }

  /** How the messages of one call are read that are long or compressed. */
  MessageReading reading(int maxMessageBytes) {
    return new MessageReading(
        maxMessageBytes, maxDecompressionRatio, inflatedArrays, parsing, work);
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

  /** When the pass began in which bytes are looked at now. On the loop. */
  long passBeganNanos() {
    return passBeganNanos;
  }

  /** Whether the calling thread is the loop's. */
  boolean isCurrent() {
    return pipe.inLoop();
  }

  /** Starts the connection: what this side says first goes to the wire. */
  void start() {
    try {
      if (keepalive.isOn()) {
        pipe.acknowledgedWithin(keepalive.answerNanos());
      }
      connection.start();
      endBatch();
    } catch (RuntimeException | Error e) {
      memory.leave(); // nobody will end what has not begun
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

  /** What came in a pause of the loop is to be judged as what may have come at any time of it. */
  private void notePauses(long nowNanos) {
    LoopPauses pauses = pipe.pauses(nowNanos);
    if (!catchUp.hasSeen(pauses)) {
      long pausedNanos = catchUp.look(pauses, nowNanos);
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
   * Whether a message of so many bytes may be parsed here and now. Not where those before it have
   * taken so long that other connections wait.
   */
  boolean mayParse(int bytes) {
    parsedBytes += bytes;
    if (parsedBytes >= LOOK_BYTES) {
      parsedBytes = 0;
      passIsLong = pipe.nanoTime() - passBeganNanos > LONG_PASS_NANOS;
    }
    return !passIsLong;
  }

  /** The pass after one that left bytes over. */
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
    do { // the loop may take no more tasks
      try {
        endBatch();
      } catch (Throwable e) {
        failure = e;
      }
    } while (isMoreToDo());
    memory.leave();
    Steps.throwAgain(failure);
  }

  /** The pipe is closed: what is written from now on goes nowhere. */
  void shutOutlet() {
    outlet.shut();
  }

  /** The pipe is closed: what was not looked at asks for answers that nobody would hear. */
  void dropUnread() {
    inBatch = true;
    backlog.drop();
  }

  /** The pipe is closed: what came before its end counts, however much it is. */
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

  /** Whether the loop stood still for a good part of the last so many nanoseconds. */
  boolean wasAwayOf(long nanos) {
    return catchUp.wasAwayOf(nanos, pipe.nanoTime());
  }

  /**
   * Has the mail opened on the loop, soon. Any thread.
   *
   * @throws RejectedExecutionException if the loop takes no more tasks; the mail stays, and whoever
   *     posts next tries again
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
   * Takes orders and wakes calls until there are no more of either, then lets everything go to the
   * wire at once. Where orders come faster than they are taken, it goes on in another batch.
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
    if (isMoreToDo()) { // or the memory report has cost this connection its life
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
   * Ends the batch of what arrived in one pass; returns how long that has held the loop, in
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

  /** Says goodbye and closes the pipe once that is on the wire. */
  void close(ErrorCode code, String why) {
    if (sayGoodbye(code, why)) {
      pipe.close();
    }
  }

  /** The same with no patience for a peer that does not read, also where it closes with some. */
  void closeSoon(ErrorCode code, String why) {
    sayGoodbye(code, why);
    closePipeSoon();
  }

  /** Closes without another word: the connection has said its GOAWAY already. */
  void closeAfterFailure() {
    if (!closing) {
      closing = true;
      pipe.flush();
    }
    closePipeSoon();
  }

  /** Says the last words; false if they have been said, and the pipe is being closed. */
  boolean sayGoodbye(ErrorCode code, String why) {
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

  /** Shows what the streams carry, as far as it is of that kind; may end some of it. */
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
      if (begun < now.size()) { // what was thrown costs the connection, and they are to hear of it
        touched.addAll(now.subList(begun, now.size()));
      }
      now.clear();
    }
  }

  /** What one call's engine throws must not cost the others their connection. */
  private static void flushEvents(CallStream<?, ?> call) {
    try {
      call.flushEvents();
    } catch (Throwable e) {
      try {
        LOG.log(Level.ERROR, "ending a call because of an internal error (please report)", e);
      } finally {
        call.giveUp(Status.INTERNAL.withDescription("internal error (please report)").withCause(e));
      }
    }
  }
}
