package dev.gannet.http2.connection;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.message.DeclaredContent;
import dev.gannet.http2.stream.ReceiveWindow;
import dev.gannet.http2.stream.SendWindow;
import dev.gannet.http2.stream.StreamState;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** One stream of a connection: its state, its windows and what waits to be sent on it. */
public final class Http2Stream {
  private static final Object NOTHING = new Object();

  /**
   * The rest of a buffer is copied, and the buffer released, if the rest is at most this part of
   * it.
   */
  private static final int TRIMMED_SHARE = 4;

  final SendWindow sendWindow;
  final ReceiveWindow receiveWindow;
  StreamState state = StreamState.IDLE;
  boolean scheduled;
  int turnBytesLeft;

  // How much of the peer's message has arrived, for ReceivedMessages.
  boolean hasHead;
  boolean asksForHead;
  byte interims;
  @Nullable DeclaredContent declaredContent;

  private final int id;
  private @Nullable ByteBuffer firstQueued;
  private @Nullable ArrayDeque<ByteBuffer> laterQueued;
  private long queuedBytes;
  private EndStream endBehindData = EndStream.NO;
  private @Nullable HeaderList sharedTrailers;
  private HeaderList ownTrailers = HeaderList.EMPTY;
  private Object attachment = NOTHING;

  Http2Stream(int id, SendWindow sendWindow, ReceiveWindow receiveWindow) {
    this.id = id;
    this.sendWindow = sendWindow;
    this.receiveWindow = receiveWindow;
  }

  /** The stream's number, 1 to 2^31 - 1. */
  public int id() {
    return id;
  }

  /** What the driver attached to the stream; a placeholder until {@link #attach} was called. */
  public Object attachment() {
    return attachment;
  }

  /**
   * Attaches what the driver keeps for the stream, in place of what it attached before. This module
   * does not look at it. Gannet's driver attaches the call or the rejected request, and finds it by
   * {@code ServerConnection.requestOf} and {@code ClientConnection.callOf}.
   */
  public void attach(Object attachment) {
    this.attachment = attachment;
  }

  /** Whether nothing more can happen on it. */
  public boolean isClosed() {
    return state.isClosed();
  }

  /** Bytes of DATA that wait for a window or for the sink. */
  public long queuedBytes() {
    return queuedBytes;
  }

  /** How many bytes the stream's window allows this side to send now. */
  public int sendWindowBytes() {
    return sendWindow.available();
  }

  /** Whether the stream's window allows the peer to send on it. */
  public boolean isWindowOpen() {
    return receiveWindow.left() > 0;
  }

  /**
   * Whether a part of the first queued buffer has been written: buffers are queued with position 0.
   */
  boolean isInsideBuffer() {
    return firstQueued != null && firstQueued.position() > 0;
  }

  void queue(ByteBuffer data, EndStream end) {
    endBehindData = end;
    if (data.hasRemaining()) {
      queuedBytes += data.remaining();
      if (firstQueued == null) {
        firstQueued = data;
      } else {
        queueLater(data);
      }
    }
  }

  private void queueLater(ByteBuffer data) {
    if (laterQueued == null) {
      laterQueued = new ArrayDeque<>(4);
    }
    laterQueued.add(data);
  }

  void queueTrailers(HeaderList shared, HeaderList own) {
    sharedTrailers = shared;
    ownTrailers = own;
  }

  boolean hasTrailers() {
    return sharedTrailers != null;
  }

  HeaderList sharedTrailers() {
    return sharedTrailers == null ? HeaderList.EMPTY : sharedTrailers;
  }

  HeaderList ownTrailers() {
    return ownTrailers;
  }

  /** Whether the last queued DATA ends the stream. */
  boolean endsWithData() {
    return endBehindData == EndStream.YES;
  }

  /** Whether anything waits: data, an empty last DATA, or trailers. */
  boolean hasOutput() {
    return queuedBytes > 0 || sharedTrailers != null || endBehindData == EndStream.YES;
  }

  /** Releases a buffer of which only a small rest waits, by copying that rest. */
  void trimQueued(DataScheduler.Output output) {
    ByteBuffer rest = firstQueued;
    if (rest != null && rest.remaining() <= rest.capacity() / TRIMMED_SHARE) {
      int begun = rest.position() > 0 ? 1 : 0; // the copy has the same position, too
      ByteBuffer copy = ByteBuffer.allocate(begun + rest.remaining());
      copy.put(begun, rest, rest.position(), rest.remaining()).position(begun);
      firstQueued = copy;
      output.onBufferEmpty(this, rest);
    }
  }

  /** Moves exactly this many queued bytes into the buffer. */
  void dequeue(int bytes, ByteBuffer into, DataScheduler.Output output) {
    int left = bytes;
    while (left > 0 && firstQueued != null) {
      ByteBuffer data = firstQueued;
      int some = Math.min(left, data.remaining());
      into.put(into.position(), data, data.position(), some);
      into.position(into.position() + some);
      data.position(data.position() + some);
      left -= some;
      if (!data.hasRemaining()) {
        firstQueued = laterQueued == null ? null : laterQueued.poll();
        output.onBufferEmpty(this, data);
      }
    }
    queuedBytes -= bytes;
  }

  /** Drops all that waits and returns how many bytes that were. */
  long dropOutput() {
    long dropped = queuedBytes;
    firstQueued = null;
    laterQueued = null;
    queuedBytes = 0;
    endBehindData = EndStream.NO;
    sharedTrailers = null;
    return dropped;
  }

  @Override
  public String toString() {
    return "stream " + id + " " + state;
  }
}
