package dev.gannet.http2.connection;

import dev.gannet.http2.ByteSink;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.Limits;
import dev.gannet.http2.frame.FrameWriter;
import dev.gannet.http2.stream.SendWindow;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Decides which stream's DATA is written next: streams take turns of the same number of bytes, as
 * far as windows and the sink allow.
 *
 * <p>Messages that wait together are sent in one frame. A stream whose own window is closed takes
 * no turns until the peer widens the window; when the connection's window is closed, all streams
 * keep their place, and a stream whose turn was cut short by it continues with the rest of that
 * turn.
 *
 * <p>A frame is short only if nothing more is queued or a window ends. A peer that opens windows by
 * a few bytes at a time commits an {@link AbuseLedger} offence; delaying such frames here could
 * make both ends wait for each other, because a peer may have no larger window to give.
 */
final class DataScheduler {
  /**
   * The length of a turn, and of the longest frame in it: long enough to be efficient, short enough
   * that streams alternate often; every peer accepts this length.
   */
  static final int TURN_BYTES = Limits.SMALLEST_MAX_FRAME_BYTES;

  /** If less than this is left of a turn, it is not used for another frame. */
  private static final int MIN_FRAME_BYTES = 1 << 10;

  private final ArrayDeque<Http2Stream> turn = new ArrayDeque<>(0);

  /** Empty while the connection's window is open. */
  private final ArrayDeque<Http2Stream> waitingForConnection = new ArrayDeque<>(0);

  private final FrameWriter writer;
  private final ByteSink sink;
  private final Output output;
  private final SendWindow connectionWindow = new SendWindow(Limits.INITIAL_WINDOW_BYTES);
  private long queuedBytes;
  private int closedStreams;

  /** Is notified when something of a stream was written. */
  interface Output {
    void onDataWritten(Http2Stream stream, int bytes, EndStream end);

    void writeTrailers(Http2Stream stream);

    /** All of a queued buffer is written or copied. */
    void onBufferEmpty(Http2Stream stream, ByteBuffer data);
  }

  DataScheduler(FrameWriter writer, ByteSink sink, Output output) {
    this.writer = writer;
    this.sink = sink;
    this.output = output;
  }

  /** The bytes that wait on all streams together. */
  long queuedBytes() {
    return queuedBytes;
  }

  /** Whether the connection's window and the sink allow DATA now. */
  boolean canSend() {
    return connectionWindow.available() > 0 && sink.wantsMore();
  }

  /**
   * Widens the connection's window; false if it overflows. Streams that waited for it take turns
   * again.
   */
  boolean widenConnection(int increment) {
    boolean fits = connectionWindow.widen(increment);
    turn.addAll(waitingForConnection);
    waitingForConnection.clear();
    return fits;
  }

  /** Appends data to what the stream has queued, and gives it a turn. */
  void queue(Http2Stream stream, ByteBuffer data, EndStream end) {
    queuedBytes += data.remaining();
    stream.queue(data, end);
    schedule(stream);
  }

  /** Drops all that the stream has queued. */
  void dropOutput(Http2Stream stream) {
    queuedBytes -= stream.dropOutput();
  }

  /**
   * Forgets a closed stream. Closed streams are removed once they are half of those that wait, so
   * their memory is freed even if the peer never opens the connection's window.
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

  /** Gives the stream a turn, if it has something to write and no turn yet. */
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
   * The next turn is another stream's, unless the connection's window cut this one short. That has
   * just become 0 then, so this stream is the first that waits for it, and continues before all
   * others. The stream already has its next turn if its driver queued more when it was notified of
   * what was written.
   */
  private void goOn(Http2Stream stream) {
    if (stream.scheduled) {
      return;
    }
    boolean cutShort =
        stream.queuedBytes() > 0 && stream.turnBytesLeft >= MIN_FRAME_BYTES && mayWrite(stream);
    if (cutShort) {
      stream.scheduled = true;
      waitingForConnection.add(stream);
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
