package dev.gannet.testing;

import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeEvents;
import dev.gannet.transport.pipe.PipeProvider.Cancellable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One end of a simulated connection.
 *
 * <pre>
 *   OPEN ──close──► CLOSING ──what was flushed has arrived──► CLOSED
 *    └────────────── closed by the peer, cut ───────────────────▲
 * </pre>
 */
final class SimulatedPipe implements Pipe {
  private static final int FIRST_ROOM_BYTES = 1 << 10;
  private static final byte SPOILT = (byte) 0xa5; // no byte that a reader may still rely on

  private enum State {
    OPEN,
    CLOSING,
    CLOSED
  }

  private final SimulatedLoop loop;
  private final ConnectionInfo info;
  private final Lane outgoing;
  private @Nullable PipeEvents events;
  private @Nullable Lane incoming;
  private State state = State.OPEN;
  private ByteBuffer unflushed = ByteBuffer.allocate(FIRST_ROOM_BYTES);
  private boolean hadEnough;
  private final long openedNanos;
  private long sentBytes;
  private @Nullable Cancellable wake;
  private long wakeNanos;

  SimulatedPipe(SimulatedLoop loop, ConnectionInfo info, Lane outgoing) {
    this.loop = loop;
    this.info = info;
    this.outgoing = outgoing;
    this.openedNanos = loop.nanoTime();
  }

  void drivenBy(PipeEvents events) {
    this.events = events;
  }

  @Override
  public ByteBuffer room(int bytes) {
    if (unflushed.remaining() < bytes) {
      int capacity = Math.max(unflushed.position() + bytes, unflushed.capacity() * 2);
      unflushed = ByteBuffer.allocate(capacity).put(unflushed.flip());
    }
    return unflushed;
  }

  @Override
  public boolean wantsMore() {
    hadEnough = !outgoing.hasRoomBeside(unflushed.position());
    return !hadEnough;
  }

  @Override
  public void flush() {
    byte[] bytes = Arrays.copyOf(unflushed.array(), unflushed.position());
    unflushed = ByteBuffer.allocate(FIRST_ROOM_BYTES);
    if (state == State.OPEN && bytes.length > 0) {
      outgoing.send(bytes);
      sentBytes += bytes.length;
    }
  }

  @Override
  public long wireMark() {
    int waiting = outgoing.bytesUnderWay();
    return waiting == 0 ? NOTHING_WAITS : sentBytes - waiting + 1;
  }

  @Override
  public void close() {
    flush();
    if (state == State.OPEN) {
      state = State.CLOSING;
      outgoing.sendEnd();
    }
  }

  /** The lane that leads here. */
  void readsFrom(Lane lane) {
    incoming = lane;
  }

  @Override
  public void setReading(boolean reading) {
    if (incoming != null) {
      incoming.setRead(reading);
    }
  }

  @Override
  public void execute(Runnable task) {
    loop.execute(task);
  }

  @Override
  public boolean inLoop() {
    return loop.isRunning();
  }

  @Override
  public void wakeAt(long nanos) {
    boolean sooner = wake == null || nanos - wakeNanos < 0;
    if (sooner && state != State.CLOSED) {
      cancelWake();
      wakeNanos = nanos;
      wake = loop.schedule(this::onWake, nanos - loop.nanoTime());
    }
  }

  private void onWake() {
    wake = null;
    driver().onWake();
  }

  private void cancelWake() {
    if (wake != null) {
      wake.cancel();
      wake = null;
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
  public ConnectionInfo info() {
    return info;
  }

  /** Bytes came from the other end; they are spoilt as soon as the reader has seen them. */
  void deliver(ByteBuffer bytes) {
    if (state != State.CLOSED) {
      driver().onBytes(bytes);
      for (int i = 0; i < bytes.limit(); i++) {
        bytes.put(i, SPOILT);
      }
    }
  }

  void deliverBatchEnd() {
    if (state != State.CLOSED) {
      driver().onBatchEnd();
    }
  }

  /** Much of what this end sent has arrived. */
  void onDrained() {
    if (hadEnough && state != State.CLOSED) {
      hadEnough = false;
      driver().onWritable();
    }
  }

  void closed(String why) {
    if (state != State.CLOSED) {
      state = State.CLOSED;
      cancelWake();
      driver().onClosed(why);
    }
  }

  private PipeEvents driver() {
    PipeEvents driver = events;
    if (driver == null) {
      throw new IllegalStateException("nobody drives the pipe " + info);
    }
    return driver;
  }
}
