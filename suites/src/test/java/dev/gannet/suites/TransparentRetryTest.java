package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.suites.RawPeer.Heard;
import dev.gannet.suites.SimulatedNetwork.Reachability;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** A call that its server has not seen is made again, and its caller hears nothing of it (A6). */
final class TransparentRetryTest {
  private static final String[] HEAD = {":status", "200", "content-type", "application/grpc"};
  private static final String LONG = Texts.ofLength(300_000);

  private final Simulation simulation = new Simulation();
  private final List<RawPeer> servers = new ArrayList<>();
  private final List<Http2Stream> requests = new ArrayList<>();
  private int goodbyes;

  /** A server that does this with its first requests, and serves those that follow. */
  private ManagedChannel channelTo(int spoiled, BiConsumer<RawPeer, Http2Stream> spoil) {
    simulation.serveRaw((server, stream) -> {
      requests.add(stream);
      if (requests.size() <= spoiled) {
        spoil.accept(server, stream);
      } else {
        server.sends(stream, EndStream.NO, HEAD);
        server.sends(stream, EndStream.YES, "grpc-status", "5", "grpc-message", "seen");
      }
    });
    return simulation.channel();
  }

  private static void refuse(RawPeer server, Http2Stream stream) {
    server.resets(stream, ErrorCode.REFUSED_STREAM);
  }

  private void goAwayUnseen(RawPeer server, Http2Stream stream) {
    goodbyes++;
    server.goesAway(stream.id() - 1);
  }

  @Test
  void aRefusedStreamIsTriedOnceMore() {
    MadeCall call = MadeCall.whole(channelTo(1, TransparentRetryTest::refuse), Texts.UNARY, "");
    simulation.run();
    assertThat(call.status()).hasToString("NOT_FOUND: seen");
    assertThat(call.heard().closes()).isOne();
    assertThat(requests).hasSize(2);
  }

  @Test
  void aStreamThatIsRefusedTwiceIsUnavailable() {
    MadeCall call = MadeCall.whole(channelTo(9, TransparentRetryTest::refuse), Texts.UNARY, "");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(requests).hasSize(2);
  }

  @Test
  void aStreamThatIsResetForAnotherReasonIsNotTriedAgain() {
    MadeCall call =
        MadeCall.whole(
            channelTo(1, (server, stream) -> server.resets(stream, ErrorCode.INTERNAL_ERROR)),
            Texts.UNARY,
            "");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(requests).hasSize(1);
  }

  @Test
  void aCallWhoseAnswerHasBegunIsNotTriedAgain() {
    MadeCall call =
        MadeCall.whole(
            channelTo(
                1,
                (server, stream) -> {
                  server.sends(stream, EndStream.NO, HEAD);
                  refuse(server, stream);
                }),
            Texts.UNARY,
            "");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(requests).hasSize(1);
  }

  @Test
  void callsAboveTheLastStreamOfAGoAwayUseANewConnection() {
    MadeCall call = MadeCall.whole(channelTo(1, this::goAwayUnseen), Texts.UNARY, "");
    simulation.run();
    assertThat(call.status()).hasToString("NOT_FOUND: seen");
    assertThat(goodbyes).isOne();
    assertThat(simulation.network().connectAttempts()).isEqualTo(2);
  }

  @Test
  void aCallWithoutASecondServerEndsUnavailable() {
    ManagedChannel channel =
        channelTo(
            1,
            (server, stream) -> {
              simulation.network().setReachability(Reachability.REFUSED);
              goAwayUnseen(server, stream);
            });
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(call.words()).contains("connection refused");
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void aTransparentRetryResendsEverythingAndThenContinues() {
    MadeCall call = refusedAfter("one", LONG);
    Heard first = heard(0);
    Heard second = heard(1);
    assertThat(second.content.toString()).isEqualTo(first.content.toString()).endsWith(LONG);
    call.says("three").halfCloses();
    simulation.run();
    assertThat(second.content.toString()).startsWith(first.content.toString()).endsWith("three");
    assertThat(second.ended).isTrue();
    answer();
    assertThat(call.status()).hasToString("NOT_FOUND: seen");
  }

  @Test
  void aMovedStreamReportsItsReadiness() {
    MadeCall call = refusedAfter("one");
    assertThat(call.call().isReady()).isTrue();
    call.says(Texts.ofLength(2_000_000));
    simulation.run();
    assertThat(call.call().isReady()).isFalse();
    servers.getLast().reads(requests.getLast(), 1_000_000);
    simulation.run();
    servers.getLast().reads(requests.getLast(), 1_000_000);
    simulation.run();
    assertThat(call.call().isReady()).isTrue();
  }

  @Test
  void aCallThatHasSentMoreThanIsKeptIsNotTriedAgain() {
    MadeCall call = refusedAfter(Texts.ofLength(1 << 20));
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(requests).hasSize(1);
  }

  @Test
  void aCallThatHasMovedMayBeCancelled() {
    MadeCall call = refusedAfter("one");
    call.call().cancel("enough");
    simulation.run();
    assertThat(call.status()).hasToString("CANCELLED: enough");
    assertThat(heard(1).resets).containsExactly(ErrorCode.CANCEL);
  }

  @Test
  void aCallMayBeCancelledWhileItMoves() {
    MadeCall call = movesToSilence(CallOptions.DEFAULT);
    call.call().cancel("enough");
    simulation.run();
    assertThat(call.status()).hasToString("CANCELLED: enough");
  }

  @Test
  void aCallsDeadlineCountsWhileItMoves() {
    MadeCall call = movesToSilence(simulation.within(Duration.ofSeconds(5)));
    simulation.advance(Duration.ofSeconds(5));
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void callsThatWaitForAStreamOutliveTheirConnection() {
    HeldCalls held = new HeldCalls();
    simulation.with(Texts.UNARY, held);
    Simulation.start(simulation.serverBuilder().maxConcurrentCallsPerConnection(1));
    ManagedChannel channel = simulation.channel();
    MadeCall open = MadeCall.whole(channel, Texts.UNARY, "open");
    MadeCall waiting = MadeCall.whole(channel, Texts.UNARY, "waiting");
    simulation.run();
    simulation.network().cutAll("gone");
    simulation.run();
    assertThat(open.words()).isEqualTo("connection to /192.0.2.1:50051 lost: gone");
    assertThat(held.all().getLast().messages()).containsExactly("waiting");
    held.all().getLast().answers("");
    held.all().getLast().ends();
    simulation.run();
    assertThat(waiting.status()).isEqualTo(Status.OK);
  }

  @Test
  void aServerThatAcceptsNoCallsIsNotTriedForever() throws IOException {
    simulation
        .network()
        .listen(
            new InetSocketAddress("192.0.2.1", Simulation.PORT),
            ServerCredentials.insecure(),
            pipe -> RawPeer.server(pipe, (server, stream) -> {}).leavingAtOnce());
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(call.words()).contains("the server closes the connection (GOAWAY)");
    assertThat(simulation.network().connectAttempts()).isEqualTo(17);
  }

  /** A stream that is refused once its server has heard all that. */
  private MadeCall refusedAfter(String... messages) {
    simulation.serveRaw((server, stream) -> {
      servers.add(server);
      requests.add(stream);
    });
    MadeCall call =
        MadeCall.start(simulation.channel(), Texts.BIDI).wants(1_000_000).says(messages);
    simulation.run();
    servers.getFirst().resets(requests.getFirst(), ErrorCode.REFUSED_STREAM);
    simulation.run();
    return call;
  }

  private Heard heard(int request) {
    return servers.get(request).heard(requests.get(request));
  }

  private void answer() {
    servers.getLast().sends(requests.getLast(), EndStream.NO, HEAD);
    servers
        .getLast()
        .sends(requests.getLast(), EndStream.YES, "grpc-status", "5", "grpc-message", "seen");
    simulation.run();
  }

  /** A call whose server goes away unseeing, where no other answers. */
  private MadeCall movesToSilence(CallOptions options) {
    ManagedChannel channel =
        channelTo(
            1,
            (server, stream) -> {
              simulation.network().setReachability(Reachability.SILENT);
              goAwayUnseen(server, stream);
            });
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, options, "");
    simulation.run();
    assertThat(goodbyes).isOne();
    assertThat(call.isClosed()).isFalse();
    return call;
  }
}
