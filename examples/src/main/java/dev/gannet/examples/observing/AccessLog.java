package dev.gannet.examples.observing;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * A line for each request, also for those that no handler sees: {@code /192.0.2.7:51234
 * /demo.Greeter/SayHello OK 3 ms}. For {@code ServerBuilder.addTracer}.
 *
 * <p>Tracers run on event loops, which must not wait for a disk: a thread of its own writes the
 * lines. If it cannot keep up, or the logger fails, lines are dropped and {@linkplain #dropped
 * counted}.
 */
public final class AccessLog implements ServerStreamTracer.Factory, AutoCloseable {
  private static final int MAX_WAITING_LINES = 10_000;
  private static final String END = "";

  private final Logger log;
  private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(MAX_WAITING_LINES);
  private final LongAdder dropped = new LongAdder();
  private final Thread writer;

  /** Writes to this logger. */
  public AccessLog(Logger log) {
    this.log = log;
    this.writer = Thread.ofPlatform().name("access-log").daemon().start(this::write);
  }

  /** How many lines were not written: too many others were waiting, or the logger failed. */
  public long dropped() {
    return dropped.sum();
  }

  @Override
  public ServerStreamTracer newTracer(ServerStreamTracer.Start call) {
    return new Request(this, call.peer() + " " + call.path(), System.nanoTime());
  }

  private void add(String line) {
    if (!lines.offer(line)) { // never waits
      dropped.increment();
    }
  }

  private void write() {
    try {
      for (String line = lines.take(); !line.equals(END); line = lines.take()) {
        write(line);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the last thing it does
    }
  }

  /** A failure of the logger, as on a full disk, does not end the thread. */
  private void write(String line) {
    try {
      log.log(Level.INFO, line);
    } catch (RuntimeException e) {
      dropped.increment();
    }
  }

  /** Writes the lines that wait, and ends. Close the server first. */
  @Override
  public void close() {
    try {
      boolean isToEnd = false;
      while (!isToEnd && writer.isAlive()) { // nobody takes lines from a thread that has ended
        isToEnd = lines.offer(END, 100, TimeUnit.MILLISECONDS);
      }
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private record Request(AccessLog log, String what, long beganNanos)
      implements ServerStreamTracer {
    @Override
    public void onEnd(Status status, Metadata trailers) {
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
      log.add(what + " " + status + " " + millis + " ms");
    }
  }
}
