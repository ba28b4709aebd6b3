package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.transport.EventLoops;
import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.api.transport.Offence;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.api.transport.Transport;
import dev.gannet.api.transport.WorkBudget;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.transport.http2.Http2Transport;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The front door: options that reach calls and connections, and closing. */
@Timeout(60)
final class ManagedChannelTest {
  private final TestChannel test = new TestChannel();

  @Test
  void closingAnIdleChannelEndsItAtOnce() {
    test.channel().close();
    assertThat(test.channel().isTerminated()).isTrue();
  }

  @Test
  void closingWhileInterruptedEndsEverythingAtOnce() {
    FakeTransport transport = test.connected();
    TestCall call = test.call();
    Thread.currentThread().interrupt();
    test.channel().close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(call.text()).isEqualTo("the channel was closed before the call ended");
    assertThat(transport.endings).hasSize(1);
  }

  @Test
  void closingOnAnEventLoopReturnsWithoutWaiting() throws InterruptedException {
    test.connected();
    TestCall call = test.call();
    assertThat(thrownOnLoop(() -> test.channel().close())).isEmpty();
    assertThat(call.isOver()).isFalse();
    List<String> lines = logOf(() -> test.advance(Duration.ofSeconds(5)));
    assertThat(call.text()).isEqualTo("the channel was closed before the call ended");
    assertThat(lines)
        .containsExactly(
            "closing the channel to test:///name cancels calls that did not end within 5 s"
                + " (closeGrace): 1; read streams to their end, or close or cancel them, before closing the channel");
  }

  @Test
  void closingOnAnEventLoopEndsEverythingAtOnceIfNoTimerCanBeSet() throws InterruptedException {
    test.connected();
    TestCall call = test.call();
    test.pipes.refused.add(FakePipes.Service.SCHEDULE);
    assertThat(thrownOnLoop(() -> test.channel().close())).isEmpty();
    assertThat(call.text()).isEqualTo("the channel was closed before the call ended");
  }

  @Test
  void anEventLoopIsNotBlockedUntilTheChannelIsReadyOrTerminated() throws InterruptedException {
    ManagedChannel channel = test.channel();
    assertThat(thrownOnLoop(() -> channel.awaitReady(Duration.ZERO)))
        .containsInstanceOf(IllegalStateException.class)
        .map(Throwable::getMessage)
        .hasValue(
            "ManagedChannel.awaitReady cannot wait on the event loop thread loop, because that"
                + " thread may have to do what it would wait for: call it on another thread");
    assertThat(channel.state()).isEqualTo(ConnectivityState.IDLE);
    assertThat(thrownOnLoop(() -> channel.awaitTermination(Duration.ofNanos(1))))
        .containsInstanceOf(IllegalStateException.class);
    assertThat(thrownOnLoop(() -> channel.awaitTermination(Duration.ZERO))).isEmpty();
    channel.close();
    assertThat(thrownOnLoop(() -> channel.awaitTermination(Duration.ofDays(1)))).isEmpty();
    assertThat(thrownOnLoop(channel::awaitTermination)).isEmpty();
  }

  @Test
  void anEventLoopIsNotBlockedWithoutATimeout() throws InterruptedException {
    assertThat(thrownOnLoop(test.channel()::awaitTermination))
        .containsInstanceOf(IllegalStateException.class);
  }

  private static Optional<Throwable> thrownOnLoop(ThrowingCallable task)
      throws InterruptedException {
    CompletableFuture<Optional<Throwable>> thrown = new CompletableFuture<>();
    LoopThread loop =
        new LoopThread(() -> thrown.complete(Optional.ofNullable(catchThrowable(task))));
    loop.start();
    loop.join();
    return thrown.join();
  }

  @Test
  void theGracePeriodCanBeChosen() throws InterruptedException {
    test.closeGrace = Duration.ofMillis(1500);
    test.connected();
    TestCall call = test.call();
    Thread loop = new LoopThread(() -> test.channel().close());
    loop.start();
    loop.join();
    test.advance(Duration.ofMillis(1499));
    assertThat(call.isOver()).isFalse();
    List<String> lines = logOf(() -> test.advance(Duration.ofMillis(1)));
    assertThat(call.text()).isEqualTo("the channel was closed before the call ended");
    assertThat(lines).singleElement().asString().contains("within 1.5 s (closeGrace): 1;");
  }

  @Test
  void aGracePeriodIsNotNegative() {
    ManagedChannelBuilder builder = ManagedChannel.builder("localhost:1");
    assertThatThrownBy(() -> builder.closeGrace(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("closeGrace cannot be negative: PT-0.000000001S");
  }

  @Test
  void builderValuesOutOfRangeAreRefused() {
    ManagedChannelBuilder builder = ManagedChannel.builder("localhost:1");
    assertThatThrownBy(() -> builder.addresses(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a channel needs at least one address");
    assertThatThrownBy(() -> builder.endpoints(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a channel needs at least one endpoint");
    assertThatThrownBy(() -> builder.idleTimeout(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("idleTimeout must be positive: PT0S");
    assertThatThrownBy(() -> builder.maxOutboundMessageBytes(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxOutboundMessageBytes cannot be negative: -1");
  }

  @Test
  void aChannelWhoseCallsHaveEndedClosesWithoutAWarning() {
    assertThat(logOf(() -> test.channel().close())).isEmpty();
  }

  private static List<String> logOf(Runnable action) {
    Logger log = Logger.getLogger(ManagedChannel.class.getName());
    Lines lines = new Lines();
    log.addHandler(lines);
    log.setUseParentHandlers(false);
    try {
      action.run();
      return lines.all;
    } finally {
      log.removeHandler(lines);
      log.setUseParentHandlers(true);
    }
  }

  private static final class Lines extends Handler {
    private final List<String> all = new ArrayList<>();

    @Override
    public void publish(LogRecord line) {
      all.add(new SimpleFormatter().formatMessage(line));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void awaitTerminationReturnsWhetherTheChannelHasEnded() throws InterruptedException {
    test.connected();
    assertThat(test.channel().awaitTermination(Duration.ZERO)).isFalse();
    test.channel().shutdown();
    test.dial().isLost();
    assertThat(test.channel().awaitTermination(Duration.ofDays(1))).isTrue();
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.SHUTDOWN);
  }

  @Test
  void awaitTerminationWithoutATimeoutReturnsWhenTheChannelHasEnded() throws Exception {
    test.connected();
    ManagedChannel channel = test.channel();
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    Thread waiting =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try {
                channel.awaitTermination();
                ended.complete(channel.isTerminated());
              } catch (Throwable e) {
                ended.completeExceptionally(e);
              }
            });
    channel.shutdown();
    while (waiting.getState() != Thread.State.WAITING) {
      assertThat(ended).isNotDone();
      Thread.onSpinWait();
    }
    test.dial().isLost();
    assertThat(ended.get(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void faultsOfServersAreCounted() {
    test.connected();
    test.dial().then.faults().report(PeerFault.TOO_SLOW, test.dial().address, "a fault");
    test.dial().then.faults().reportAbuse(Offence.PING, test.dial().address, "an offence");
    assertThat(test.channel().peerFaults())
        .isEqualTo(Map.of(PeerFault.TOO_SLOW, 1L, PeerFault.ABUSE, 1L));
    assertThat(test.channel().offences()).isEqualTo(Map.of(Offence.PING, 1L));
  }

  @Test
  void builderOptionsReachTheConnection() {
    FakePipes pipes = new FakePipes();
    MemoryBudget budget = MemoryBudget.ofBytes(1 << 26);
    ManagedChannel channel =
        ManagedChannel.builder("two.test:5")
            .plaintext()
            .transport(Http2Transport.over(pipes))
            .intercept(new PassOn())
            .executor(Runnable::run)
            .maxInboundMessageBytes(5)
            .maxInboundMetadataBytes(4_096)
            .transportLimits(limits -> limits.withMaxFrameBytes(1 << 15))
            .workBudget(WorkBudget.ofBytesPerSecond(1))
            .socketOptions(options -> options.withBacklog(1))
            .eventLoops(EventLoops.ofProcess())
            .memoryBudget(budget)
            .transportLimits(limits -> limits.withFlowControlWindows(1 << 16, 1 << 17))
            .keepAliveTime(Duration.ofSeconds(1))
            .keepAliveTimeout(Duration.ofSeconds(2))
            .keepAliveWithoutCalls(true)
            .keepAliveWithoutCalls(false)
            .keepAliveTime(ChronoUnit.FOREVER.getDuration())
            .build();
    TestCall call =
        new TestCall(channel.newCall(TestChannel.UNARY, CallOptions.DEFAULT)).start().asks("a");
    pipes.loop.runUntilIdle();
    pipes.opened.getFirst().becomesReady();
    assertThat(channel.state()).isEqualTo(ConnectivityState.READY);
    channel.shutdownNow();
    pipes.loop.runUntilIdle();
    assertThat(call.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThatThrownBy(() -> ManagedChannel.builder("a:1").maxInboundMessageBytes(-1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ManagedChannel.builder("a:1").overrideAuthority("a b"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ManagedChannel.builder("a:1").build())
        .isInstanceOf(IllegalStateException.class); // no transport here
  }

  /** A transport that only uses the public API. */
  private record OfAnotherMake() implements Transport {}

  @Test
  void aTransportOfAnUnknownClassIsRefused() {
    assertThatThrownBy(() -> ManagedChannel.builder("a:1").transport(new OfAnotherMake()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("OfAnotherMake");
  }

  @Test
  void listenersRunOnVirtualThreadsUnlessToldOtherwise() throws InterruptedException {
    FakePipes pipes = new FakePipes();
    pipes.refused.add(FakePipes.Service.OFFLOAD);
    ManagedChannel channel =
        ManagedChannel.builder("two.test:5")
            .plaintext()
            .transport(Http2Transport.over(pipes))
            .build();
    CompletableFuture<Thread> ran = new CompletableFuture<>();
    channel.newCall(TestChannel.UNARY, CallOptions.DEFAULT).start(new Ends(ran));
    assertThat(ran.join().isVirtual()).isTrue();
    channel.shutdownNow();
  }

  private record PassOn() implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return next.newCall(method, options);
    }
  }

  private record Ends(CompletableFuture<Thread> on) implements ClientCall.Listener<String> {
    @Override
    public void onClose(Status status, Metadata trailers) {
      on.complete(Thread.currentThread());
    }
  }
}
