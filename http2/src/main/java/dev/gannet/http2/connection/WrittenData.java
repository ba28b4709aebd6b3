package dev.gannet.http2.connection;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.Role;
import dev.gannet.http2.hpack.HeaderList;
import java.nio.ByteBuffer;

/** Keeps stream states, accounts and the driver up with what the scheduler writes. */
final class WrittenData implements DataScheduler.Output {
  private final Http2Connection connection;

  WrittenData(Http2Connection connection) {
    this.connection = connection;
  }

  @Override
  public void onDataWritten(Http2Stream stream, int bytes, EndStream end) {
    connection.timers.onStreamFrameSent();
    if (connection.role == Role.CLIENT) {
      connection.resetsToCome.earn();
    }
    connection.updates.onData(bytes, stream.queuedBytes());
    if (bytes > 0) {
      connection.events.onDataSent(stream, bytes);
    }
    if (end == EndStream.YES) {
      connection.onEndWritten(stream);
    }
  }

  @Override
  public void onBufferEmpty(Http2Stream stream, ByteBuffer data) {
    connection.events.onBufferEmpty(stream, data);
  }

  @Override
  public void writeTrailers(Http2Stream stream) {
    HeaderList shared = stream.sharedTrailers();
    HeaderList own = stream.ownTrailers();
    connection.scheduler.dropOutput(stream);
    connection.writeHeaders(stream, shared, own, EndStream.YES);
  }
}
