package dev.gannet.client.subchannel;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallParent;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.engine.Rounds;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.balancer.PickArgs;
import dev.gannet.client.balancer.TrackedCall;
import dev.gannet.client.tasks.LoopTurn;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.GuardedLog;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one subchannel that accept new calls, and the calls that wait for a free
 * stream on one of them (gRFC A105). Only subchannels that may have several connections, or still
 * have them, have a pool.
 *
 * <p>A call uses the oldest connection with fewer calls than its server allows
 * (SETTINGS_MAX_CONCURRENT_STREAMS). If there is none, the call waits in the order of arrival, and
 * the pool asks for an {@link AdditionalConnection}, up to its limit. A waiting call stays among
 * the {@link PendingCalls}: the thread that removes it there decides how it continues.
 *
 * <p>The call of a {@link SubchannelWatch} has a stream, too, but does not wait here: it is counted
 * on its connection, even if that has no free stream. Safe for all threads; no other code is called
 * while the lock is held.
 */
public final class ConnectionPool implements ReadyConnections {
  /** The maximum number of connections of a channel to one address (gRFC A105). */
  public static final int MAX_CONNECTIONS = 10;

  private static final Logger LOG = System.getLogger(ConnectionPool.class.getName());

  private final IntSupplier maxConnections;
  private final CallTracker tracker;
  private final PendingCalls pending;
  private final AdditionalConnection additional;
  private final LongSupplier nanoTime;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Member> members = new ArrayList<>();

  /** The attempts that wait, each with its last pick. */
  private final Map<PendingAttempt, Pick.Use> waiting = new LinkedHashMap<>();

  /** Each starts the waiting calls for which there are streams. */
  private final Rounds starts = new Rounds();

  /**
   * A pool without connections.
   *
   * @param maxConnections how many there may be; looked at when another one is wanted
   * @param tracker notified of all calls
   * @param additional asked for another connection
   * @param nanoTime the channel's clock
   */
  ConnectionPool(
      IntSupplier maxConnections,
      CallTracker tracker,
      PendingCalls pending,
      AdditionalConnection additional,
      LongSupplier nanoTime) {
    this.maxConnections = maxConnections;
    this.tracker = tracker;
    this.pending = pending;
    this.additional = additional;
    this.nanoTime = nanoTime;
  }

  /** One connection, and the number of its calls; each call gives its stream back at its end. */
  private final class Member implements CallTracker, TrackedCall {
    private final SubchannelConnection connection;
    private final ClientTransport transport;

    /** The tracker of its calls. */
    private final CallTracker all = CallTracker.both(this, tracker);

    private int calls;

    Member(SubchannelConnection connection) {
      this.connection = connection;
      this.transport = connection.transport();
    }

    private boolean isOf(ConnectionPool pool) {
      return ConnectionPool.this.equals(pool);
    }

    private boolean hasRoom() {
      return calls < connection.maxConcurrentStreams();
    }

    @Override
    public TrackedCall onStarted(PickArgs call) {
      return this;
    }

    @Override
    public void onEnded(Status status, Metadata trailers) {
      release(this);
    }
  }

  /** An attempt and the stream that was taken for it. */
  private record Start(PendingAttempt attempt, Pick.Use pick, Member member) {}

  /** If there is no free stream, or other calls wait for one, the attempt has to wait. */
  @Override
  public boolean start(PendingAttempt attempt, Pick.Use pick) {
    Member member = take();
    if (member == null) {
      return false;
    }
    attempt.startOn(member.transport, member.all, pick);
    return true;
  }

  private @Nullable Member take() {
    lock.lock();
    try {
      return waiting.isEmpty() ? takeFree() : null;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Member takeFree() {
    for (Member member : members) {
      if (member.hasRoom()) {
        member.calls++;
        return member;
      }
    }
    return null;
  }

  /** Gives back the stream of a call that has ended, or was not started. */
  private void release(Member member) {
    lock.lock();
    try {
      member.calls--;
    } finally {
      lock.unlock();
    }
    startWaiting();
  }

  /** Lets it wait for a stream; it may already have one when this method returns. */
  @Override
  public boolean startPending(PendingAttempt attempt, Pick.Use pick) {
    lock.lock();
    try {
      if (members.isEmpty()) {
        return false;
      }
      waiting.put(attempt, pick);
    } finally {
      lock.unlock();
    }
    if (!pending.bind(attempt, this)) {
      forget(attempt);
    }
    startWaiting();
    return true;
  }

  /**
   * Counts a call that has begun on this connection without a pool.
   *
   * @param call its listener
   * @return the listener that gives its stream back
   */
  ClientCallEventListener count(SubchannelConnection connection, ClientCallEventListener call) {
    ClientCallEventListener uncounted = call;
    if (call instanceof TrackedCallListener before && before.tracked() instanceof Member earlier) {
      if (earlier.isOf(this)) {
        return call; // it has begun since
      }
      uncounted = before.attempt(); // nobody uses that pool any more
    }
    return counted(connection.transport(), uncounted);
  }

  @Override
  public ClientCallEventListener counted(ClientTransport transport, ClientCallEventListener call) {
    Member member = countOn(transport);
    return member == null ? call : TrackedCallListener.of(call, member);
  }

  private @Nullable Member countOn(ClientTransport transport) {
    lock.lock();
    try {
      for (Member member : members) {
        if (member.transport.equals(transport)) {
          member.calls++;
          return member;
        }
      }
      return null; // it has gone away
    } finally {
      lock.unlock();
    }
  }

  /** The attempt no longer waits for a stream here. */
  void forget(PendingAttempt attempt) {
    lock.lock();
    try {
      waiting.remove(attempt);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public ConnectionPool afterAdding(SubchannelConnection opened) {
    lock.lock();
    try {
      members.add(new Member(opened));
    } finally {
      lock.unlock();
    }
    return this;
  }

  /** If it was the last one, calls that wait for a stream wait for a picker instead. */
  @Override
  public ConnectionPool afterRemoving(SubchannelConnection closing) {
    lock.lock();
    try {
      members.removeIf(member -> member.connection.equals(closing));
      if (members.isEmpty()) {
        waiting.clear();
      }
    } finally {
      lock.unlock();
    }
    return this;
  }

  @Override
  public ConnectionPool afterClearing() {
    clear();
    return this;
  }

  /** Removes all connections; calls that wait for a stream wait for a picker instead. */
  void clear() {
    lock.lock();
    try {
      members.clear();
      waiting.clear();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Starts waiting calls while there are streams, and requests another connection for the rest. One
   * thread does so at a time; other threads make it check once more. An event loop lets another
   * thread go on after its {@link LoopTurn}.
   */
  @Override
  public void startWaiting() {
    if (!isWaitedFor()) {
      return; // who waits later asks again
    }
    Starter starter = new Starter();
    if (!starts.run(starter, Starter::round)) {
      return; // the thread that works does one more round
    }
    if (!starter.isTurnOver()) {
      if (needsAnother()) {
        additional.ask();
      }
    } else if (!LoopTurn.tryLeave(this::startWaiting)) {
      startWaiting(); // nobody else can go on
    }
  }

  private boolean isWaitedFor() {
    lock.lock();
    try {
      return !waiting.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The rounds of one thread. They are one turn: the thread that goes on after it may ask for
   * another round before this one has ended its last.
   *
   * <p>The thread may be that of a handler: the calls that it starts here are not made by that
   * handler, so they do not see its call as the current one.
   */
  private final class Starter {
    private final LoopTurn turn = LoopTurn.begin(nanoTime);
    private boolean turnOver;

    boolean isTurnOver() {
      return turnOver;
    }

    void round() {
      if (CallParent.current().isPresent()) {
        CallContext.runDetached(this::startAll);
      } else {
        startAll();
      }
    }

    private void startAll() {
      while (!turnOver) {
        Start next = next();
        if (next == null) {
          return;
        }
        carryOut(next);
        turnOver = turn.isOver();
      }
    }
  }

  private @Nullable Start next() {
    lock.lock();
    try {
      Member free = waiting.isEmpty() ? null : takeFree();
      if (free == null) {
        return null;
      }
      Map.Entry<PendingAttempt, Pick.Use> first = waiting.entrySet().iterator().next();
      Start start = new Start(first.getKey(), first.getValue(), free);
      waiting.remove(start.attempt());
      return start;
    } finally {
      lock.unlock();
    }
  }

  private void carryOut(Start next) {
    if (!pending.remove(next.attempt())) {
      release(next.member());
      return;
    }
    try {
      ReadyConnections.startWaited(
          next.attempt(), next.member().transport, next.member().all, next.pick());
    } catch (Throwable e) { // the thread is that of another call, and more calls wait
      fail(next, e);
    }
  }

  private void fail(Start start, Throwable thrown) {
    Status why = Status.INTERNAL.withDescription("the call cannot be started").withCause(thrown);
    if (start.attempt().failBeforeStart(why)) {
      release(start.member());
    } else {
      GuardedLog.warn(LOG, "a call that waited for a stream could not be started", thrown);
    }
  }

  /** No, if another thread is about to start calls for which there are streams. */
  private boolean needsAnother() {
    lock.lock();
    try {
      return !waiting.isEmpty()
          && !members.isEmpty()
          && members.size() < maxConnections.getAsInt()
          && members.stream().noneMatch(Member::hasRoom);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable SubchannelConnection oldest() {
    lock.lock();
    try {
      return members.isEmpty() ? null : members.getFirst().connection;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable SubchannelConnection oldestWithRoom() {
    lock.lock();
    try {
      for (Member member : members) {
        if (member.hasRoom()) {
          return member.connection;
        }
      }
      return oldest();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int size() {
    lock.lock();
    try {
      return members.size();
    } finally {
      lock.unlock();
    }
  }
}
