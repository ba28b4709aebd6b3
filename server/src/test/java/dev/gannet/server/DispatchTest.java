package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.server.call.Draining;
import dev.gannet.server.call.FakeServerStream;
import dev.gannet.server.call.OnExecutor;
import dev.gannet.server.call.ServedMethod;
import dev.gannet.server.call.TestCall;
import dev.gannet.server.call.TestCalls;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.ServerCallEventListener;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.settings.CallBounds;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where handlers run: what a method says, or else what the server says. */
@Timeout(60)
final class DispatchTest {
  private static final String PATH = "/pkg.Service/Method";
  private static final int MIB = 1 << 20;

  private final List<Runnable> tasks = new ArrayList<>();
  private final AtomicReference<Thread> thread = new AtomicReference<>();
  private final CountDownLatch began = new CountDownLatch(1);

  private ServerCall.Listener<String> begin(ServerCall<String, String> call, Metadata headers) {
    thread.set(Thread.currentThread());
    began.countDown();
    return new ServerCall.Listener<>() {};
  }

  private CallIntake intake(
      Dispatch ofServer, ServerMethodDefinition<String, String> method, Duration maxCall) {
    return new CallIntake(
        ServerSettings.Services.of(
                List.of(ServerServiceDefinition.of("pkg.Service", List.of(method))), ofServer)
            .withLimits(CallBounds.DEFAULT.withMaxCallNanos(maxCall.toNanos())),
        ServerSettings.Interception.NONE,
        ServerSettings.Formats.DEFAULT,
        () -> 0);
  }

  private ServerCallEventListener begins(
      Dispatch ofServer, ServerMethodDefinition<String, String> method) {
    CallIntake intake = intake(ofServer, method, Duration.ofDays(1));
    return begin(intake.find(PATH).orElseThrow());
  }

  private ServerMethodDefinition<String, String> waiting() {
    ServerCallHandler<String, String> handler =
        new ServerCallHandler<>() {
          @Override
          public ServerCall.Listener<String> startCall(
              ServerCall<String, String> call, Metadata headers) {
            return begin(call, headers);
          }

          @Override
          public boolean waitsForPeer() {
            return true;
          }
        };
    return TestCalls.served(MethodType.BIDI_STREAMING, handler);
  }

  @SuppressWarnings("unchecked") // its responses are texts
  private static ServerCallEventListener begin(ServerMethod<?, ?> method) {
    ServerCallEventListener events = ((ServerMethod<String, String>) method).begin(onLoop());
    assertThat(events.onBegun()).isEqualTo(CallAdmission.ADMITTED);
    events.flush();
    return events;
  }

  private static FakeServerStream onLoop() {
    FakeServerStream stream = new FakeServerStream();
    stream.onLoop = true;
    return stream;
  }

  private ServerMethodDefinition<String, String> method() {
    return TestCalls.served(MethodType.BIDI_STREAMING, this::begin);
  }

  @Test
  void handlersThatWaitOnVirtualThreadsCountWithTheirThread() {
    assertThat(handlerBytes(Dispatch.virtualThreads(), waiting())).isGreaterThan(4 << 10);
    assertThat(handlerBytes(Dispatch.newVirtualThreads(), waiting())).isGreaterThan(4 << 10);
    assertThat(handlerBytes(Dispatch.on(Runnable::run), waiting())).isZero();
    assertThat(handlerBytes(Dispatch.virtualThreads(), method())).isZero();
  }

  private int handlerBytes(Dispatch dispatch, ServerMethodDefinition<String, String> method) {
    return intake(dispatch, method, Duration.ofDays(1)).find(PATH).orElseThrow().handlerBytes();
  }

  @Test
  void byDefaultHandlersRunOnVirtualThreads() throws InterruptedException {
    begins(Dispatch.virtualThreads(), method());
    assertThat(began.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(thread.get().isVirtual()).isTrue();
  }

  @Test
  void eachCallMayHaveANewVirtualThread() throws InterruptedException {
    int calls = 100;
    CountDownLatch all = new CountDownLatch(calls);
    Set<Long> used = ConcurrentHashMap.newKeySet();
    ServerMethodDefinition<String, String> method =
        TestCalls.served(
            MethodType.BIDI_STREAMING,
            (call, headers) -> {
              assertThat(Thread.currentThread().isVirtual()).isTrue();
              used.add(Thread.currentThread().threadId());
              all.countDown();
              return new ServerCall.Listener<>() {};
            });
    ServerMethod<?, ?> served =
        intake(Dispatch.newVirtualThreads(), method, Duration.ofDays(1)).find(PATH).orElseThrow();
    for (int i = 0; i < calls; i++) {
      begin(served);
    }
    assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(used).hasSize(calls);
  }

  @ParameterizedTest
  @MethodSource("virtualThreads")
  void aCancelledCallInterruptsItsHandlerOnAVirtualThread(Dispatch dispatch)
      throws InterruptedException {
    CountDownLatch interrupted = new CountDownLatch(1);
    ServerMethodDefinition<String, String> blocking =
        TestCalls.served(
            MethodType.BIDI_STREAMING,
            (call, headers) -> {
              began.countDown();
              try {
                new CountDownLatch(1).await(); // for ever
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
              return new ServerCall.Listener<>() {};
            });
    ServerCallEventListener events = begins(dispatch, blocking);
    assertThat(began.await(30, TimeUnit.SECONDS)).isTrue();
    events.add(CallEvent.Closed.atOnce(Status.CANCELLED));
    events.flush();
    assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private static List<Dispatch> virtualThreads() {
    return List.of(Dispatch.virtualThreads(), Dispatch.newVirtualThreads());
  }

  @Test
  void inlineHandlersRunOnTheEventLoop() {
    begins(Dispatch.inline(), method());
    assertThat(thread.get()).isEqualTo(Thread.currentThread());
  }

  @Test
  void handlersRunAsTasksOfTheChosenExecutor() {
    begins(Dispatch.on(tasks::add), method());
    assertThat(thread.get()).isNull();
    tasks.removeFirst().run();
    assertThat(thread.get()).isEqualTo(Thread.currentThread());
  }

  @Test
  void theDispatchOfAMethodHasPriority() {
    begins(Dispatch.inline(), method().withDispatch(Dispatch.on(tasks::add)));
    assertThat(tasks).hasSize(1);
  }

  @Test
  void aHandlerThatWaitsForItsPeerIsNeverOnALoop() throws InterruptedException {
    begins(Dispatch.inline(), waiting());
    assertThat(began.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(thread.get().isVirtual()).isTrue();
  }

  @Test
  void aHandlerAroundOneThatWaitsForItsPeerIsNeverOnALoop() throws InterruptedException {
    begins(Dispatch.inline(), waiting().withHandler(this::begin));
    assertThat(began.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(thread.get().isVirtual()).isTrue();
  }

  @Test
  void unknownMethodsAreNotFound() {
    CallIntake intake = intake(Dispatch.inline(), method(), Duration.ofSeconds(1));
    assertThat(intake.find("/pkg.Service/method")).isEmpty();
    assertThat(intake.find("pkg.Service/Method")).isEmpty();
    CallBounds limits = intake.find(PATH).orElseThrow().limits();
    assertThat(limits.maxInboundMessageBytes()).isEqualTo(4 * MIB);
    assertThat(limits.maxCallNanos()).isEqualTo(Duration.ofSeconds(1).toNanos());
    intake.onSlowPass();
  }

  @Test
  void aMethodThatIsAddedTwiceIsRefused() {
    ServerServiceDefinition service = ServerServiceDefinition.of("pkg.Service", List.of(method()));
    assertThatThrownBy(() ->
            new MethodTable(
                List.of(service, service),
                it ->
                    new ServedMethod<>(
                        it,
                        () -> new OnExecutor(tasks::add),
                        CallBounds.DEFAULT,
                        new Draining(),
                        Optional.empty(),
                        List.of())))
        .hasMessage(PATH + " was added twice");
  }

  @Test
  void aCallWithALargeUnparsedMessageLeavesTheLoop() {
    TestCall call = TestCall.onLoop(MethodType.BIDI_STREAMING).comes().hears("short");
    assertThat(call.heard).containsExactly("begin", "ready", "short");
    assertThat(call.loop.pendingTasks()).isZero();
    call.hearsUnread(ByteBuffer.allocate(2 * MIB + 1), MessageEncoding.IDENTITY);
    assertThat(call.heard).hasSize(4);
    assertThat(call.tasks).isOne();
    call.hears("next");
    assertThat(call.heard).endsWith("next");
    assertThat(call.tasks).isEqualTo(2);
  }
}
