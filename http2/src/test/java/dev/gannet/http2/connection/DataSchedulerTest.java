package dev.gannet.http2.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.frame.FrameWriter;
import dev.gannet.http2.stream.ReceiveWindow;
import dev.gannet.http2.stream.SendWindow;
import dev.gannet.http2.stream.StreamState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Each stream has one place among those that wait, and none once it is closed. */
final class DataSchedulerTest {
  private static final int STREAMS = 60;
  private static final int INITIAL_WINDOW_BYTES = 65_535;

  private final WrittenBytes written = new WrittenBytes();
  private final List<Integer> wrote = new ArrayList<>();
  private final DataScheduler scheduler =
      new DataScheduler(new FrameWriter(written), written, new Noted());
  private Consumer<Http2Stream> onEachWrite = stream -> {};
  private int nextStreamId = 1;

  private final class Noted implements DataScheduler.Output {
    @Override
    public void onDataWritten(Http2Stream stream, int bytes, EndStream end) {
      wrote.add(stream.id());
      onEachWrite.accept(stream);
    }

    @Override
    public void writeTrailers(Http2Stream stream) {}

    @Override
    public void onBufferEmpty(Http2Stream stream, ByteBuffer data) {}
  }

  private Http2Stream queues(int bytes) {
    SendWindow window = new SendWindow(INITIAL_WINDOW_BYTES);
    Http2Stream stream = new Http2Stream(nextStreamId, window, new ReceiveWindow(0));
    nextStreamId += 2;
    stream.state = StreamState.OPEN;
    scheduler.queue(stream, ByteBuffer.allocate(bytes), EndStream.NO);
    return stream;
  }

  private void closes(Http2Stream stream) {
    stream.state = StreamState.RESET_BY_PEER;
    scheduler.close(stream);
  }

  private void usesTheConnectionsWindowUp() {
    queues(INITIAL_WINDOW_BYTES);
    scheduler.write();
    wrote.clear();
  }

  @Test
  void closedStreamsDoNotWaitForTheConnectionsWindow() {
    usesTheConnectionsWindowUp();
    Http2Stream first = queues(1);
    for (int i = 0; i < STREAMS; i++) {
      Http2Stream stream = queues(10);
      scheduler.write();
      closes(stream);
      assertThat(scheduler.waitingStreams()).isLessThan(4);
    }
    assertThat(scheduler.queuedBytes()).isEqualTo(1);
    scheduler.widenConnection(100);
    scheduler.write();
    assertThat(wrote).containsExactly(first.id());
    assertThat(scheduler.waitingStreams()).isZero();
  }

  @Test
  void closedStreamsDoNotWaitForTheWire() {
    written.wants(0);
    for (int i = 0; i < STREAMS; i++) {
      closes(queues(10));
    }
    assertThat(scheduler.waitingStreams()).isZero();
    Http2Stream open = queues(10);
    written.wants(10);
    scheduler.write();
    assertThat(wrote).containsExactly(open.id());
  }

  @Test
  void aStreamThatRemainsQueuedKeepsItsTurn() {
    usesTheConnectionsWindowUp();
    List<Http2Stream> streams = new ArrayList<>();
    for (int i = 0; i < STREAMS; i++) {
      streams.add(queues(10));
    }
    scheduler.write();
    List<Integer> staying = new ArrayList<>();
    for (int i = 0; i < STREAMS; i++) {
      if (i % 3 == 0) {
        staying.add(streams.get(i).id());
      } else {
        closes(streams.get(i));
      }
    }
    scheduler.widenConnection(INITIAL_WINDOW_BYTES);
    scheduler.write();
    assertThat(wrote).containsExactlyElementsOf(staying);
    assertThat(scheduler.waitingStreams()).isZero();
  }

  /** Fewer than half of those that wait are closed: they are passed over. */
  @Test
  void aClosedStreamThatStillWaitsIsPassedOver() {
    usesTheConnectionsWindowUp();
    Http2Stream first = queues(10);
    Http2Stream second = queues(10);
    Http2Stream third = queues(10);
    scheduler.write();
    closes(second);
    scheduler.widenConnection(100);
    scheduler.write();
    assertThat(wrote).containsExactly(first.id(), third.id());
    assertThat(scheduler.waitingStreams()).isZero();
  }

  @Test
  void aStreamThatQueuesMoreDuringAWriteHasOneTurn() {
    queues(INITIAL_WINDOW_BYTES - 10);
    scheduler.write();
    wrote.clear();
    onEachWrite = stream -> scheduler.queue(stream, ByteBuffer.allocate(10), EndStream.NO);
    Http2Stream stream = queues(20);
    scheduler.write();
    assertThat(wrote).containsExactly(stream.id());
    assertThat(scheduler.waitingStreams()).isOne();
  }
}
