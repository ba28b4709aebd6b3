package dev.gannet.suites.storm;

import dev.gannet.suites.Side;
import dev.gannet.suites.SimulatedConnection;
import dev.gannet.suites.Tap;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Observes all connections of a storm, and checks HTTP/2's rules of flow control and of stream
 * states using only the frames. Computes a digest of everything that is sent, by which two runs of
 * the same storm can be compared.
 */
final class Referee implements Tap {
  private static final long DIGEST_PRIME = 0x100_0000_01b3L; // of the FNV-1a hash

  private final LongSupplier clock;
  private final long largestWindowBytes;
  private final Map<SimulatedConnection, Match> matches = new LinkedHashMap<>();
  private long digest;
  private int connections;
  private int resets;
  private int goAways;
  private @Nullable AssertionError broken;

  Referee(LongSupplier clock, long largestWindowBytes) {
    this.clock = clock;
    this.largestWindowBytes = largestWindowBytes;
  }

  long digest() {
    return digest;
  }

  int connections() {
    return connections;
  }

  int resets() {
    return resets;
  }

  int goAways() {
    return goAways;
  }

  private Match matchOf(SimulatedConnection connection) {
    Match match = matches.get(connection);
    if (match == null) {
      connections++;
      match = new Match();
      matches.put(connection, match);
    }
    return match;
  }

  @Override
  public void onSent(SimulatedConnection connection, Side from, ByteBuffer bytes) {
    note(from, bytes.remaining());
    judge(() -> matchOf(connection).sent(from).scan(bytes));
  }

  @Override
  public void onArriving(SimulatedConnection connection, Side to, ByteBuffer bytes) {
    note(to, -bytes.remaining());
    judge(() -> matchOf(connection).arriving(to).scan(bytes));
  }

  /** What is thrown here is thrown into an engine, which may swallow it: so it is stored, too. */
  private void judge(Runnable looking) {
    try {
      looking.run();
    } catch (AssertionError e) {
      broken = broken == null ? e : broken;
      throw e;
    }
  }

  @Override
  public void onClosed(SimulatedConnection connection, Side end) {
    note(end, 0);
    if (!connection.isOpen()) {
      matches.remove(connection);
    }
  }

  private void note(Side side, long what) {
    digest = (digest ^ what ^ (side == Side.CLIENT ? 0 : Long.MIN_VALUE)) * DIGEST_PRIME;
    digest = (digest ^ clock.getAsLong()) * DIGEST_PRIME;
  }

  /** All calls have ended, and nothing is on its way on any connection. */
  void checkAtRest() {
    checkKept();
    matches.forEach((connection, match) -> {
      for (Side side : Side.values()) {
        Invariant.holds(
            connection.unflushedBytes(side) == 0, () -> side + " forgot to flush " + connection);
      }
      match.checkAtRest();
    });
  }

  /** Nothing that was sent broke a rule. */
  void checkKept() {
    if (broken != null) {
      throw new AssertionError(broken.getMessage(), broken);
    }
  }

  /** What is sent on one connection. */
  private final class Match {
    private final Map<Side, Speaker> speakers = new HashMap<>();
    private final Map<Integer, StreamLife> streams = new HashMap<>();

    Match() {
      for (Side side : Side.values()) {
        speakers.put(side, new Speaker(side, new Credit(largestWindowBytes), this));
      }
    }

    private Speaker speaker(Side side) {
      Speaker speaker = speakers.get(side);
      if (speaker == null) {
        throw new IllegalStateException("there are two sides");
      }
      return speaker;
    }

    FrameScanner sent(Side from) {
      return speaker(from).sent;
    }

    FrameScanner arriving(Side to) {
      return speaker(to.other()).arriving;
    }

    StreamLife stream(int streamId) {
      return streams.computeIfAbsent(streamId, StreamLife::new);
    }

    void checkAtRest() {
      streams.values().forEach(StreamLife::checkEnded);
      speakers.values().forEach(speaker -> speaker.credit.checkAtRest());
    }
  }

  /** One end of a connection, and what it sends: at departure and at arrival. */
  private final class Speaker {
    private final Side side;
    private final Credit credit;
    private final Match match;
    private final FrameScanner sent;
    private final FrameScanner arriving;
    private int lastGoAwayStreamId = Integer.MAX_VALUE;

    Speaker(Side side, Credit credit, Match match) {
      this.side = side;
      this.credit = credit;
      this.match = match;
      boolean client = side == Side.CLIENT;
      this.sent = new FrameScanner(client, this::onSent);
      this.arriving = new FrameScanner(client, this::onArriving);
    }

    /** The credit that this end gives for what the other end sends. */
    private Credit given() {
      return match.speaker(side.other()).credit;
    }

    private void onSent(int type, int flags, int streamId, int bytes, ByteBuffer payload) {
      switch (type) {
        case FrameScanner.DATA -> {
          match.stream(streamId).onSpoken(side, flags);
          credit.onDataSent(streamId, bytes);
        }
        case FrameScanner.HEADERS -> match.stream(streamId).onSpoken(side, flags);
        case FrameScanner.RST_STREAM -> {
          resets++;
          match.stream(streamId).onReset(side);
        }
        case FrameScanner.WINDOW_UPDATE -> given().onGrantSent(streamId, payload.getInt());
        case FrameScanner.SETTINGS -> initialWindow(payload, given()::onInitialSent);
        case FrameScanner.GOAWAY -> onGoAway(payload.getInt());
        default -> {}
      }
    }

    private void onArriving(int type, int flags, int streamId, int bytes, ByteBuffer payload) {
      switch (type) {
        case FrameScanner.DATA -> credit.onDataReceived(streamId, bytes);
        case FrameScanner.WINDOW_UPDATE -> given().onGrantReceived(streamId, payload.getInt());
        case FrameScanner.SETTINGS -> initialWindow(payload, given()::onInitialReceived);
        default -> {}
      }
    }

    private void onGoAway(int lastStreamId) {
      goAways++;
      Invariant.holds(
          lastStreamId <= lastGoAwayStreamId,
          () -> side + " takes back that it goes away: " + lastStreamId);
      lastGoAwayStreamId = lastStreamId;
    }

    private static void initialWindow(ByteBuffer settings, IntConsumer then) {
      while (settings.hasRemaining()) {
        short id = settings.getShort();
        int value = settings.getInt();
        if (id == FrameScanner.INITIAL_WINDOW_SIZE) {
          then.accept(value);
        }
      }
    }
  }
}
