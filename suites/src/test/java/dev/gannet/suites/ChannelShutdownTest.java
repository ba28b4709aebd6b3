package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.suites.SimulatedNetwork.Reachability;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A channel that is shut down sees the calls to their end that were started before, wherever. */
final class ChannelShutdownTest {
  private static final CallOptions PATIENT = CallOptions.DEFAULT.withWaitForReady(true);

  private final Simulation simulation = new Simulation();
  private final SimulatedNetwork network = simulation.network();
  private final HeldCalls held = new HeldCalls();
  private final List<Http2Stream> requests = new ArrayList<>();
  private ManagedChannel channel = simulation.channel();

  @BeforeEach
  void open() {
    simulation.with(Texts.UNARY, held).with(Texts.BIDI, held);
    channel = simulation.channel();
  }

  @AfterEach
  void theChannelIsAtItsEnd() {
    simulation.run();
    assertThat(channel.isTerminated()).isTrue();
    assertThat(network.openConnections()).isZero();
  }

  private void assertServed(MadeCall call) {
    assertThat(channel.isTerminated()).isFalse();
    held.all().getLast().answers("served");
    held.all().getLast().ends();
    simulation.run();
    assertThat(call.messages()).containsExactly("served");
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(call.heard().closes()).isOne();
  }

  /** A channel with a connection on which nothing is under way. */
  private void connect() {
    simulation.serve();
    MadeCall first = MadeCall.whole(channel, Texts.UNARY, "first");
    simulation.run();
    assertServed(first);
    assertThat(network.openConnections()).isOne();
  }

  @Test
  void aCallThatWaitsForAConnectionContinues() {
    simulation.serve();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "a");
    channel.shutdown();
    simulation.run();
    assertThat(held.only().messages()).containsExactly("a");
    assertServed(call);
  }

  @Test
  void aCallThatWaitsForAServerContinuesThroughBackoffs() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, PATIENT, "a");
    simulation.run();
    channel.shutdown();
    simulation.advance(Duration.ofSeconds(10));
    assertThat(call.isClosed()).isFalse();
    simulation.serve();
    simulation.advance(Duration.ofMinutes(1));
    assertServed(call);
  }

  @Test
  void aCallThatFindsNoServerEndsItsChannel() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "a");
    channel.shutdown();
    assertThat(channel.isTerminated()).isFalse();
    simulation.run();
    assertThat(call.words()).contains("connection refused");
  }

  @Test
  void aCallThatIsCancelledWhileItWaitsEndsItsChannel() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, PATIENT, "a");
    simulation.run();
    channel.shutdown();
    simulation.run();
    assertThat(channel.isTerminated()).isFalse();
    call.call().cancel("enough");
    simulation.run();
    assertThat(call.status()).hasToString("CANCELLED: enough");
  }

  @Test
  void aCallWhoseDeadlinePassesWhileItWaitsEndsItsChannel() {
    CallOptions options = simulation.within(Duration.ofSeconds(5)).withWaitForReady(true);
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, options, "a");
    simulation.run();
    channel.shutdown();
    simulation.advance(Duration.ofSeconds(5));
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void aCallThatHasSentNothingYetContinues() {
    connect();
    MadeCall call = MadeCall.start(channel, Texts.UNARY).wants(1);
    channel.shutdown();
    simulation.advance(Duration.ofSeconds(1));
    call.says("a");
    simulation.run();
    assertThat(held.all().getLast().messages()).containsExactly("a");
    assertThat(network.connectAttempts()).isOne();
    assertServed(call);
  }

  @Test
  void noCallStartsWhileRunningCallsContinue() {
    connect();
    MadeCall before = MadeCall.start(channel, Texts.BIDI).wants(1);
    channel.shutdown();
    MadeCall after = MadeCall.whole(channel, Texts.UNARY, "late");
    simulation.run();
    assertThat(after.status()).hasToString("UNAVAILABLE: the channel is shut down");
    assertThat(held.all()).hasSize(2);
    assertServed(before);
  }

  @Test
  void aChannelWithoutCallsClosesItsConnectionAtOnce() {
    connect();
    channel.shutdown();
    simulation.run();
    assertThat(network.openConnections()).isZero();
  }

  @Test
  void anUnreadEndDoesNotKeepTheChannelOpen() {
    simulation.serve();
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    channel.shutdown();
    simulation.run();
    held.only().answers("a");
    held.only().ends();
    simulation.run();
    assertThat(channel.isTerminated()).isTrue();
    call.wants(1);
    simulation.run();
    assertThat(call.messages()).containsExactly("a");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aRefusedStreamIsRetriedAfterShutdown() {
    assertSeenAtLast((server, stream) -> {
      channel.shutdown();
      server.resets(stream, ErrorCode.REFUSED_STREAM);
    });
    assertThat(network.connectAttempts()).isOne();
  }

  @Test
  void callsAboveTheLastStreamOfAGoAwayUseANewConnection() {
    assertSeenAtLast((server, stream) -> {
      channel.shutdown();
      server.goesAway(stream.id() - 1);
    });
    assertThat(network.connectAttempts()).isEqualTo(2);
  }

  /** A call whose server does this first, and answers it the second time. */
  private void assertSeenAtLast(BiConsumer<RawPeer, Http2Stream> spoil) {
    simulation.serveRaw((server, stream) -> {
      requests.add(stream);
      if (requests.size() == 1) {
        spoil.accept(server, stream);
      } else {
        server.sends(stream, EndStream.NO, ":status", "200", "content-type", "application/grpc");
        server.sends(stream, EndStream.YES, "grpc-status", "5", "grpc-message", "seen");
      }
    });
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "a");
    simulation.run();
    assertThat(call.status()).hasToString("NOT_FOUND: seen");
    assertThat(requests).hasSize(2);
  }

  private void assertEndedAtOnce(MadeCall call) {
    channel.shutdown();
    simulation.run();
    assertThat(call.isClosed()).isFalse();
    channel.shutdownNow();
    simulation.run();
    assertThat(call.status())
        .hasToString("UNAVAILABLE: the channel was closed before the call ended");
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void shutdownNowEndsACallThatWaitsForAServer() {
    assertEndedAtOnce(MadeCall.whole(channel, Texts.UNARY, PATIENT, "a"));
  }

  @Test
  void shutdownNowEndsARunningCall() {
    simulation.serve();
    assertEndedAtOnce(MadeCall.whole(channel, Texts.UNARY, "a"));
  }

  @Test
  void shutdownNowEndsCallsThatHaveSentNothingYet() {
    connect();
    MadeCall one = MadeCall.start(channel, Texts.UNARY);
    MadeCall other = MadeCall.start(channel, Texts.UNARY);
    simulation.advance(Duration.ofSeconds(1));
    MadeCall last = MadeCall.start(channel, Texts.UNARY);
    assertEndedAtOnce(last);
    assertThat(one.isClosed()).isTrue();
    assertThat(other.isClosed()).isTrue();
  }

  @Test
  void shutdownNowEndsACallThatMoves() {
    simulation.serveRaw((server, stream) -> {
      network.setReachability(Reachability.REFUSED);
      server.goesAway(stream.id() - 1);
    });
    assertEndedAtOnce(MadeCall.whole(channel, Texts.UNARY, PATIENT, "a"));
  }

  @Test
  void nothingIsSentOnACallThatShutdownNowHasEnded() {
    connect();
    MadeCall call = MadeCall.start(channel, Texts.UNARY);
    assertEndedAtOnce(call);
    call.says("late");
    simulation.run();
    assertThat(call.heard().closes()).isOne();
    assertThat(held.all()).hasSize(1);
  }

  /** A server on a long wire that counts whom it lets in. */
  private Simulation far(List<SocketAddress> admitted) throws IOException {
    Simulation far = new Simulation(0, SimulatedWire.INSTANT.withLatency(Duration.ofSeconds(1)));
    far.network()
        .listen(
            new InetSocketAddress("192.0.2.1", Simulation.PORT),
            ServerCredentials.insecure(),
            pipe -> {
              admitted.add(pipe.info().remoteAddress());
              return RawPeer.server(pipe, (server, stream) -> {});
            });
    return far;
  }

  @Test
  void noConnectionOpensAfterAChannelHasTerminated() throws IOException {
    List<SocketAddress> admitted = new ArrayList<>();
    Simulation far = far(admitted);
    channel = far.channel();
    MadeCall.whole(channel, Texts.UNARY, "a");
    far.advance(Duration.ofMillis(500));
    channel.shutdownNow();
    far.run();
    assertThat(channel.isTerminated()).isTrue();
    far.advance(Duration.ofMinutes(1));
    assertThat(admitted).isEmpty();
  }

  @Test
  void aConnectionAttemptThatIsNotYetCancelledKeepsTheChannelOpen() throws IOException {
    List<SocketAddress> admitted = new ArrayList<>();
    Simulation far = far(admitted);
    channel = far.channel();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, PATIENT, "a");
    far.advance(Duration.ofMillis(500));
    channel.shutdown();
    call.call().cancel("enough");
    assertThat(channel.isTerminated()).isFalse();
    far.run();
    assertThat(channel.isTerminated()).isTrue();
    far.advance(Duration.ofMinutes(1));
    assertThat(admitted).isEmpty();
  }

  @Test
  void aChannelDoesNotWaitForAnAttemptThatNobodyAnswers() {
    simulation.serve();
    network.setReachability(Reachability.SILENT);
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "a");
    simulation.run();
    channel.shutdownNow();
    simulation.run();
    assertThat(call.isClosed()).isTrue();
    assertThat(channel.isTerminated()).isTrue();
    simulation.advance(Duration.ofSeconds(1));
    assertThat(simulation.loop().pendingTasks()).isZero();
  }

  @Test
  void aConnectionThatTimedOutCannotOpenLater() {
    simulation.serve();
    network.stall();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "a");
    simulation.advance(Duration.ofSeconds(20));
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    network.resume();
    simulation.run();
    assertThat(network.openConnections()).isZero();
    channel.shutdown();
  }
}
