package dev.gannet.conformance.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.stub.AsyncCalls;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A thread that waits for a response gets one, whatever interceptors do with the call. The only
 * exception is an interceptor that reports the end on another thread and fails there.
 */
@Timeout(60)
final class BlockedCallersTest {
  private static final MethodDescriptor<String, String> UNARY = method(MethodType.UNARY, "Unary");
  private static final MethodDescriptor<String, String> SERVER_STREAMING =
      method(MethodType.SERVER_STREAMING, "ServerStreaming");
  private static final MethodDescriptor<String, String> CLIENT_STREAMING =
      method(MethodType.CLIENT_STREAMING, "ClientStreaming");
  private static final MethodDescriptor<String, String> BIDI =
      method(MethodType.BIDI_STREAMING, "Bidi");
  private static final int MANY = 10_000;
  private static final Metadata.Key<String> TOKEN = Metadata.Key.ascii("token");
  private static final ExecutorService ANOTHER = Executors.newVirtualThreadPerTaskExecutor();

  private final CountDownLatch chatMayEnd = new CountDownLatch(1);
  private final Server server =
      Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
          .add(
              ServerServiceDefinition.of(
                  "test.Words",
                  List.of(
                      ServerMethodDefinition.of(UNARY, BlockingHandlers.unary(it -> it)),
                      ServerMethodDefinition.of(
                          SERVER_STREAMING,
                          BlockingHandlers.serverStreaming((request, responses) -> {
                            for (int i = 0; i < 100; i++) {
                              responses.send(request);
                            }
                          })),
                      ServerMethodDefinition.of(
                          CLIENT_STREAMING,
                          BlockingHandlers.clientStreaming(BlockedCallersTest::count)),
                      ServerMethodDefinition.of(BIDI, BlockingHandlers.bidiStreaming(this::chat)))))
          .start();
  private final ManagedChannel channel =
      ManagedChannel.builder("127.0.0.1", server.port()).plaintext().build();

  BlockedCallersTest() throws IOException {}

  @AfterEach
  void stop() {
    channel.close();
    server.close();
  }

  @Test
  void anExceptionOfAListenerAtTheEndReachesItsCaller() {
    Channel failing =
        through(
            Hooks.NONE.atEnd(() -> {
              throw new IllegalArgumentException("no such trailer");
            }));
    assertThatThrownBy(() -> ask(failing)).hasRootCauseMessage("no such trailer");
    assertThat(ask(channel)).isEqualTo("hello");
  }

  @Test
  void aResponseDeliveredOnAnotherThreadReachesTheCaller() {
    Channel elsewhere = through(Hooks.NONE.changing(it -> it.withExecutor(ANOTHER)));
    assertThat(ask(elsewhere)).isEqualTo("hello");
    Incoming<String> answers =
        BlockingCalls.serverStreaming(elsewhere, SERVER_STREAMING, CallOptions.DEFAULT, "hello");
    int heard = 0;
    for (String answer : answers) {
      assertThat(answer).isEqualTo("hello");
      heard++;
    }
    assertThat(heard).isEqualTo(100);
  }

  private static String count(Incoming<String> requests) {
    int count = 0;
    for (String request : requests) {
      count += request.isEmpty() ? 0 : 1;
    }
    return Integer.toString(count);
  }

  @Test
  void readinessDeliveredOnAnotherThreadWakesASender() {
    Channel elsewhere = through(Hooks.NONE.changing(it -> it.withExecutor(ANOTHER)));
    try (ClientStreamingCall<String, String> call =
        BlockingCalls.clientStreaming(elsewhere, CLIENT_STREAMING, CallOptions.DEFAULT)) {
      for (int i = 0; i < MANY; i++) {
        call.send("hello, hello, hello");
      }
      assertThat(call.finish()).isEqualTo(Integer.toString(MANY));
    }
  }

  /** Sends as many responses as it is told to, reads no more, and ends badly. */
  private void chat(Incoming<String> requests, Outgoing<String> responses)
      throws InterruptedException {
    int count = Integer.parseInt(requests.next());
    for (int i = 0; i < count; i++) {
      responses.send("response");
    }
    chatMayEnd.await();
    throw Status.ABORTED.asException();
  }

  private static void drain(Incoming<String> responses) {
    while (responses.hasNext()) {
      responses.next();
    }
  }

  @Test
  void anUnreadEndDeliveredOnAnotherThreadWakesASender() throws InterruptedException {
    Channel elsewhere = through(Hooks.NONE.changing(it -> it.withExecutor(ANOTHER)));
    try (BidiStreamingCall<String, String> call =
        BlockingCalls.bidiStreaming(elsewhere, BIDI, CallOptions.DEFAULT)) {
      call.send("40"); // more than a stub asks for by itself
      Thread sender = Thread.ofPlatform().daemon().start(() -> sendMoreThanThereIsRoomFor(call));
      while (sender.getState() != Thread.State.WAITING) {
        assertThat(sender.isAlive()).isTrue();
        Thread.onSpinWait();
      }
      chatMayEnd.countDown();
      assertThat(sender.join(Duration.ofSeconds(20))).isTrue();
      assertThatThrownBy(() -> drain(call)).hasMessageContaining("ABORTED");
    }
  }

  private static void sendMoreThanThereIsRoomFor(BidiStreamingCall<String, String> call) {
    for (int i = 0; i < 2_000; i++) {
      call.send("hello, hello, hello".repeat(1000));
    }
  }

  @Test
  void anExceptionOfAListenerAtTheEndReachesAllWaitingThreads() {
    Channel failing =
        through(
            Hooks.NONE.atEnd(() -> {
              throw new IllegalArgumentException("no such trailer");
            }));
    BidiStreamingCall<String, String> call =
        BlockingCalls.bidiStreaming(failing, BIDI, CallOptions.DEFAULT);
    call.send("0");
    Future<?> sender =
        ANOTHER.submit(() -> {
          while (true) {
            call.send("hello, hello, hello");
          }
        });
    Future<?> reader = ANOTHER.submit(() -> drain(call));
    chatMayEnd.countDown();
    for (Future<?> one : List.of(sender, reader)) {
      assertThatThrownBy(() -> one.get(20, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasRootCauseMessage("no such trailer");
    }
  }

  @Test
  void aResponseIsReturnedOnce() {
    ClientStreamingCall<String, String> call =
        BlockingCalls.clientStreaming(channel, CLIENT_STREAMING, CallOptions.DEFAULT);
    assertThat(call.finish()).isEqualTo("0");
    assertThatThrownBy(call::finish)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("already returned");
  }

  @Test
  void aResponseKeptByAnInterceptorIsNoSuccess() {
    Channel keeping = ClientInterceptor.intercept(channel, List.of(new Keeping()));
    assertThatThrownBy(() -> ask(keeping)).hasMessageContaining("no response reached the caller");
  }

  /** Passes ends on and no messages. */
  private static final class Keeping implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new HookedCall<>(next.newCall(method, options), Hooks.NONE) {
        @Override
        Listener<R> around(Listener<? super R> listener) {
          return new Listener<>() {
            @Override
            public void onClose(Status status, Metadata trailers) {
              listener.onClose(status, trailers);
            }
          };
        }
      };
    }
  }

  @Test
  void anInterceptorSeesTheEndOfAStreamThatIsClosedEarly() throws InterruptedException {
    CountDownLatch ends = new CountDownLatch(2);
    Channel heard = through(Hooks.NONE.atEnd(ends::countDown));
    try (Incoming<String> answers =
        BlockingCalls.serverStreaming(heard, SERVER_STREAMING, CallOptions.DEFAULT, "hello")) {
      assertThat(answers.next()).isEqualTo("hello");
    }
    BlockingCalls.clientStreaming(heard, CLIENT_STREAMING, CallOptions.DEFAULT).close();
    assertThat(ends.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void anInterceptorSeesTheEndOfACallWhoseRequestCannotBeSent() throws InterruptedException {
    CountDownLatch ends = new CountDownLatch(1);
    Channel refusing =
        through(
            Hooks.NONE
                .atSend(() -> {
                  throw new IllegalArgumentException("not valid");
                })
                .atEnd(ends::countDown));
    assertThatThrownBy(() -> ask(refusing)).hasMessage("not valid");
    assertThat(ends.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void anInterruptIsKeptWhenAListenerThrows() {
    Channel failing =
        through(
            Hooks.NONE.atEnd(() -> {
              throw new IllegalArgumentException("no such trailer");
            }));
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> ask(failing)).hasRootCauseMessage("no such trailer");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void anInterceptorSeesTheMetadataOfACallsOptions() {
    AtomicReference<String> seen = new AtomicReference<>();
    Channel watched =
        through(Hooks.NONE.atStart(headers -> seen.set(headers.get(TOKEN).orElse("none"))));
    Metadata metadata = new Metadata();
    metadata.add(TOKEN, "secret");
    CallOptions options = CallOptions.DEFAULT.withMetadata(metadata);
    BlockingCalls.unary(watched, UNARY, options, "hello");
    assertThat(seen).hasValue("secret");
    seen.set("");
    BlockingCalls.serverStreaming(watched, SERVER_STREAMING, options, "hello").close();
    assertThat(seen).hasValue("secret");
  }

  @Test
  void aBlockingCallOnAnEventLoopIsRefusedInsteadOfHanging() throws Exception {
    assertThat(refusedOnALoop(() -> ask(channel))).hasMessageContaining("test.Words/Unary");
  }

  @Test
  void joiningAFutureOnAnEventLoopIsRefused() throws Exception {
    assertThat(
            refusedOnALoop(
                () -> AsyncCalls.unary(channel, UNARY, CallOptions.DEFAULT, "hello").join()))
        .hasMessageContaining(
            "a blocking call of test.Words/Unary cannot be made on the event loop")
        .hasMessageContaining("Dispatch.virtualThreads()");
  }

  @Test
  void readingAStreamOnAnEventLoopIsRefusedInsteadOfHanging() throws Exception {
    try (Incoming<String> responses =
        BlockingCalls.serverStreaming(channel, SERVER_STREAMING, CallOptions.DEFAULT, "hello")) {
      assertThat(refusedOnALoop(() -> drain(responses)))
          .hasMessageContaining("test.Words/ServerStreaming");
    }
  }

  /** The exception of code that blocks on the loop of the channel's connection. */
  private Throwable refusedOnALoop(Runnable blocking) throws Exception {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    ClientCall<String, String> call =
        channel.newCall(UNARY, CallOptions.DEFAULT.withExecutor(Runnable::run));
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(String message) {
            try {
              blocking.run();
            } catch (IllegalStateException e) {
              thrown.complete(e);
            }
          }
        },
        new Metadata());
    call.request(1);
    call.sendMessage("hello");
    return thrown.get(20, TimeUnit.SECONDS);
  }

  @Test
  void aCallWhoseRequestCannotBeSentDoesNotKeepItsChannelOpen() throws InterruptedException {
    Channel refusing =
        through(
            Hooks.NONE.atSend(() -> {
              throw new IllegalArgumentException("not valid");
            }));
    assertThatThrownBy(() -> ask(refusing)).hasMessage("not valid");
    channel.shutdown();
    assertThat(channel.awaitTermination(Duration.ofSeconds(20))).isTrue();
  }

  @Test
  void aCallThatIsCancelledWhileItStartsEndsOnce() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      ClientCall<String, String> call = channel.newCall(UNARY, CallOptions.DEFAULT);
      Ends ends = new Ends();
      Thread other = Thread.ofVirtual().start(() -> call.cancel("at its start"));
      call.start(ends);
      call.request(1);
      call.sendMessage("hello");
      assertThat(ends.first.get(20, TimeUnit.SECONDS).code())
          .isIn(Status.Code.CANCELLED, Status.Code.OK);
      other.join();
      assertThat(ends.count).hasValue(1);
    }
    channel.shutdown();
    assertThat(channel.awaitTermination(Duration.ofSeconds(20))).isTrue();
  }

  private static final class Ends implements ClientCall.Listener<String> {
    private final CompletableFuture<Status> first = new CompletableFuture<>();
    private final AtomicInteger count = new AtomicInteger();

    @Override
    public void onClose(Status status, Metadata trailers) {
      count.incrementAndGet();
      first.complete(status);
    }
  }

  @Test
  void nullMetadataAndInvalidAuthoritiesAreRefusedAtOnce() {
    Metadata metadata = new Metadata();
    assertThatThrownBy(() -> metadata.add(Metadata.Key.ascii("token"), null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("token");
    assertThatThrownBy(() -> CallOptions.DEFAULT.withAuthority("例え"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** What an interceptor of a test does. */
  private record Hooks(
      UnaryOperator<CallOptions> change,
      Consumer<Metadata> onStart,
      Runnable onSend,
      Runnable onEnd) {
    private static final Hooks NONE = new Hooks(it -> it, headers -> {}, () -> {}, () -> {});

    Hooks changing(UnaryOperator<CallOptions> options) {
      return new Hooks(options, onStart, onSend, onEnd);
    }

    Hooks atStart(Consumer<Metadata> action) {
      return new Hooks(change, action, onSend, onEnd);
    }

    Hooks atSend(Runnable action) {
      return new Hooks(change, onStart, action, onEnd);
    }

    Hooks atEnd(Runnable action) {
      return new Hooks(change, onStart, onSend, action);
    }
  }

  private record Hooking(Hooks hooks) implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new HookedCall<>(next.newCall(method, hooks.change().apply(options)), hooks);
    }
  }

  private static class HookedCall<Q, R> implements ClientCall<Q, R> {
    private final ClientCall<Q, R> call;
    private final Hooks hooks;

    HookedCall(ClientCall<Q, R> call, Hooks hooks) {
      this.call = call;
      this.hooks = hooks;
    }

    Listener<R> around(Listener<? super R> listener) {
      return new HookedListener<>(listener, hooks);
    }

    @Override
    public void start(Listener<? super R> listener, Metadata headers) {
      hooks.onStart().accept(headers);
      call.start(around(listener), headers);
    }

    @Override
    public void request(int messages) {
      call.request(messages);
    }

    @Override
    public void sendMessage(Q message) {
      hooks.onSend().run();
      call.sendMessage(message);
    }

    @Override
    public void halfClose() {
      call.halfClose();
    }

    @Override
    public void cancel(String message) {
      call.cancel(message);
    }

    @Override
    public void cancel(String message, Throwable cause) {
      call.cancel(message, cause);
    }

    @Override
    public boolean isReady() {
      return call.isReady();
    }

    @Override
    public boolean isResponseCompressed() {
      return call.isResponseCompressed();
    }

    @Override
    public void setMessageCompression(boolean enabled) {
      call.setMessageCompression(enabled);
    }
  }

  private record HookedListener<R>(ClientCall.Listener<? super R> listener, Hooks hooks)
      implements ClientCall.Listener<R> {
    @Override
    public void onReady() {
      listener.onReady();
    }

    @Override
    public void onMessage(R message) {
      listener.onMessage(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      hooks.onEnd().run();
      listener.onClose(status, trailers);
    }
  }

  private Channel through(Hooks hooks) {
    return ClientInterceptor.intercept(channel, List.of(new Hooking(hooks)));
  }

  private static String ask(Channel to) {
    return BlockingCalls.unary(to, UNARY, CallOptions.DEFAULT, "hello");
  }

  private static MethodDescriptor<String, String> method(MethodType type, String name) {
    return MethodDescriptor.of(type, "test.Words/" + name, new Words(false), new Words(false));
  }
}
