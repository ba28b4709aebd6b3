package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Dispatch;
import dev.gannet.api.ServerCall;
import dev.gannet.http2.ErrorCode;
import dev.gannet.server.Server;
import dev.gannet.suites.RawClient.Frame;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A server says goodbye twice, and serves what comes between (RFC 9113 §6.8). */
final class DrainTest {
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);
  private static final Duration MOMENT = Duration.ofNanos(1);
  private static final String PATH = "/" + Texts.BIDI.fullMethodName();

  private final HeldCalls held = new HeldCalls();
  private final Simulation simulation = new Simulation().with(Texts.BIDI, held);
  private final Server server = simulation.serve();

  private static void answerPing(RawClient client, List<Frame> heard) {
    Frame ping =
        heard.stream().filter(frame -> frame.type() == RawClient.PING).findFirst().orElseThrow();
    client.says(RawClient.PING, RawClient.ACK, 0, ping.payload().array());
  }

  @Test
  void theFirstGoAwayOfADrainHasTheLargestStreamId() {
    RawClient client = RawClient.introduced(simulation).asks(1, PATH);
    simulation.run();
    server.shutdown();
    simulation.run();
    List<Frame> heard = client.heard();
    assertThat(heard).extracting(Frame::type).containsExactly(RawClient.GOAWAY, RawClient.PING);
    assertThat(heard.getFirst().lastStreamId()).isEqualTo(RawClient.LARGEST_STREAM_ID);
    assertThat(heard.getFirst().code()).isEqualTo(ErrorCode.NO_ERROR.value());
  }

  @Test
  void streamsBetweenTheTwoGoAwaysAreServed() {
    RawClient client = RawClient.introduced(simulation).asks(1, PATH);
    simulation.run();
    server.shutdown();
    simulation.run();
    client.asks(3, PATH).asks(5, PATH);
    answerPing(client, client.heard());
    simulation.run();
    List<Frame> goodbyes = client.heard(RawClient.GOAWAY);
    assertThat(goodbyes).hasSize(1);
    assertThat(goodbyes.getFirst().lastStreamId()).isEqualTo(5);
    assertThat(held.all()).hasSize(3);
    held.all().forEach(HeldCall::ends);
    simulation.run();
    assertThat(server.isTerminated()).isTrue();
    assertThat(client.heard(RawClient.HEADERS)).hasSize(3);
  }

  @Test
  void aClientThatDoesNotAnswerIsWaitedForTenSeconds() {
    RawClient client = RawClient.introduced(simulation).asks(1, PATH);
    simulation.run();
    server.shutdown();
    simulation.run();
    client.heard();
    simulation.advance(TEN_SECONDS.minus(MOMENT));
    assertThat(client.heard()).isEmpty();
    client.asks(3, PATH);
    simulation.advance(MOMENT);
    List<Frame> goodbyes = client.heard(RawClient.GOAWAY);
    assertThat(goodbyes).hasSize(1);
    assertThat(goodbyes.getFirst().lastStreamId()).isEqualTo(3);
    held.all().forEach(HeldCall::ends);
    simulation.run();
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void streamsAfterTheSecondGoAwayAreRefused() {
    RawClient client = RawClient.introduced(simulation).asks(1, PATH);
    simulation.run();
    server.shutdown();
    simulation.run();
    answerPing(client, client.heard());
    simulation.run();
    client.asks(3, PATH);
    simulation.run();
    assertThat(held.all()).hasSize(1);
    assertThat(client.isClosed()).isFalse();
  }

  @Test
  void aSilentClientWithoutCallsDelaysTheEndByTenSeconds() {
    RawClient.introduced(simulation);
    server.shutdown();
    simulation.advance(TEN_SECONDS.minus(MOMENT));
    assertThat(server.isTerminated()).isFalse();
    simulation.advance(MOMENT);
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void aHandlerThatGoesOnAfterTheEndOfItsCallDoesNotKeepTheConnection() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Simulation stubborn =
        new Simulation()
            .with(
                Texts.BIDI,
                (call, headers) -> {
                  begun.countDown();
                  awaitUninterruptibly(end);
                  return new ServerCall.Listener<>() {};
                });
    Server stopped = stubborn.serverBuilder().dispatch(Dispatch.virtualThreads()).start();
    RawClient client = RawClient.introduced(stubborn).asks(1, PATH);
    stubborn.run();
    begun.await();
    stopped.shutdown();
    stubborn.run();
    answerPing(client, client.heard());
    stubborn.run();
    client.says(3 /* RST_STREAM */, 0, 1, new byte[] {0, 0, 0, 8});
    stubborn.run();
    stubborn.advance(MOMENT);
    assertThat(stopped.isTerminated()).isTrue();
    end.countDown();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean over = false;
    while (!over) {
      try {
        latch.await();
        over = true;
      } catch (InterruptedException e) {
        over = latch.getCount() == 0; // the cancellation interrupts it, and it goes on
      }
    }
  }
}
