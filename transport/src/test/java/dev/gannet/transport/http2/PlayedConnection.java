package dev.gannet.transport.http2;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Role;
import dev.gannet.http2.Violation;
import dev.gannet.http2.connection.ConnectionListener;
import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.memory.MemoryLimiter;
import dev.gannet.transport.memory.WorkRateLimiter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The parts of a client's connection, without a loop: the test says when it is whose turn. */
final class PlayedConnection implements ConnectionListener, ReceiveAccounting.Holders {
  final PlayedPipe pipe = new PlayedPipe();
  final Http2Connection http2 =
      new Http2Connection(Role.CLIENT, Limits.DEFAULT, pipe, this, pipe.openedNanos());
  final LoopPass pass = new LoopPass(pipe);
  final LoopMailbox mailbox = new LoopMailbox(pipe, pass, this::openMail);
  final DeadlineHeap deadlines = new DeadlineHeap();
  final CallMemory calls = new CallMemory();
  final CatchUp catchUp = new CatchUp(pipe.pauses(pipe.openedNanos()));

  /** What {@link #held} finds when it looks at all calls. */
  final List<HeldMessages> holders = new ArrayList<>();

  final WorkRateLimiter workBudget = WorkRateLimiter.ofBytesPerSecond(1 << 20);
  final WorkShare work = new WorkShare(workBudget, pipe, mailbox, deadlines);
  final MemoryLimiter budget;
  final MemoryPressure pressure;
  final ReceiveAccounting held;
  final SendQuota sendQuota;
  final ConnectionMemory memory;

  PlayedConnection(MemoryLimiter budget) {
    this.budget = budget;
    this.pressure = new MemoryPressure(budget, http2, calls);
    this.held = new ReceiveAccounting(pipe, http2, this, deadlines, catchUp, pressure);
    this.sendQuota = new SendQuota(budget);
    MemoryLimiter.Share share = budget.join(pipe.info().remoteAddress(), 0, new Unmoved());
    this.memory = new ConnectionMemory(share, pipe, http2, held, sendQuota, calls);
    http2.start();
  }

  PlayedConnection() {
    this(MemoryLimiter.ofBytes(64 << 20));
  }

  ReceivingParts receiving() {
    MessageReadings readings = new MessageReadings(MessageEncoding.ANY_RATIO, budget, work);
    LoopParsing parsing = new LoopParsing(pass);
    return new ReceivingParts(mailbox, http2, held, memory, calls, work, parsing, readings);
  }

  ConnectionParts parts() {
    return new ConnectionParts(
        pipe.info(),
        http2,
        mailbox,
        pass,
        deadlines,
        new TouchedCalls(),
        memory,
        calls,
        sendQuota,
        receiving());
  }

  Http2Stream openStream() {
    return http2.openStream(HeaderList.EMPTY, HeaderList.EMPTY, EndStream.NO);
  }

  void openMail() {
    mailbox.openAll();
  }

  /** Time passes, and timers that are due run. */
  void passes(long nanos) {
    pipe.nowNanos += nanos;
    deadlines.expire(pipe.nowNanos);
  }

  @Override
  public void forEach(Consumer<? super HeldMessages> action) {
    List.copyOf(holders).forEach(action);
  }

  /** Takes no notice of its memory budget. */
  record Unmoved() implements MemoryLimiter.Member {
    @Override
    public void onShed(String why) {}

    @Override
    public void onScarce() {}
  }

  @Override
  public void onHeaders(Http2Stream stream, HeaderList headers, EndStream end) {}

  @Override
  public void onOversizedHeaders(Http2Stream stream, EndStream end) {}

  @Override
  public void onData(Http2Stream stream, ByteBuffer bytes) {}

  @Override
  public void onEndStream(Http2Stream stream) {}

  @Override
  public void onReset(Http2Stream stream, ErrorCode code) {}

  @Override
  public void onBroken(Http2Stream stream, Violation.OfStream violation) {}

  @Override
  public void onUnprocessed(Http2Stream stream) {}

  @Override
  public void onDataSent(Http2Stream stream, int bytes) {}

  @Override
  public void onEndSent(Http2Stream stream) {}

  @Override
  public void onSettings() {}

  @Override
  public void onPingAck(long opaque) {}

  @Override
  public void onGoAway(int lastStreamId, ErrorCode code, String debug) {}

  @Override
  public void onFailed(Violation violation) {}
}
