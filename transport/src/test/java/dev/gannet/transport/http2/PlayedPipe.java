package dev.gannet.transport.http2;

import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.pipe.Pipe;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/** A pipe whose loop and clock a test plays; it writes down what it is told. */
final class PlayedPipe implements Pipe {
  private static final SocketAddress PEER = InetSocketAddress.createUnresolved("peer", 1);

  /** What was flushed or closed, in order. */
  final List<String> orders = new ArrayList<>();

  final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  long nowNanos;
  boolean onLoop = true;
  boolean ended;
  private ByteBuffer open = ByteBuffer.allocate(1 << 16);
  private boolean written;

  /** Runs the tasks that the loop has been given until now. */
  void runTasks() {
    for (int left = tasks.size(); left > 0; left--) {
      tasks.remove().run();
    }
  }

  @Override
  public ByteBuffer reserve(int bytes) {
    if (open.remaining() < bytes) {
      open = ByteBuffer.allocate(Math.max(bytes, 1 << 16));
    }
    written = true;
    return open;
  }

  /** Whether anything was written since this was last asked. */
  boolean takeWritten() {
    boolean was = written;
    written = false;
    return was;
  }

  @Override
  public boolean wantsMore() {
    return true;
  }

  @Override
  public void flush() {
    orders.add("flush");
  }

  @Override
  public long unsentBytes() {
    return 0;
  }

  @Override
  public void close() {
    orders.add("close");
  }

  @Override
  public void closeSoon() {
    orders.add("close soon");
  }

  @Override
  public void setReading(boolean reading) {}

  @Override
  public void execute(Runnable task) {
    if (ended) {
      throw new RejectedExecutionException("the loop has ended");
    }
    tasks.add(task);
  }

  @Override
  public boolean inLoop() {
    return onLoop;
  }

  @Override
  public void wakeAt(long nanos) {}

  @Override
  public long openedNanos() {
    return 0;
  }

  @Override
  public long nanoTime() {
    return nowNanos;
  }

  @Override
  public ConnectionInfo info() {
    return new ConnectionInfo(PEER, PEER);
  }
}
