package dev.gannet.conformance.gauntlet.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One TCP connection of an attacker, in plaintext or with TLS. Writes are gathered into batches of
 * 4 KiB, because one system call per frame would slow down the attacker more than the server;
 * {@link #flush} sends what was gathered. For one thread, except for {@link #close} and the
 * queries, which any thread may call.
 */
public final class RawConnection implements AutoCloseable {
  private static final int BATCH_BYTES = 4 << 10;
  private static final Duration LAST_WORDS = Duration.ofMillis(500);

  private final ByteChannel channel;
  private final Pace pace;
  private final ByteBuffer batch = ByteBuffer.allocate(BATCH_BYTES);
  private final Received received = new Received();
  private final CompletableFuture<Void> read = new CompletableFuture<>();
  private final AtomicBoolean startedReading = new AtomicBoolean();
  private final AtomicLong sentBytes = new AtomicLong();
  private long settingsAcknowledged;
  private boolean acknowledging;
  private volatile boolean broken;
  private volatile boolean closedByUs;

  private RawConnection(ByteChannel channel, Pace pace) {
    this.channel = channel;
    this.pace = pace;
  }

  /**
   * Connects.
   *
   * @throws IOException if the connection is not accepted
   */
  public static RawConnection open(InetSocketAddress server, Reading reading, Pace pace)
      throws IOException {
    return over(SocketChannel.open(server), reading, pace);
  }

  /**
   * Connects from an address of this machine.
   *
   * @throws IOException if there is no such address, or the connection is not accepted
   */
  public static RawConnection open(
      InetSocketAddress server, InetSocketAddress from, Reading reading, Pace pace)
      throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.bind(from);
      channel.connect(server);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    return over(channel, reading, pace);
  }

  /**
   * Connects and completes a TLS 1.3 handshake.
   *
   * @throws IOException if the connection is not accepted, or TLS fails
   */
  public static RawConnection openTls(InetSocketAddress server, Reading reading, Pace pace)
      throws IOException {
    return over(TlsChannel.open(server), reading, pace);
  }

  private static RawConnection over(ByteChannel channel, Reading reading, Pace pace) {
    RawConnection connection = new RawConnection(channel, pace);
    if (reading == Reading.EAGER) {
      connection.startReading();
    }
    return connection;
  }

  /** Sends the preface and first settings. */
  public void begin(int... settings) throws IOException {
    put(Frames.preface());
    put(Frames.settings(settings));
    acknowledging = true;
    flush();
  }

  /**
   * Sends these frames in order; they may be gathered first.
   *
   * @throws IOException if the server has closed the connection
   */
  public void send(byte[]... pieces) throws IOException {
    acknowledgeSettings();
    for (byte[] piece : pieces) {
      put(piece);
    }
  }

  /**
   * From now on only frames passed to this object are sent: an acknowledgement would interrupt a
   * header block.
   */
  public void acknowledgeNothing() {
    acknowledging = false;
  }

  /** Sends what was gathered. */
  public void flush() throws IOException {
    acknowledgeSettings();
    write();
  }

  /**
   * Sends a TLS key update; it may be gathered first.
   *
   * @throws IOException if the server has closed the connection
   * @throws IllegalStateException without TLS
   */
  public void updateKeys() throws IOException {
    flush();
    tls().gatherKeyUpdate();
    writeRecordsIfMany();
  }

  /**
   * Sends each octet as its own TLS record; they may be gathered first.
   *
   * @throws IOException if the server has closed the connection
   * @throws IllegalStateException without TLS
   */
  public void sendByOctets(byte[] piece) throws IOException {
    flush();
    for (byte octet : piece) {
      tls().gather(octet);
      writeRecordsIfMany();
    }
  }

  private TlsChannel tls() {
    if (channel instanceof TlsChannel tls) {
      return tls;
    }
    throw new IllegalStateException("a connection without TLS has no records");
  }

  private void writeRecordsIfMany() throws IOException {
    int bytes = tls().gatheredBytes();
    if (bytes >= BATCH_BYTES) {
      pace.take(bytes);
      try {
        tls().writeGathered();
      } catch (IOException e) {
        broken = true;
        throw e;
      }
      sentBytes.addAndGet(bytes);
    }
  }

  /** Whether the server has neither sent GOAWAY nor closed the connection. */
  public boolean isOpen() {
    return !broken && !read.isDone() && received.goAway().isEmpty();
  }

  /** How the server has ended the connection, if it has. */
  public Optional<Ending> ending() {
    if (closedByUs || isOpen()) {
      return Optional.empty();
    }
    startReading();
    try {
      read.get(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // The server sends nothing more.
    }
    return Optional.of(received.goAway().<Ending>map(it -> it).orElseGet(Ending.Dropped::new));
  }

  /** Streams that the server has ended or reset. */
  public long endedStreams() {
    return received.ended() + received.resets();
  }

  /** Streams that the server has ended normally. */
  public long answeredStreams() {
    return received.ended();
  }

  /** DATA frames that the server has sent. */
  public long dataFrames() {
    return received.dataFrames();
  }

  /** The number of bytes sent. */
  public long sentBytes() {
    return sentBytes.get();
  }

  /** Closes the socket; a thread that is sending gets an IOException. */
  @Override
  public void close() {
    closedByUs |= isOpen();
    try {
      channel.close();
    } catch (IOException e) {
      broken = true; // closed all the same
    }
  }

  private void put(byte[] piece) throws IOException {
    int at = 0;
    while (at < piece.length) {
      int bytes = Math.min(piece.length - at, batch.remaining());
      batch.put(piece, at, bytes);
      at += bytes;
      if (!batch.hasRemaining()) {
        write();
      }
    }
  }

  private void write() throws IOException {
    batch.flip();
    pace.take(batch.remaining());
    try {
      while (batch.hasRemaining()) {
        sentBytes.addAndGet(channel.write(batch));
      }
    } catch (IOException e) {
      broken = true;
      throw e;
    } finally {
      batch.clear();
    }
  }

  /** The writing thread does it, so that only one thread writes. */
  private void acknowledgeSettings() throws IOException {
    while (acknowledging && settingsAcknowledged < received.settings()) {
      settingsAcknowledged++;
      put(Frames.settingsAck());
    }
  }

  private void startReading() {
    if (startedReading.compareAndSet(false, true)) {
      Thread.ofVirtual().start(this::readAll);
    }
  }

  private void readAll() {
    try {
      received.readAll(channel);
    } catch (IOException e) {
      // Reset by the server or closed by us: in both cases the end.
    } finally {
      read.complete(null);
    }
  }
}
