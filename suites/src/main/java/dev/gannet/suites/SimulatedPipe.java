package dev.gannet.suites;

import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.suites.Faults.Operation;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.Scheduler.Cancellable;
import dev.gannet.transport.memory.WorkRateLimiter;
import dev.gannet.transport.pipe.LoopPauses;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One end of a simulated connection.
 *
 * <pre>
 *   OPEN ──close──► CLOSING ──the peer has closed too, or one second──► CLOSED
 *     │                │                                                  ▲
 *     └────────────────┴── closed by the peer, reset, cut, broken ────────┘
 * </pre>
 */
final class SimulatedPipe implements Pipe {
  /** The network side of a pipe. */
  interface Wire {
    boolean hasRoomBeside(int waitingBytes);

    /** The number of bytes that were sent and have not arrived. */
    int bytesUnderWay();

    /** Takes a buffer with what was written into it. */
    void send(ByteBuffer filled);

    /** Whether what arrives is taken; otherwise it stays on its way. */
    void setReading(boolean reading);

    /** Nothing more is sent. */
    void sendEnd();

    /** Loses what is on its way; the other end is told soon. */
    void abort();

    /** The pipe is closed. */
    void onClosed();
  }

  private enum State {
    OPEN,
    CLOSING,
    /** Nothing is read or written any more, but the listener does not know yet. */
    BROKEN,
    CLOSED
  }

  private static final String CLOSED_HERE = "closed";

  /** How long a peer that does not read may delay a closing pipe. */
  private static final long LINGER_NANOS = Duration.ofSeconds(1).toNanos();

  private final SimulatedNetwork network;
  private final SimulatedLoop loop;
  private final SimulatedHost host;
  private final ConnectionInfo info;
  private final Wire wire;
  private final Runnable onWake = this::onWake;
  private final ArrayDeque<ByteBuffer> sealed = new ArrayDeque<>();
  private @Nullable PipeListener events;
  private State state = State.OPEN;
  private @Nullable ByteBuffer filling;
  private int sealedBytes;
  private boolean hadEnough;
  private final long openedNanos;
  private long sentBytes;
  private @Nullable Cancellable wake;
  private long wakeNanos;
  private @Nullable Cancellable linger;

  SimulatedPipe(SimulatedNetwork network, SimulatedHost host, ConnectionInfo info, Wire wire) {
    this.network = network;
    this.loop = network.loop();
    this.host = host;
    this.info = info;
    this.wire = wire;
    this.openedNanos = loop.nanoTime();
  }

  /** Sets the listener of the pipe; if creating it fails, the connection is closed. */
  void driveBy(Function<? super Pipe, ? extends PipeListener> driver) {
    try {
      events = driver.apply(this);
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  boolean isClosed() {
    return state == State.CLOSED;
  }

  @Override
  public ByteBuffer reserve(int bytes) {
    if (network.faults().strike(Operation.MEMORY)) {
      throw Faults.wantOfMemory();
    }
    ByteBuffer open = filling;
    if (open == null || open.remaining() < bytes) {
      seal();
      open = network.pool().lend(bytes);
      filling = open;
    }
    return open;
  }

  private void seal() {
    ByteBuffer full = filling;
    if (full != null) {
      filling = null;
      sealedBytes += full.position();
      sealed.add(full);
    }
  }

  int unflushedBytes() {
    return sealedBytes + (filling == null ? 0 : filling.position());
  }

  @Override
  public boolean wantsMore() {
    hadEnough = !wire.hasRoomBeside(unflushedBytes());
    return !hadEnough;
  }

  @Override
  public void flush() {
    seal();
    boolean lost = state != State.OPEN;
    if (!lost && !sealed.isEmpty() && network.faults().strike(Operation.FLUSH)) {
      lost = true;
      fail("broken pipe");
    }
    sealedBytes = 0;
    for (ByteBuffer full = sealed.poll(); full != null; full = sealed.poll()) {
      if (lost) {
        network.pool().takeBack(full, full.position());
      } else {
        sentBytes += full.position();
        wire.send(full);
      }
    }
  }

  @Override
  public long wireMark() {
    int waiting = wire.bytesUnderWay();
    return waiting == 0 ? NOTHING_WAITS : sentBytes - waiting + 1;
  }

  @Override
  public long unsentBytes() {
    return wire.bytesUnderWay();
  }

  @Override
  public void close() {
    flush();
    if (state == State.OPEN) {
      state = State.CLOSING;
      wire.sendEnd();
      linger = loop.schedule(() -> closed(CLOSED_HERE), LINGER_NANOS);
    }
  }

  @Override
  public void setReading(boolean reading) {
    wire.setReading(reading);
  }

  @Override
  public void execute(Runnable task) {
    if (network.faults().strike(Operation.EXECUTE)) {
      throw Faults.refusal();
    }
    loop.execute(() ->
        host.run(() -> {
          loopEnds(); // and another loop runs the task, which is kept
          guard(driver -> task.run());
        }));
  }

  /** Whether the loop ends, and with it all its connections, before it does the next thing. */
  private boolean loopEnds() {
    boolean ends = network.faults().strike(Operation.LOOP);
    if (ends) {
      network.cutAll("the event loop has ended");
    }
    return ends;
  }

  @Override
  public boolean inLoop() {
    return loop.isRunning();
  }

  @Override
  public void wakeAt(long nanos) {
    boolean sooner = wake == null || nanos - wakeNanos < 0;
    if (sooner && (state == State.OPEN || state == State.CLOSING)) {
      if (network.faults().strike(Operation.SCHEDULE)) {
        throw Faults.refusal();
      }
      cancel(wake);
      wakeNanos = nanos;
      wake = loop.schedule(() -> host.run(onWake), nanos - loop.nanoTime());
    }
  }

  private void onWake() {
    wake = null;
    if (state != State.CLOSED
        && !loopEnds()) { // it may have been closed while its host was stopped
      guard(PipeListener::onWake);
    }
  }

  private static void cancel(@Nullable Cancellable timer) {
    if (timer != null) {
      timer.cancel();
    }
  }

  @Override
  public long openedNanos() {
    return openedNanos;
  }

  @Override
  public long nanoTime() {
    return loop.nanoTime();
  }

  @Override
  public LoopPauses pauses(long nowNanos) {
    return host.pauses();
  }

  @Override
  public WorkRateLimiter work() {
    return network.work();
  }

  @Override
  public ConnectionInfo info() {
    return info;
  }

  /** Bytes came from the other end. */
  void deliver(ByteBuffer bytes) {
    boolean open = state == State.OPEN || state == State.CLOSING;
    if (open && !loopEnds()) {
      guard(driver -> driver.onBytes(bytes));
    }
  }

  void deliverBatchEnd() {
    if (state != State.CLOSED) {
      guard(PipeListener::onBatchEnd);
    }
  }

  /** Much of what this end sent has arrived. */
  void onDrained() {
    host.run(this::goOnWriting);
  }

  private void goOnWriting() {
    if (hadEnough && state != State.CLOSED) {
      hadEnough = false;
      guard(PipeListener::onWritable);
    }
  }

  void closed(String why) {
    host.run(() -> closeNow(why));
  }

  private void closeNow(String why) {
    if (state != State.CLOSED) {
      String words = state == State.CLOSING ? CLOSED_HERE : why;
      state = State.CLOSED;
      cancel(wake);
      cancel(linger);
      guard(driver -> driver.onClosed(words));
      flush(); // nothing is sent any more: gives back what is held
      wire.onClosed();
    }
  }

  private void guard(Consumer<PipeListener> call) {
    PipeListener driver = events;
    try {
      if (driver != null) {
        call.accept(driver);
      }
    } catch (RuntimeException | Error e) {
      onThrown(e);
    }
  }

  /**
   * A listener that throws loses its connection; unless a fault was simulated, the listener itself
   * is at fault.
   */
  private void onThrown(Throwable thrown) {
    if (Faults.isSimulated(thrown)) {
      fail(String.valueOf(thrown.getMessage()));
    } else if (thrown instanceof Error error) {
      throw error;
    } else {
      throw (RuntimeException) thrown;
    }
  }

  /** Nothing goes in or out any more; the listener is told soon. */
  private void fail(String why) {
    if (state == State.OPEN || state == State.CLOSING) {
      state = State.BROKEN;
      wire.abort();
      loop.execute(() -> closed(why));
    }
  }
}
