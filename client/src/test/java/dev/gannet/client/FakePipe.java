package dev.gannet.client;

import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import dev.gannet.transport.pipe.PipeProvider;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/** A pipe to a server that a test plays: it counts what is written, and says what it is told to. */
public final class FakePipe implements Pipe {
  private static final byte[] EMPTY_SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

  public final SocketAddress address;
  public final String serverName;
  public final PipeProvider.Connecting then;
  public boolean takenBack;
  public boolean closed;
  public long writtenBytes;
  private final SimulatedLoop loop;

  @SuppressWarnings("NullAway.Init") // when it opens
  private PipeListener events;

  private ByteBuffer open = ByteBuffer.allocate(1 << 16);

  public FakePipe(
      SimulatedLoop loop, SocketAddress address, String serverName, PipeProvider.Connecting then) {
    this.loop = loop;
    this.address = address;
    this.serverName = serverName;
    this.then = then;
  }

  public void takeBack() {
    takenBack = true;
  }

  /** The pipe opens, and the server says its SETTINGS. */
  public void becomesReady() {
    events = then.onOpen(this);
    events.onBytes(ByteBuffer.wrap(EMPTY_SETTINGS));
    events.onBatchEnd();
  }

  @Override
  public ByteBuffer reserve(int bytes) {
    if (open.remaining() < bytes) {
      writtenBytes += open.position();
      open = ByteBuffer.allocate(Math.max(bytes, 1 << 16));
    }
    return open;
  }

  @Override
  public boolean wantsMore() {
    return true;
  }

  @Override
  public void flush() {
    writtenBytes += open.position();
    open.clear();
  }

  @Override
  public long unsentBytes() {
    return 0;
  }

  @Override
  public void close() {
    closed = true;
    loop.execute(() -> events.onClosed("closed"));
  }

  @Override
  public void setReading(boolean reading) {}

  @Override
  public void execute(Runnable task) {
    loop.execute(task);
  }

  @Override
  public boolean inLoop() {
    return true;
  }

  @Override
  public void wakeAt(long nanos) {}

  @Override
  public long openedNanos() {
    return 0;
  }

  @Override
  public long nanoTime() {
    return loop.nanoTime();
  }

  @Override
  public ConnectionInfo info() {
    return new ConnectionInfo(address, address);
  }
}
