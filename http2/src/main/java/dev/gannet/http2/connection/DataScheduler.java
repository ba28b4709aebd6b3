package dev.gannet.http2.connection;

import dev.gannet.http2.ByteSink;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.Limits;
import dev.gannet.http2.frame.FrameWriter;
import dev.gannet.http2.stream.SendWindow;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Decides which stream's DATA is written next: as many bytes each in turn, as far as windows and
 * the wire allow.
 *
 * <p>Messages that wait together leave in one frame. A stream whose own window is closed leaves the
 * turn until the peer widens it; when the connection's window is closed, all wait where they stand,
 * and one whose turn was cut short by that goes on with what is left of it.
 *
 * <p>A frame is short only where nothing more is queued or a window ends. Windows that a peer opens
 * by crumbs are its {@link AbuseLedger} offence; to hold back such frames here could make two ends
 * wait for each other, for a peer may have no larger window to give.
 */
final class DataScheduler {
  /**
   * A turn, and the longest frame in it: long enough to be cheap, short enough that streams take
   * turns often; every peer takes it.
   */
  static final int TURN_BYTES = Limits.SMALLEST_MAX_FRAME_BYTES;

  /** What is left of a turn is not worth a frame of its own below this. */
  private static final int MIN_FRAME_BYTES = 1 << 10;

  private final ArrayDeque<Http2Stream> turn = new ArrayDeque<>();
  private final ArrayDeque<Http2Stream> waitingForConnection = new ArrayDeque<>();
  private final FrameWriter writer;
  private final ByteSink sink;
  private final Output output;
  private final SendWindow connectionWindow = new SendWindow(Limits.FIRST_WINDOW_BYTES);
  private long queuedBytes;
  private int closedStreams;

  /** What happens to a stream when something of it was written. */
  interface Output {
    void onDataWritten(Http2Stream stream, int bytes, EndStream end);

    void writeTrailers(Http2Stream stream);

    /** All of a queued buffer is written, or copied. */
    void onBufferEmpty(Http2Stream stream, ByteBuffer data);
  }

  DataScheduler(FrameWriter writer, ByteSink sink, Output output) {
    this.writer = writer;
    this.sink = sink;
    this.output = output;
  }

  /** What waits on all streams together. */
  long queuedBytes() {
    return queuedBytes;
  }

  /** Whether the connection's window and the wire let anything through. */
  boolean canSend() {
    return connectionWindow.available() > 0 && sink.wantsMore();
  }

  /** Widens the connection's window; false if it overflows. Who waited for it takes turns again. */
  boolean widenConnection(int increment) {
    boolean fits = connectionWindow.widen(increment);
    turn.addAll(waitingForConnection);
    waitingForConnection.clear();
    return fits;
  }

  /** Queues data behind what the stream has queued already, and gives it a turn. */
  void queue(Http2Stream stream, ByteBuffer data, EndStream end) {
    queuedBytes += data.remaining();
    stream.queue(data, end);
    schedule(stream);
  }

  /** Forgets all that the stream has queued. */
  void dropOutput(Http2Stream stream) {
    queuedBytes -= stream.dropOutput();
  }

  /**
   * Forgets a stream that is closed. It is taken out once half of those that wait are closed: so
   * what it leads to is let go, whether its peer ever opens the connection's window or not.
   */
  void close(Http2Stream stream) {
    dropOutput(stream);
    if (stream.scheduled && ++closedStreams * 2 > waitingStreams()) {
      turn.removeIf(Http2Stream::isClosed);
      waitingForConnection.removeIf(Http2Stream::isClosed);
      closedStreams = 0;
    }
  }

  /** How many streams wait for their turn or for the connection's window. */
  int waitingStreams() {
    return turn.size() + waitingForConnection.size();
  }

  /** Gives the stream a turn, if it has something to write and none yet. */
  void schedule(Http2Stream stream) {
    if (!stream.scheduled && stream.hasOutput() && mayWrite(stream)) {
      stream.scheduled = true;
      stream.turnBytesLeft = TURN_BYTES;
      turn.add(stream);
    }
  }

  /** Writes what may be written now. */
  void write() {
    while (!turn.isEmpty() && sink.wantsMore()) {
      Http2Stream stream = turn.poll();
      if (stream.isClosed()) {
        closedStreams--;
        continue;
      }
      if (stream.queuedBytes() > 0 && connectionWindow.available() == 0) {
        waitingForConnection.add(stream);
        continue;
      }
      stream.scheduled = false;
      if (stream.state.isWritable() && stream.hasOutput()) {
        writeOneFrame(stream);
        goOn(stream);
      }
    }
  }

  /**
   * The next turn is another's, unless the connection's window cut this one short. A stream has its
   * next one already if its driver queued more when it was told what was written.
   */
  private void goOn(Http2Stream stream) {
    if (stream.scheduled) {
      return;
    }
    boolean cutShort =
        stream.queuedBytes() > 0 && stream.turnBytesLeft >= MIN_FRAME_BYTES && mayWrite(stream);
    if (cutShort) {
      stream.scheduled = true;
      waitingForConnection.addFirst(stream);
    } else {
      schedule(stream);
    }
  }

  private void writeOneFrame(Http2Stream stream) {
    long queued = stream.queuedBytes();
    if (queued > 0 || stream.endsWithData()) {
      int window = Math.min(connectionWindow.available(), stream.sendWindow.available());
      int bytes = (int) Math.min(queued, Math.min(window, stream.turnBytesLeft));
      if (queued > 0 && bytes == 0) {
        return;
      }
      boolean last = bytes == queued && stream.endsWithData() && !stream.hasTrailers();
      EndStream end = EndStream.of(last);
      ByteBuffer frame = writer.data(stream.id(), bytes, end);
      stream.dequeue(bytes, frame, output);
      queuedBytes -= bytes;
      stream.turnBytesLeft -= bytes;
      stream.sendWindow.spend(bytes);
      connectionWindow.spend(bytes);
      if (bytes == window && bytes < queued) {
        stream.trimQueued(output);
      }
      if (last) {
        stream.dropOutput();
      }
      output.onDataWritten(stream, bytes, end);
    }
    if (stream.queuedBytes() == 0 && stream.hasTrailers()) {
      output.writeTrailers(stream);
    }
  }

  private static boolean mayWrite(Http2Stream stream) {
    return stream.queuedBytes() == 0 || stream.sendWindow.available() > 0;
  }
}
