package dev.gannet.transport.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Deadline;
import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * The time of calls that wait until others end, because the server has a limit of concurrent calls:
 * only the client's deadline applies while a call waits, and the server's limits apply from when it
 * is served.
 */
final class WaitingCallsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final World world = new World();
  private final Handler handler = new Handler(0);

  /** A channel that has connected, so that no timer of its own watches a call. */
  private ManagedChannel serveOneAtATime(ServerBuilder builder) {
    World.start(builder.maxConcurrentCallsPerConnection(1));
    ManagedChannel channel = world.channel();
    channel.connect();
    world.run();
    return channel;
  }

  private static int callsWaiting(ManagedChannel channel) {
    return channel.snapshot().subchannels().getFirst().connections().getFirst().callsWaiting();
  }

  private ServerBuilder builder() {
    return world.serverBuilder(Texts.BIDI, handler);
  }

  private Heard begin(ManagedChannel channel, CallOptions options) {
    Heard heard = new Heard();
    World.begin(channel, Texts.BIDI, options, new Metadata(), heard);
    world.run();
    return heard;
  }

  private CallOptions within(Duration duration) {
    return CallOptions.DEFAULT.withDeadline(Deadline.after(duration, world::nanoTime));
  }

  private void answer(int call) {
    handler.calls().get(call).call().close(Status.OK, new Metadata());
    world.run();
  }

  private Duration remaining(int call) {
    return Duration.ofNanos(
        handler.calls().get(call).call().context().deadline().orElseThrow().remainingNanos());
  }

  private static Duration inQueue(Heard heard) {
    return heard.status().failure().orElseThrow().inQueue();
  }

  @Test
  void theServersLimitCountsFromWhenACallIsServed() {
    ManagedChannel channel = serveOneAtATime(builder().maxCallDuration(SECOND));
    Heard first = begin(channel, CallOptions.DEFAULT);
    Heard second = begin(channel, CallOptions.DEFAULT);
    world.loop().advance(Duration.ofMillis(800));
    answer(0);
    assertThat(first.status()).isEqualTo(Status.OK);
    assertThat(remaining(1)).isEqualTo(SECOND);
    world.loop().advance(SECOND.minusNanos(1));
    assertThat(second.isClosed()).isFalse();
    world.loop().advance(Duration.ofNanos(1));
    assertThat(second.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(second.status().description().orElseThrow()).contains("maxCallDuration");
    assertThat(handler.calls().get(1).cancels()).isOne();
    assertThat(world.loop().pendingTasks()).isZero();
  }

  @Test
  void theServersLimitDoesNotEndACallThatWaits() {
    ManagedChannel channel = serveOneAtATime(builder().defaultCallDuration(SECOND));
    begin(channel, within(SECOND.multipliedBy(10)));
    Heard waiting = begin(channel, CallOptions.DEFAULT);
    world.loop().advance(SECOND.multipliedBy(5));
    assertThat(waiting.isClosed()).isFalse();
    answer(0);
    assertThat(remaining(1)).isEqualTo(SECOND);
    answer(1);
    assertThat(waiting.status()).isEqualTo(Status.OK);
    assertThat(world.loop().pendingTasks()).isZero();
  }

  @Test
  void theClientsDeadlineEndsACallThatWaits() {
    ManagedChannel channel = serveOneAtATime(builder());
    begin(channel, CallOptions.DEFAULT);
    Heard waiting = begin(channel, within(SECOND));
    Heard last = begin(channel, CallOptions.DEFAULT);
    world.loop().advance(SECOND.minusNanos(1));
    assertThat(waiting.isClosed()).isFalse();
    world.loop().advance(Duration.ofNanos(1));
    assertThat(waiting.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(waiting.status().description().orElseThrow())
        .contains("waiting for a free stream to " + world.address())
        .contains("maxConcurrentCallsPerConnection");
    assertThat(inQueue(waiting)).isEqualTo(SECOND);
    answer(0);
    answer(1);
    assertThat(last.status()).isEqualTo(Status.OK);
    assertThat(handler.calls()).hasSize(2);
    assertThat(world.loop().pendingTasks()).isZero();
  }

  @Test
  void theTimeInWhichACallWaitedCountsForTheClientsDeadline() {
    ManagedChannel channel = serveOneAtATime(builder().maxCallDuration(SECOND));
    begin(channel, CallOptions.DEFAULT);
    Heard waiting = begin(channel, within(SECOND));
    world.loop().advance(Duration.ofMillis(400));
    answer(0);
    assertThat(remaining(1)).isEqualTo(Duration.ofMillis(600));
    world.loop().advance(Duration.ofMillis(600));
    assertThat(waiting.status().description().orElseThrow()).contains("waiting for the response");
    assertThat(inQueue(waiting)).isEqualTo(Duration.ofMillis(400));
    assertThat(handler.calls().get(1).cancels()).isOne();
    assertThat(world.loop().pendingTasks()).isZero();
  }

  @Test
  void aCallThatHasWaitedIsBoundedByTheServersLimitIfThatIsEarlier() {
    ManagedChannel channel = serveOneAtATime(builder().maxCallDuration(SECOND));
    begin(channel, CallOptions.DEFAULT);
    Heard waiting = begin(channel, within(SECOND.multipliedBy(10)));
    world.loop().advance(Duration.ofMillis(400));
    answer(0);
    assertThat(remaining(1)).isEqualTo(SECOND);
    assertThat(world.loop().pendingTasks()).isOne();
    world.loop().advance(SECOND);
    assertThat(waiting.status().description().orElseThrow()).contains("maxCallDuration");
    assertThat(world.loop().pendingTasks()).isZero();
  }

  @Test
  void aCallThatMovesLeavesItsTimerNowhere() {
    Server server = World.start(builder().maxConcurrentCallsPerConnection(1));
    ManagedChannel channel = world.channel();
    channel.connect();
    world.run();
    begin(channel, CallOptions.DEFAULT);
    Heard waiting = begin(channel, within(Duration.ofHours(1)).withWaitForReady(true));
    world.loop().advance(SECOND);
    server.shutdown();
    Handler next = new Handler(0);
    world.serve(Texts.BIDI, next);
    world.loop().advance(Duration.ofMinutes(1));
    next.only().call().close(Status.OK, new Metadata());
    world.run();
    assertThat(waiting.status()).isEqualTo(Status.OK);
    assertThat(world.loop().pendingTasks()).isZero();
  }

  @Test
  void theTimeInWhichACallWaitedBeforeItsConnectionWentAwayCounts() {
    Server server = World.start(builder().maxConcurrentCallsPerConnection(1));
    ManagedChannel channel = world.channel();
    channel.connect();
    world.run();
    begin(channel, CallOptions.DEFAULT);
    Heard waiting = begin(channel, CallOptions.DEFAULT);
    world.loop().advance(SECOND);
    server.shutdown();
    world.run();
    assertThat(waiting.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(inQueue(waiting)).isEqualTo(SECOND);
  }

  /** A marshaller of a client that only writes its requests. */
  private record WriteOnly() implements Marshaller<String> {
    @Override
    public void write(String message, MessageSink sink) {
      Texts.WRITTEN.write(message, sink);
    }

    @Override
    public String parse(ByteBuffer bytes) {
      throw new UnsupportedOperationException("requests are not read here");
    }
  }

  @Test
  void aRequestThatCannotMoveEndsItsCallOnly() {
    MethodDescriptor<String, String> method =
        Texts.method(MethodType.BIDI_STREAMING, new WriteOnly());
    CallOptions options = CallOptions.DEFAULT.withWaitForReady(true);
    Server server = World.start(builder().maxConcurrentCallsPerConnection(1));
    ManagedChannel channel = world.channel();
    channel.connect();
    world.run();
    begin(channel, CallOptions.DEFAULT);
    Heard broken = new Heard();
    World.begin(channel, method, options, new Metadata(), broken).sendMessage("unreadable");
    begin(channel, options);
    server.shutdown();
    Handler next = new Handler(0);
    world.serve(Texts.BIDI, next);
    world.loop().advance(Duration.ofMinutes(1));
    assertThat(broken.isClosed()).isTrue();
    assertThat(broken.status().code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(next.calls()).hasSize(1);
  }

  @Test
  void callsThatWaitAreCounted() {
    ManagedChannel channel = serveOneAtATime(builder());
    assertThat(callsWaiting(channel)).isZero();
    begin(channel, CallOptions.DEFAULT);
    assertThat(callsWaiting(channel)).isZero();
    begin(channel, within(SECOND));
    begin(channel, CallOptions.DEFAULT);
    assertThat(callsWaiting(channel)).isEqualTo(2);
    world.loop().advance(SECOND);
    assertThat(callsWaiting(channel)).isOne();
    answer(0);
    assertThat(callsWaiting(channel)).isZero();
  }

  /** A marshaller that cancels the call whose request it writes. */
  private record Cancelling(AtomicReference<ClientCall<String, String>> call)
      implements Marshaller<String> {
    @Override
    public void write(String message, MessageSink sink) {
      Texts.WRITTEN.write(message, sink);
      if (message.equals("cancelled")) {
        call.get().cancel("not needed");
      }
    }

    @Override
    public String parse(ByteBuffer bytes) {
      return Texts.WRITTEN.parse(bytes);
    }
  }

  @Test
  void aCallThatEndsWhileItsFirstRequestIsWrittenDoesNotWait() {
    AtomicReference<ClientCall<String, String>> made = new AtomicReference<>();
    MethodDescriptor<String, String> method = Texts.method(MethodType.UNARY, new Cancelling(made));
    ManagedChannel channel = serveOneAtATime(world.serverBuilder(method, handler));
    World.call(channel, method, "first");
    ClientCall<String, String> call = channel.newCall(method, CallOptions.DEFAULT);
    made.set(call);
    Heard heard = new Heard();
    call.start(heard);
    call.sendMessage("cancelled");
    call.halfClose();
    world.run();
    assertThat(heard.status().code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(callsWaiting(channel)).isZero();
  }
}
