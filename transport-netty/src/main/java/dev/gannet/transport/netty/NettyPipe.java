package dev.gannet.transport.netty;

import dev.gannet.api.Deadline;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.netty.LoopBuffers.WriteBuffer;
import dev.gannet.transport.pipe.LoopPauses;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A pipe over a Netty channel. Frames are written directly into pooled direct memory, and
 * everything written in one batch is sent with one flush.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // the result of a write or close is seen in the channel's end
final class NettyPipe implements Pipe {
  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  private final Channel channel;
  private final NettyEventLoops.Kind kind;
  private final LoopBuffers buffers = LoopBuffers.ofThisLoop();
  private final LoopBeat beat = LoopBeat.ofThisLoop();
  private final ConnectionInfo info;
  private final long openedNanos;
  private final Predicate<String> certified;
  private final Runnable onTimer = this::onTimer;
  private @Nullable PipeListener events;
  private Consumer<Throwable> onFault = this::closeWithoutDriver;
  private @Nullable WriteBuffer out;
  private ByteBuffer view = EMPTY;
  private boolean unflushed;
  private @Nullable Future<?> timer;
  private long timerNanos;
  private @Nullable Future<?> linger;
  private boolean halfClosed;

  /** Whether the loop's beat does not count it any more. */
  private boolean left;

  /**
   * A pipe over an open channel; on the channel's loop.
   *
   * @param kind the kind of the channel
   */
  NettyPipe(Channel channel, NettyEventLoops.Kind kind, ConnectionInfo info, long openedNanos) {
    this(channel, kind, info, openedNanos, authority -> true);
  }

  /**
   * The same.
   *
   * @param certified decides for which authorities the other end may be asked
   */
  NettyPipe(
      Channel channel,
      NettyEventLoops.Kind kind,
      ConnectionInfo info,
      long openedNanos,
      Predicate<String> certified) {
    this.channel = channel;
    this.kind = kind;
    this.info = info;
    this.openedNanos = openedNanos;
    this.certified = certified;
    beat.join(channel.eventLoop());
  }

  /**
   * Sets the listener of the pipe.
   *
   * @param onFault closes the channel because of an exception of the listener
   */
  void drivenBy(PipeListener events, Consumer<Throwable> onFault) {
    this.events = events;
    this.onFault = onFault;
  }

  /** Whether this side has closed its half of the socket by itself. */
  boolean hasClosedItsHalf() {
    return halfClosed;
  }

  @Override
  public ByteBuffer reserve(int bytes) {
    if (view.remaining() < bytes) {
      writeOut();
      WriteBuffer next =
          bytes <= LoopBuffers.WRITE_BYTES
              ? buffers.toWrite(channel.alloc())
              : WriteBuffer.of(channel.alloc().directBuffer(bytes));
      out = next;
      view = next.view();
    }
    return view;
  }

  @Override
  public boolean wantsMore() {
    return channel.isWritable();
  }

  /** Combines which buffer is sent next with how much of it and of the rest is left. */
  @Override
  public long wireMark() {
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    if (waiting == null || waiting.isEmpty()) {
      return NOTHING_WAITS;
    }
    long piece = (long) System.identityHashCode(waiting.current()) << Integer.SIZE;
    long mark = piece ^ waiting.currentProgress() ^ waiting.totalPendingWriteBytes() << 16;
    return mark == NOTHING_WAITS ? ~NOTHING_WAITS : mark;
  }

  @Override
  public void acknowledgedWithin(long nanos) {
    int millis = (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(nanos));
    kind.userTimeoutMillis()
        .filter(option -> channel.isOpen())
        .ifPresent(option -> channel.config().setOption(option, millis));
  }

  @Override
  public void flush() {
    writeOut();
    if (unflushed) {
      unflushed = false;
      channel.flush();
    }
  }

  @Override
  public long unsentBytes() {
    ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
    return unsent == null ? 0 : unsent.totalPendingWriteBytes();
  }

  /** Passes the buffer that is being filled to the channel. */
  private void writeOut() {
    if (out == null) {
      return;
    }
    ByteBuf full = out.filled();
    out = null;
    view = EMPTY;
    if (full.isReadable()) {
      unflushed = true;
      channel.write(full, channel.voidPromise());
    } else {
      full.release();
    }
  }

  @Override
  public void close() {
    close(Linger::whileRead);
  }

  @Override
  public void closeSoon() {
    close(Linger::briefly);
  }

  private void close(LongFunction<Linger> patience) {
    flush();
    cancel(linger);
    ChannelFuture last = channel.writeAndFlush(Unpooled.EMPTY_BUFFER);
    Linger waiting = patience.apply(wireMark());
    closeLater(() -> closeIfOver(waiting));
    last.addListener(done -> closeWritten(waiting.endSeconds()));
  }

  private void closeLater(Runnable closing) {
    closeLater(closing, Linger.LOOK_SECONDS);
  }

  private void closeLater(Runnable closing, long seconds) {
    linger = channel.eventLoop().schedule(closing, seconds, TimeUnit.SECONDS);
  }

  private void closeIfOver(Linger waiting) {
    if (waiting.checkOver(wireMark())) {
      channel.close();
    } else {
      closeLater(() -> closeIfOver(waiting));
    }
  }

  /**
   * If a socket is closed while bytes are unread or still arrive, TCP drops what the peer has not
   * read yet, including the last frames of this side. So only this side's half is closed, after the
   * close_notify of TLS; the peer closes the other half once it has read everything.
   */
  private void closeWritten(long endSeconds) {
    cancel(linger);
    closeLater(channel::close, endSeconds);
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls == null) {
      closeOurHalf();
    } else {
      tls.closeOutbound().addListener(done -> closeOurHalf());
    }
  }

  private void closeOurHalf() {
    halfClosed = true;
    if (channel instanceof DuplexChannel socket) {
      socket.shutdownOutput();
    } else {
      cancel(linger);
      channel.close();
    }
  }

  /** Returns what is held when the channel is closed. May be called again. */
  void onClosed() {
    if (!left) {
      left = true;
      beat.leave();
    }
    WriteBuffer unsent = out;
    out = null;
    view = EMPTY;
    if (unsent != null) {
      unsent.filled().release();
    }
    cancel(timer);
    cancel(linger);
  }

  private static void cancel(@Nullable Future<?> future) {
    if (future != null) {
      future.cancel(false);
    }
  }

  @Override
  public void setReading(boolean reading) {
    channel.config().setAutoRead(reading);
  }

  @Override
  public void execute(Runnable task) {
    GuardedLoop.execute(channel.eventLoop(), () -> run(task));
  }

  /** Tasks run before the loop checks its sockets again; due timers run after that. */
  @Override
  public void executeInTurn(Runnable task) {
    try {
      channel.eventLoop().schedule(() -> run(task), 0, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) { // the loop has ended
      execute(task);
    }
  }

  @Override
  public boolean inLoop() {
    return GuardedLoop.isCurrent(channel.eventLoop());
  }

  @Override
  public void wakeAt(long nanos) {
    boolean sooner = timer == null || nanos - timerNanos < 0;
    if (sooner && channel.isOpen()) {
      cancel(timer);
      timerNanos = nanos;
      long delay = Math.max(0, nanos - nanoTime());
      timer = channel.eventLoop().schedule(onTimer, delay, TimeUnit.NANOSECONDS);
    }
  }

  private void onTimer() {
    timer = null;
    PipeListener driver = events;
    if (driver != null) {
      run(driver::onWake);
    }
  }

  private void closeWithoutDriver(Throwable fault) {
    channel.pipeline().fireExceptionCaught(fault);
  }

  /** After an exception the state of the listener is unknown: its connection is closed. */
  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      onFault.accept(e);
    }
  }

  @Override
  public long openedNanos() {
    return openedNanos;
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public LongSupplier clock() {
    return Deadline.systemTicker();
  }

  @Override
  public LoopPauses pauses(long nowNanos) {
    return beat.pauses(nowNanos);
  }

  @Override
  public ConnectionInfo info() {
    return info;
  }

  @Override
  public boolean isCertifiedFor(String authority) {
    return certified.test(authority);
  }
}
