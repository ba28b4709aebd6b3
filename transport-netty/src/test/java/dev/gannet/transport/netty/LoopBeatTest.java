package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.transport.pipe.LoopPauses;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A loop that is late for its beat stood still; one that has no pipes does not beat. */
final class LoopBeatTest {
  private static final long PAUSE_NANOS = Duration.ofSeconds(20).toNanos();

  private final LoopBeat beat = new LoopBeat();
  private final EventLoop loop = new EmbeddedChannel().eventLoop(); // runs no timers by itself

  @Test
  void aLateBeatCountsAsAPauseSinceThePreviousBeat() {
    beat.join(loop);
    long nowNanos = System.nanoTime() + PAUSE_NANOS;
    LoopPauses pauses = beat.pauses(nowNanos);
    assertThat(pauses.lastNanos()).isEqualTo(pauses.totalNanos());
    assertThat(pauses.lastNanos()).isBetween(PAUSE_NANOS, PAUSE_NANOS + PAUSE_NANOS / 2);
    assertThat(pauses.lastEndNanos()).isEqualTo(nowNanos);
    assertThat(pauses.backlogNanos(nowNanos)).isEqualTo(pauses.lastNanos());
  }

  @Test
  void aPauseIsReportedOnce() {
    beat.join(loop);
    long nowNanos = System.nanoTime() + PAUSE_NANOS;
    LoopPauses pauses = beat.pauses(nowNanos);
    assertThat(beat.pauses(nowNanos + LoopBeat.BEAT_NANOS)).isSameAs(pauses);
    assertThat(beat.pauses(nowNanos + 2 * LoopBeat.BEAT_NANOS).totalNanos())
        .isEqualTo(pauses.totalNanos() + 2 * LoopBeat.BEAT_NANOS);
  }

  @Test
  void dataReadLongAfterAPauseDidNotWaitForIt() {
    beat.join(loop);
    long nowNanos = System.nanoTime() + PAUSE_NANOS;
    LoopPauses pauses = beat.pauses(nowNanos);
    assertThat(pauses.backlogNanos(nowNanos + 2 * PAUSE_NANOS)).isZero();
  }

  @Test
  void aLoopWithoutConnectionsHasNotPaused() {
    assertThat(beat.pauses(System.nanoTime() + PAUSE_NANOS)).isSameAs(LoopPauses.NONE);
  }
}
