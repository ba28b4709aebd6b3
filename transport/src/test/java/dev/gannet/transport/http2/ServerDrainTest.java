package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.Timeouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The states of a server's connection that is shut down. */
final class ServerDrainTest {
  private static final long DRAIN_PING = 0x6761_6e6e_6574L;
  private static final long PING = Duration.ofSeconds(10).toNanos();

  private final PlayedConnection connection = new PlayedConnection();
  private final PlayedPipe pipe = connection.pipe;
  private final List<String> told = new ArrayList<>();
  private final ServerDrain drain =
      new ServerDrain(
          connection.http2,
          connection.deadlines,
          pipe::nanoTime,
          new ConnectionClosing(connection.http2, pipe),
          () -> told.add("drained"),
          why -> told.add("cut short: " + why));

  private void begin() {
    pipe.takeWritten();
    drain.begin("going", Timeouts.NEVER);
  }

  @Test
  void aDrainBeginsWithAnAnnouncement() {
    begin();
    assertThat(pipe.takeWritten()).isTrue();
    assertThat(drain.isDrained()).isFalse();
    assertThat(told).isEmpty();
  }

  @Test
  void aDrainBeginsOnce() {
    begin();
    begin();
    assertThat(pipe.takeWritten()).isFalse();
  }

  @Test
  void theAnswerToItsPingShowsThatNothingIsUnderWay() {
    begin();
    drain.onPingAck(DRAIN_PING + 1);
    assertThat(drain.isDrained()).isFalse();
    drain.onPingAck(DRAIN_PING);
    assertThat(drain.isDrained()).isTrue();
    drain.onPingAck(DRAIN_PING);
    assertThat(told).containsExactly("drained");
  }

  @Test
  void aPeerThatDoesNotAnswerIsNotWaitedForLong() {
    begin();
    connection.passes(PING - 1);
    assertThat(drain.isDrained()).isFalse();
    connection.passes(1);
    assertThat(drain.isDrained()).isTrue();
  }

  @Test
  void anAnswerBeforeTheDrainMeansNothing() {
    drain.onPingAck(DRAIN_PING);
    assertThat(drain.isDrained()).isFalse();
  }

  @Test
  void withoutStreamsADrainedConnectionIsClosed() {
    begin();
    drain.closeIfDone();
    assertThat(pipe.orders).isEmpty();
    drain.onPingAck(DRAIN_PING);
    assertThat(pipe.orders).containsExactly("flush", "close");
  }

  @Test
  void openStreamsKeepADrainedConnectionOpen() {
    connection.openStream();
    begin();
    drain.onPingAck(DRAIN_PING);
    assertThat(drain.isDrained()).isTrue();
    assertThat(pipe.orders).isEmpty();
  }

  @Test
  void whenItsGraceIsOverTheConnectionIsCutShort() {
    connection.openStream();
    drain.begin("old", 3 * PING);
    connection.passes(3 * PING - 1);
    assertThat(told).containsExactly("drained");
    connection.passes(1);
    assertThat(told).containsExactly("drained", "cut short: old");
  }
}
