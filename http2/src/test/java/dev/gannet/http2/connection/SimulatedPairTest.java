package dev.gannet.http2.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.AbuseLimits;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.HeaderLimits;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Role;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.WindowLimits;
import dev.gannet.http2.WorkLimits;
import dev.gannet.http2.stream.SharedWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A client and a server of ours, wired in memory, talk at random. Every byte arrives once and in
 * order, every stream ends on both sides, no window is overdrawn and all credit comes back.
 *
 * <p>{@code -Dgannet.seeds=N} plays seeds 1 to N, {@code -Dgannet.seed=K} plays K alone.
 */
final class SimulatedPairTest {
  private static final int SEEDS = 200;
  private static final int MAX_STREAMS = 60;
  private static final int MAX_STEPS = 2_000;

  /** Of two peers that answer each other, one must continue to read, or both would stop. */
  private static final int NEVER_PAUSES = 1_000_000;

  private static final int MAX_ROUNDS = 20_000;
  private static final int[] STREAM_WINDOWS = {1, 50, 3_000, 32_767, 65_535, 100_000, 1 << 20};

  static LongStream seeds() {
    return Optional.ofNullable(Long.getLong("gannet.seed"))
        .map(LongStream::of)
        .orElseGet(() -> LongStream.rangeClosed(1, Integer.getInteger("gannet.seeds", SEEDS)));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everythingSentIsReceivedOnceAndEverythingEnds(long seed) {
    try {
      new Talk(seed).play();
    } catch (AssertionError | RuntimeException broken) {
      throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
    }
  }

  /** One run of two ends. */
  private static final class Talk {
    private final Random random;
    private final SimulatedEnd client;
    private final SimulatedEnd server;
    private final List<SimulatedEnd> ends;
    private final int steps;
    private int streamsToOpen;

    Talk(long seed) {
      random = new Random(seed);
      client = new SimulatedEnd(Role.CLIENT, someLimits(NEVER_PAUSES), random);
      server = new SimulatedEnd(Role.SERVER, someLimits(1 + random.nextInt(3)), random);
      ends = List.of(client, server);
      steps = random.nextInt(MAX_STEPS);
      streamsToOpen = 1 + random.nextInt(MAX_STREAMS);
    }

    private Limits someLimits(int repliesBeforePause) {
      return new Limits(
          random.nextBoolean() ? 1 << 14 : (1 << 14) + random.nextInt(1 << 17),
          1 + random.nextInt(20),
          Limits.DEFAULT.streamsPerConnection(),
          new HeaderLimits(1 << 17, 20, 8, random.nextInt(3) * random.nextInt(5_000)),
          someWindows(),
          someWork(repliesBeforePause),
          AbuseLimits.DEFAULT,
          Timeouts.DEFAULT);
    }

    private WindowLimits someWindows() {
      int streamBytes = STREAM_WINDOWS[random.nextInt(STREAM_WINDOWS.length)];
      int connectionBytes = 65_535 + random.nextInt(3) * random.nextInt(100_000);
      return random.nextInt(3) == 0
          ? WindowLimits.fixed(streamBytes, connectionBytes)
          : new WindowLimits(
              streamBytes,
              connectionBytes,
              random.nextInt(4 * connectionBytes),
              1 + random.nextInt(1 << random.nextInt(20)));
    }

    private WorkLimits someWork(int repliesBeforePause) {
      int frames = 1 + random.nextInt(5);
      return new WorkLimits(frames, 1 + random.nextInt(3), repliesBeforePause, NEVER_PAUSES);
    }

    void play() {
      client.meets(server);
      server.meets(client);
      for (int i = 0; i < steps; i++) {
        step();
      }
      streamsToOpen = 0;
      for (int round = 0; !isQuiet(); round++) {
        assertThat(round).as("rounds until all is said").isLessThan(MAX_ROUNDS);
        ends.forEach(this::finish);
      }
      checkTheEnd();
      saysGoodbye();
    }

    private void step() {
      SimulatedEnd end = ends.get(random.nextInt(2));
      switch (random.nextInt(12)) {
        case 0 -> openStream();
        case 1, 2 -> any(end).filter(SimulatedStream::hasMoreToSay).ifPresent(end::say);
        case 3, 4 -> any(end).ifPresent(stream -> readSome(end, stream));
        case 5 -> any(end).filter(stream -> random.nextInt(20) == 0).ifPresent(end::reset);
        case 6 -> any(end).ifPresent(end::release);
        case 7 -> pingOrSqueezeSometimes(end);
        case 8, 9 -> end.flush();
        default -> end.receiveSome();
      }
      end.out.collect();
      ends.forEach(SimulatedEnd::checkCredit);
    }

    private void openStream() {
      if (streamsToOpen > 0 && client.connection.canOpenStream()) {
        streamsToOpen--;
        client.openStream();
        client.out.collect();
      }
    }

    private void readSome(SimulatedEnd end, SimulatedStream stream) {
      end.read(stream, random.nextInt(stream.bytesUnread + 1));
    }

    private void pingOrSqueezeSometimes(SimulatedEnd end) {
      switch (random.nextInt(60)) {
        case 0, 1 -> end.ping();
        case 2 -> end.connection.squeeze(random.nextBoolean());
        default -> {}
      }
    }

    private Optional<SimulatedStream> any(SimulatedEnd end) {
      List<SimulatedStream> all = new ArrayList<>(end.streams.values());
      return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    /** Says and reads all that is left to say and to read. */
    private void finish(SimulatedEnd end) {
      end.receiveSome();
      for (SimulatedStream stream : end.streams.values()) {
        if (stream.hasMoreToSay()) {
          end.say(stream);
        }
        end.read(stream, stream.bytesUnread);
        end.release(stream);
      }
      end.flush();
    }

    private boolean isQuiet() {
      return ends.stream().noneMatch(end -> end.hasUnread() || end.bytesHeld() > 0)
          && client.out.isEmpty()
          && server.out.isEmpty()
          && client.connection.streamCount() == 0
          && server.connection.streamCount() == 0
          && server.connection.heldSlots() == 0;
    }

    private void checkTheEnd() {
      for (SimulatedEnd end : ends) {
        assertThat(end.pingsUnanswered).as("unanswered pings").isZero();
        for (SimulatedStream stream : end.streams.values()) {
          boolean reset = stream.resetByThisEnd || stream.resetHeard;
          assertThat(reset || (stream.endHeard && stream.endWritten))
              .as("the end of " + stream.stream)
              .isTrue();
          assertThat(stream.stream.queuedBytes()).isZero();
        }
      }
      assertThat(server.streams.keySet()).isSubsetOf(client.streams.keySet());
      assertCreditCameBack(client, server);
      assertCreditCameBack(server, client);
    }

    private static void assertCreditCameBack(SimulatedEnd sender, SimulatedEnd receiver) {
      SharedWindow shared = receiver.connection.arriving();
      assertThat(sender.out.connectionCredit())
          .as("credit of the connection for the " + sender.role)
          .isEqualTo(shared.left())
          .isBetween((long) shared.size() - shared.size() / 2, (long) shared.size());
      assertThat(shared.held()).isZero();
    }

    private void saysGoodbye() {
      server.connection.announceGoAway("bye");
      server.connection.goAway(ErrorCode.NO_ERROR, "bye");
      server.flush();
      while (!server.out.isEmpty() || client.hasUnread()) {
        client.receiveSome();
        client.flush();
      }
      int last = server.streams.keySet().stream().mapToInt(Integer::intValue).max().orElse(0);
      assertThat(client.goAway).contains(new Told.GoAway(last, ErrorCode.NO_ERROR, "bye"));
    }
  }
}
