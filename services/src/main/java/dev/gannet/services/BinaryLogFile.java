package dev.gannet.services;

import dev.gannet.services.binarylog.v1.GrpcLogEntry;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * A file of binary log entries, each preceded by its length as a varint: {@code
 * GrpcLogEntry.parseDelimitedFrom} reads them one by one. A separate thread writes; up to 16 MiB of
 * entries may wait for it, and further entries are dropped and counted. Safe for all threads.
 */
public final class BinaryLogFile implements BinaryLogSink, AutoCloseable {
  private static final Logger LOG = System.getLogger(BinaryLogFile.class.getName());
  private static final long MAX_WAITING_BYTES = 16L << 20;

  /** The memory of an entry in the queue in addition to its bytes. */
  private static final int ENTRY_BYTES = 256;

  private final OutputStream out;
  private final long mostWaitingBytes;
  private final BlockingQueue<Optional<GrpcLogEntry>> queue = new LinkedBlockingQueue<>();
  private final AtomicLong waitingBytes = new AtomicLong();
  private final LongAdder lost = new LongAdder();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread writer;

  /** Nothing is written any more: who adds an entry has to look for it in the queue. */
  private volatile boolean ended;

  /** Writes to this stream, which is closed with this object. */
  BinaryLogFile(OutputStream out, long mostWaitingBytes) {
    this.out = out;
    this.mostWaitingBytes = mostWaitingBytes;
    this.writer = Thread.ofPlatform().daemon().name("gannet-binary-log").start(this::writeAll);
  }

  /**
   * Opens the file and appends to it; creates it if it does not exist.
   *
   * @throws IOException if it cannot be opened for writing
   */
  public static BinaryLogFile open(Path file) throws IOException {
    OutputStream out =
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    return new BinaryLogFile(new BufferedOutputStream(out), MAX_WAITING_BYTES);
  }

  @Override
  public void write(GrpcLogEntry entry) {
    int cost = cost(entry);
    if (closed.get() || waitingBytes.addAndGet(cost) > mostWaitingBytes) {
      waitingBytes.addAndGet(-cost);
      lost.increment();
    } else {
      queue.add(Optional.of(entry));
      if (ended) {
        loseWaiting();
      }
    }
  }

  private static int cost(GrpcLogEntry entry) {
    return entry.getSerializedSize() + ENTRY_BYTES;
  }

  /**
   * The number of lost entries: too many were waiting, the disk was full, or the file was closed.
   */
  public long lost() {
    return lost.sum();
  }

  /** Writes waiting entries, and closes the file. Later entries are lost. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      queue.add(Optional.empty());
    }
    try {
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the thread continues to write the rest
    }
  }

  private void writeAll() {
    try (out) {
      for (Optional<GrpcLogEntry> next = queue.take(); next.isPresent(); next = queue.take()) {
        next.get().writeDelimitedTo(out);
        waitingBytes.addAndGet(-cost(next.get()));
        if (queue.isEmpty()) {
          out.flush();
        }
      }
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      lost.increment(); // the current entry; this thread is never interrupted
      LOG.log(Level.WARNING, "the binary log cannot be written; entries are lost from now on", e);
    } finally {
      closed.set(true);
      ended = true;
      loseWaiting();
    }
  }

  /** Each entry is taken from the queue once: to be written, or to be counted. */
  private void loseWaiting() {
    for (Optional<GrpcLogEntry> next = queue.poll(); next != null; next = queue.poll()) {
      lost.add(next.isPresent() ? 1 : 0);
    }
  }
}
