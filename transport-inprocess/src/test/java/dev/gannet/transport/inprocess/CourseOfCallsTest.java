package dev.gannet.transport.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Deadline;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.Status;
import dev.gannet.api.transport.TransportLimits;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Back-pressure, cancellation, deadlines, limits and shutdown, by a virtual clock. */
final class CourseOfCallsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final World world = new World();
  private final Handler handler = new Handler(0);
  private final Handler eager = new Handler(10);
  private final Heard heard = new Heard();

  private ClientCall<String, String> begin(ManagedChannel channel) {
    return World.begin(channel, Texts.BIDI, CallOptions.DEFAULT, new Metadata(), heard);
  }

  @Test
  void aSenderIsReadyAgainWhenItsMessagesAreTaken() {
    world.serve(Texts.BIDI, handler);
    ClientCall<String, String> call = begin(world.channel());
    world.run();
    int sent = 0;
    while (call.isReady() && sent < 1_000) {
      call.sendMessage("message " + sent++);
      world.run();
    }
    assertThat(sent).isEqualTo(InProcessClientStream.MAX_UNREAD);
    int readies = heard.readies();
    handler.only().call().request(1);
    world.run();
    assertThat(handler.only().messages()).containsExactly("message 0");
    assertThat(call.isReady()).isTrue();
    assertThat(heard.readies()).isEqualTo(readies + 1);
    handler.only().call().request(1);
    world.run();
    assertThat(heard.readies()).isEqualTo(readies + 1); // it was ready before
  }

  @Test
  void thousandsOfCallsThatWaitForOnePermitAreAnsweredOneAfterTheOther() {
    List<ServerCall<String, String>> held = new ArrayList<>();
    ServerCallHandler<String, String> holdingTheFirst =
        (call, headers) -> {
          call.request(2);
          return new ServerCall.Listener<>() {
            @Override
            public void onHalfClose() {
              held.add(call);
              if (held.size() > 1) {
                answer(call);
              }
            }
          };
        };
    World.start(
        world
            .serverBuilder(Texts.UNARY, holdingTheFirst)
            .dispatch(Dispatch.inline())
            .maxConcurrentCallsPerConnection(1));
    ManagedChannel channel = world.channelBuilder().executor(Runnable::run).build();
    List<Heard> calls = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      calls.add(World.call(channel, Texts.UNARY, "request " + i));
    }
    world.run();
    assertThat(held).hasSize(1);
    answer(held.getFirst());
    world.run();
    assertThat(calls).allMatch(it -> it.status().isOk());
    channel.shutdown();
    world.run();
    assertThat(channel.isTerminated()).isTrue();
  }

  private static void answer(ServerCall<String, String> call) {
    call.sendMessage("answer");
    call.close(Status.OK, new Metadata());
  }

  @Test
  void aHandlerIsReadyAgainWhenItsMessagesAreTaken() {
    world.serve(Texts.BIDI, handler);
    ClientCall<String, String> call = world.channel().newCall(Texts.BIDI, CallOptions.DEFAULT);
    call.start(heard);
    world.run();
    int sent = 0;
    while (handler.only().call().isReady() && sent < 1_000) {
      handler.only().call().sendMessage("message " + sent++);
      world.run();
    }
    assertThat(sent).isEqualTo(InProcessClientStream.MAX_UNREAD);
    assertThat(heard.messages()).isEmpty();
    int readies = handler.only().readies();
    call.request(2);
    world.run();
    assertThat(heard.messages()).containsExactly("message 0", "message 1");
    assertThat(handler.only().readies()).isEqualTo(readies + 1);
    assertThat(handler.only().call().isReady()).isTrue();
  }

  @Test
  void aCancelledCallEndsAtBothSides() {
    world.serve(Texts.BIDI, handler);
    ClientCall<String, String> call = begin(world.channel());
    world.run();
    call.cancel("enough");
    world.run();
    assertThat(heard.status().code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(heard.status().description()).contains("enough");
    assertThat(handler.only().cancels()).isOne();
    assertThat(handler.only().call().isCancelled()).isTrue();
  }

  @Test
  void aCallThatIsCancelledBeforeItsRequestReachesNoHandler() {
    world.serve(Texts.UNARY, handler);
    ManagedChannel channel = world.channel();
    ClientCall<String, String> call =
        World.begin(channel, Texts.UNARY, CallOptions.DEFAULT, new Metadata(), heard);
    call.cancel("enough");
    call.sendMessage("late");
    world.run();
    assertThat(heard.status().code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(handler.calls()).isEmpty();
    assertTerminates(channel);
  }

  @Test
  void aCallWhoseAnswerWaitsForItsReaderMayBeCancelled() {
    world.serve(Texts.BIDI, handler);
    ManagedChannel channel = world.channel();
    ClientCall<String, String> call = channel.newCall(Texts.BIDI, CallOptions.DEFAULT);
    call.start(heard);
    world.run();
    handler.only().call().sendMessage("unread");
    handler.only().call().close(Status.OK, new Metadata());
    world.run();
    assertThat(heard.isClosed()).isFalse();
    call.cancel("enough");
    world.run();
    assertThat(heard.status().code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(handler.only().completes()).isOne();
  }

  @Test
  void theRemainingTimeIsPassedToTheServer() {
    world.serve(Texts.BIDI, handler);
    Deadline deadline = Deadline.after(SECOND.multipliedBy(3), world::nanoTime);
    World.begin(
        world.channel(),
        Texts.BIDI,
        CallOptions.DEFAULT.withDeadline(deadline),
        new Metadata(),
        heard);
    world.loop().advance(SECOND);
    assertThat(handler.only().call().context().deadline().orElseThrow().remainingNanos())
        .isEqualTo(SECOND.multipliedBy(2).toNanos());
    world.loop().advance(SECOND.multipliedBy(2).minusNanos(1));
    assertThat(heard.isClosed()).isFalse();
    world.loop().advance(Duration.ofNanos(1));
    assertThat(heard.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(heard.status().description().orElseThrow()).contains("inprocess:");
    assertThat(handler.only().cancels()).isOne();
  }

  @Test
  void aCallThatHasEndedLeavesNoTimer() {
    world.serve(Texts.BIDI, handler);
    Deadline deadline = Deadline.after(Duration.ofDays(1), world::nanoTime);
    World.begin(
        world.channel(),
        Texts.BIDI,
        CallOptions.DEFAULT.withDeadline(deadline),
        new Metadata(),
        heard);
    world.run();
    assertThat(world.loop().pendingTasks()).isOne();
    handler.only().call().close(Status.OK, new Metadata());
    world.run();
    assertThat(heard.status()).isEqualTo(Status.OK);
    assertThat(world.loop().pendingTasks()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {500, 1000, 3000})
  void theTimeInWhichAHandlerStartsCountsForTheDeadline(long startMillis) {
    ServerCallHandler<String, String> slow =
        (call, headers) -> {
          world.loop().spend(Duration.ofMillis(startMillis));
          return handler.startCall(call, headers);
        };
    World.start(world.serverBuilder(Texts.BIDI, slow).dispatch(Dispatch.inline()));
    ManagedChannel channel = world.channel();
    channel.connect(); // so that no timer of the channel watches the call
    world.run();
    Deadline deadline = Deadline.after(SECOND, world::nanoTime);
    World.begin(
        channel, Texts.BIDI, CallOptions.DEFAULT.withDeadline(deadline), new Metadata(), heard);
    world.loop().advance(Duration.ofNanos(Math.max(0, deadline.remainingNanos())));
    assertThat(handler.calls()).hasSize(1);
    assertThat(heard.isClosed()).isTrue();
    assertThat(heard.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(handler.only().cancels()).isOne();
  }

  @Test
  void aCallThatIsReadLeavesNoTimerAfterTheServersLimit() {
    World.start(world.serverBuilder(Texts.BIDI, handler).maxCallDuration(SECOND));
    begin(world.channel());
    world.run();
    handler.only().call().sendMessage("read");
    world.loop().advance(SECOND);
    assertThat(heard.messages()).containsExactly("read");
    assertThat(heard.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(world.loop().pendingTasks()).isZero();
  }

  @Test
  void aClientThatCancelsAnUnreadCallLeavesNoTimerAfterTheServersLimit() {
    World.start(world.serverBuilder(Texts.BIDI, handler).maxCallDuration(SECOND));
    ClientCall<String, String> call = world.channel().newCall(Texts.BIDI, CallOptions.DEFAULT);
    call.start(heard, new Metadata());
    world.run();
    handler.only().call().sendMessage("unread");
    world.loop().advance(SECOND);
    assertThat(handler.only().cancels()).isOne();
    assertThat(heard.isClosed()).isFalse();
    call.cancel("enough");
    world.run();
    assertThat(heard.status().code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(world.loop().pendingTasks()).isZero();
  }

  @Test
  void aServerMayBoundHowLongCallsLast() {
    World.start(world.serverBuilder(Texts.BIDI, handler).maxCallDuration(SECOND));
    begin(world.channel());
    world.loop().advance(SECOND);
    assertThat(heard.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(heard.status().description().orElseThrow())
        .contains("the server's maxCallDuration is exceeded");
    assertThat(handler.only().cancels()).isOne();
  }

  @Test
  void anUnknownMethodIsUnimplemented() {
    world.serve(Texts.BIDI, handler);
    Heard other = World.call(world.channel(), Texts.UNARY, "");
    world.run();
    assertThat(other.status().code()).isEqualTo(Status.Code.UNIMPLEMENTED);
    assertThat(other.status().description().orElseThrow()).contains("Method not found");
  }

  @Test
  void theServerSeesAuthorityAndPeer() {
    world.serve(Texts.BIDI, handler);
    begin(world.channel());
    world.run();
    assertThat(handler.only().call().context().authority()).isEqualTo("localhost");
    SocketAddress peer = handler.only().call().context().peer();
    assertThat(peer).isEqualTo(world.address());
    assertThat(handler.only().call().context().sslSession()).isEmpty();
  }

  @Test
  void aServerThatShutsDownServesItsCallsToTheirEnd() {
    Server server = world.serve(Texts.BIDI, handler);
    ManagedChannel channel = world.channel();
    ClientCall<String, String> call = begin(channel);
    world.run();
    server.shutdown();
    world.run();
    Heard refused = World.call(channel, Texts.BIDI, "");
    world.run();
    assertThat(refused.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(server.isTerminated()).isFalse();
    call.sendMessage("still");
    handler.only().call().request(1);
    world.run();
    handler.only().call().sendMessage("here");
    handler.only().call().close(Status.OK, new Metadata());
    world.run();
    assertThat(handler.only().messages()).containsExactly("still");
    assertThat(heard.messages()).containsExactly("here");
    assertThat(heard.status()).isEqualTo(Status.OK);
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void aServerThatShutsDownAtOnceEndsItsCalls() {
    Server server = world.serve(Texts.BIDI, handler);
    begin(world.channel());
    world.run();
    server.shutdownNow();
    world.run();
    assertThat(heard.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(heard.status().description()).contains("the server is shut down");
    assertThat(handler.only().cancels()).isOne();
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void aChannelThatShutsDownEndsWithItsLastCall() {
    world.serve(Texts.BIDI, handler);
    ManagedChannel channel = world.channel();
    begin(channel);
    world.run();
    channel.shutdown();
    world.run();
    assertThat(channel.isTerminated()).isFalse();
    handler.only().call().close(Status.OK, new Metadata());
    world.run();
    assertThat(heard.status()).isEqualTo(Status.OK);
    assertThat(channel.isTerminated()).isTrue();
  }

  @Test
  void aChannelThatShutsDownAtOnceCancelsItsCalls() {
    world.serve(Texts.BIDI, handler);
    ManagedChannel channel = world.channel();
    begin(channel);
    world.run();
    channel.shutdownNow();
    world.run();
    assertThat(heard.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(handler.only().cancels()).isOne();
    assertThat(channel.isTerminated()).isTrue();
  }

  @Test
  void callsAboveTheLimitOfAServerWaitInTheirOrder() {
    World.start(world.serverBuilder(Texts.UNARY, eager).maxConcurrentCallsPerConnection(2));
    ManagedChannel channel = world.channel();
    List<Heard> all = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      all.add(World.call(channel, Texts.UNARY, "call " + i));
    }
    world.run();
    assertThat(requests()).containsExactly("call 0", "call 1");
    answer(1);
    assertThat(all.get(1).status()).isEqualTo(Status.OK);
    assertThat(requests()).containsExactly("call 0", "call 1", "call 2");
    answer(0);
    answer(2);
    assertThat(requests()).hasSize(5).endsWith("call 3", "call 4");
    answer(3);
    answer(4);
    assertThat(all).allMatch(call -> call.status().isOk());
    assertTerminates(channel);
  }

  @Test
  void theDefaultLimitAppliesIfItWasSet() {
    int limit = TransportLimits.DEFAULT.maxConcurrentCallsPerConnection();
    World.start(world.serverBuilder(Texts.UNARY, eager).maxConcurrentCallsPerConnection(limit));
    ManagedChannel channel = world.channel();
    callTimes(channel, limit + 1);
    assertThat(requests()).hasSize(limit);
    answer(0);
    assertThat(requests()).hasSize(limit + 1);
  }

  @Test
  void noLimitAppliesUnlessItWasSet() {
    world.serve(Texts.UNARY, eager);
    int calls = TransportLimits.DEFAULT.maxConcurrentCallsPerConnection() + 1;
    callTimes(world.channel(), calls);
    assertThat(requests()).hasSize(calls);
  }

  private void callTimes(ManagedChannel channel, int times) {
    for (int i = 0; i < times; i++) {
      World.call(channel, Texts.UNARY, "call " + i);
    }
    world.run();
  }

  @Test
  void aWaitingCallCanBeCancelledAndOccupiesNoPlace() {
    World.start(world.serverBuilder(Texts.UNARY, eager).maxConcurrentCallsPerConnection(1));
    ManagedChannel channel = world.channel();
    Heard first = World.call(channel, Texts.UNARY, "first");
    ClientCall<String, String> waiting =
        World.begin(channel, Texts.UNARY, CallOptions.DEFAULT, new Metadata(), heard);
    waiting.sendMessage("waiting");
    Heard last = World.call(channel, Texts.UNARY, "last");
    world.run();
    waiting.cancel("enough");
    world.run();
    assertThat(heard.status().code()).isEqualTo(Status.Code.CANCELLED);
    answer(0);
    assertThat(first.status()).isEqualTo(Status.OK);
    assertThat(requests()).containsExactly("first", "last");
    answer(1);
    assertThat(last.status()).isEqualTo(Status.OK);
    assertTerminates(channel);
  }

  @Test
  void callsThatWaitMoveWhenTheirServerShutsDown() {
    Server server =
        World.start(world.serverBuilder(Texts.BIDI, handler).maxConcurrentCallsPerConnection(1));
    ManagedChannel channel = world.channel();
    begin(channel);
    Heard waiting = new Heard();
    ClientCall<String, String> moved =
        World.begin(
            channel,
            Texts.BIDI,
            CallOptions.DEFAULT.withWaitForReady(true),
            new Metadata(),
            waiting);
    moved.sendMessage("moves");
    moved.halfClose();
    world.run();
    server.shutdown();
    Handler next = new Handler(10);
    world.serve(Texts.BIDI, next);
    world.loop().advance(Duration.ofMinutes(1));
    assertThat(handler.calls()).hasSize(1);
    assertThat(next.only().messages()).containsExactly("moves");
    assertThat(next.only().halfCloses()).isOne();
    next.only().call().close(Status.OK, new Metadata());
    handler.only().call().close(Status.OK, new Metadata());
    world.run();
    assertThat(waiting.status()).isEqualTo(Status.OK);
    assertThat(heard.status()).isEqualTo(Status.OK);
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void aThousandCallsAreCarriedAtOnce() {
    world.serve(Texts.BIDI, handler);
    ManagedChannel channel = world.channel();
    List<Heard> all = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      all.add(World.call(channel, Texts.BIDI, "x"));
    }
    world.run();
    assertThat(handler.calls()).hasSize(1_000);
    channel.shutdownNow();
    world.run();
    assertThat(all).allMatch(call -> call.status().code() == Status.Code.UNAVAILABLE);
    assertThat(channel.isTerminated()).isTrue();
  }

  private List<String> requests() {
    return eager.calls().stream().flatMap(call -> call.messages().stream()).toList();
  }

  private void answer(int call) {
    eager.calls().get(call).call().sendMessage("");
    eager.calls().get(call).call().close(Status.OK, new Metadata());
    world.run();
  }

  private void assertTerminates(ManagedChannel channel) {
    channel.shutdown();
    world.run();
    assertThat(channel.isTerminated()).isTrue();
  }

  @Test
  void aHandlerThatGoesOnAfterTheEndOfItsCallDoesNotKeepTheServer() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Server server =
        World.start(
            world
                .serverBuilder(
                    Texts.BIDI,
                    (call, headers) -> {
                      begun.countDown();
                      boolean over = false;
                      while (!over) {
                        try {
                          end.await();
                          over = true;
                        } catch (InterruptedException e) {
                          over = end.getCount() == 0;
                        }
                      }
                      return new ServerCall.Listener<>() {};
                    })
                .dispatch(Dispatch.virtualThreads()));
    ManagedChannel channel = world.channel();
    ClientCall<String, String> call =
        World.begin(channel, Texts.BIDI, CallOptions.DEFAULT, new Metadata(), new Heard());
    call.sendMessage("x");
    world.run();
    begun.await();
    call.cancel("enough");
    world.run();
    server.shutdownNow();
    channel.shutdown();
    world.run();
    try {
      assertThat(server.isTerminated()).isTrue();
      assertThat(channel.isTerminated()).isTrue();
    } finally {
      end.countDown();
    }
  }
}
