package dev.gannet.http2.connection;

import dev.gannet.http2.ByteSink;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.Limits;
import dev.gannet.http2.frame.FrameWriter;
import dev.gannet.http2.stream.SendWindow;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Decides which stream's DATA is written next: one frame each in turn, as far as windows and the
 * wire allow.
 *
 * <p>Messages that wait together leave in one frame. A stream whose own window is closed leaves the
 * turn until the peer widens it; when the connection's window is closed, all wait where they stand.
 */
final class DataScheduler {
  /** Long enough to be cheap, short enough that streams take turns often; every peer takes it. */
  private static final int LONGEST_FRAME_BYTES = Limits.SMALLEST_MAX_FRAME_BYTES;

  private final ArrayDeque<Http2Stream> turn = new ArrayDeque<>();
  private final ArrayDeque<Http2Stream> waitingForConnection = new ArrayDeque<>();
  private final FrameWriter writer;
  private final ByteSink sink;
  private final Output output;
  private final SendWindow connectionWindow = new SendWindow(Limits.FIRST_WINDOW_BYTES);

  /** What happens to a stream when something of it was written. */
  interface Output {
    void onDataWritten(Http2Stream stream, int bytes, EndStream end);

    void writeTrailers(Http2Stream stream);
  }

  DataScheduler(FrameWriter writer, ByteSink sink, Output output) {
    this.writer = writer;
    this.sink = sink;
    this.output = output;
  }

  /** Widens the connection's window; false if it overflows. Who waited for it takes turns again. */
  boolean widenConnection(int increment) {
    boolean fits = connectionWindow.widen(increment);
    turn.addAll(waitingForConnection);
    waitingForConnection.clear();
    return fits;
  }

  /** Gives the stream a turn, if it has something to write and none yet. */
  void schedule(Http2Stream stream) {
    if (!stream.scheduled && stream.hasOutput() && mayWrite(stream)) {
      stream.scheduled = true;
      turn.add(stream);
    }
  }

  /** Writes what may be written now. */
  void write() {
    while (!turn.isEmpty() && sink.wantsMore()) {
      Http2Stream stream = turn.poll();
      if (stream.queuedBytes() > 0 && connectionWindow.available() == 0) {
        waitingForConnection.add(stream);
        continue;
      }
      stream.scheduled = false;
      if (stream.state.isWritable() && stream.hasOutput()) {
        writeOneFrame(stream);
        schedule(stream);
      }
    }
  }

  private void writeOneFrame(Http2Stream stream) {
    int queued = stream.queuedBytes();
    if (queued > 0 || stream.endsWithData()) {
      int window = Math.min(connectionWindow.available(), stream.sendWindow.available());
      int bytes = Math.min(queued, Math.min(window, LONGEST_FRAME_BYTES));
      if (queued > 0 && bytes == 0) {
        return;
      }
      boolean last = bytes == queued && stream.endsWithData() && !stream.hasTrailers();
      EndStream end = EndStream.of(last);
      ByteBuffer frame = writer.data(stream.id(), bytes, end);
      stream.dequeue(bytes, frame);
      stream.sendWindow.spend(bytes);
      connectionWindow.spend(bytes);
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
