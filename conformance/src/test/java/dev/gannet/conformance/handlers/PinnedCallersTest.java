package dev.gannet.conformance.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Marshaller;
import dev.gannet.api.Marshallers;
import dev.gannet.api.MessageSink;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.stub.AsyncHandlers;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import dev.gannet.server.Server;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Virtual threads that wait for a response while they keep their carriers, and others beside them:
 * even if no carrier is left, all are woken.
 */
@Timeout(60)
public final class PinnedCallersTest {
  private static final MethodDescriptor<String, String> UNARY =
      MethodDescriptor.of(
          MethodType.UNARY, "test.Words/Unary", Marshallers.utf8(), Marshallers.utf8());

  private static final int CARRIERS = Runtime.getRuntime().availableProcessors();
  private static final int OTHERS = 16;

  /** What the initializer of the next {@link Pinned} does. */
  private static final ConcurrentLinkedQueue<Runnable> IN_INITIALIZERS =
      new ConcurrentLinkedQueue<>();

  /** Its initializer has a native frame below it, so a virtual thread in it keeps its carrier. */
  static final class Pinned {
    static {
      runNext();
    }

    private Pinned() {}
  }

  /** Public for classes of the same name of other class loaders. */
  public static void runNext() {
    IN_INITIALIZERS.remove().run();
  }

  /** Defines {@link Pinned} again. */
  private static final class Again extends ClassLoader {
    Again() {
      super(PinnedCallersTest.class.getClassLoader());
    }

    Class<?> define() throws IOException {
      String name = Pinned.class.getName();
      try (InputStream file =
          PinnedCallersTest.class.getResourceAsStream("PinnedCallersTest$Pinned.class")) {
        byte[] bytes = file.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      }
    }
  }

  private static void runPinned(Runnable work) {
    IN_INITIALIZERS.add(work);
    try {
      Class<?> again = new Again().define();
      Class.forName(again.getName(), true, again.getClassLoader());
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private final List<CompletableFuture<String>> waiting = new ArrayList<>(); // on the loop
  private final ConcurrentLinkedQueue<String> answers = new ConcurrentLinkedQueue<>();

  /** Answers all calls at once when the last has come. */
  private CompletionStage<String> answer(String request) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    waiting.add(answer);
    if (waiting.size() == OTHERS + CARRIERS) {
      waiting.forEach(it -> it.complete("answer"));
    }
    return answer;
  }

  private Server serve() throws IOException {
    return Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .dispatch(Dispatch.inline())
        .add(
            ServerServiceDefinition.of(
                "test.Words",
                List.of(ServerMethodDefinition.of(UNARY, AsyncHandlers.unary(this::answer)))))
        .start();
  }

  /** Callers that keep all carriers, and before them others that do not. */
  private List<Thread> start(ManagedChannel channel, MethodDescriptor<String, String> method) {
    Runnable call =
        () -> answers.add(BlockingCalls.unary(channel, method, CallOptions.DEFAULT, "request"));
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < OTHERS; i++) {
      callers.add(Thread.startVirtualThread(call));
    }
    callers.forEach(PinnedCallersTest::awaitWaiting);
    for (int i = 0; i < CARRIERS; i++) {
      callers.add(Thread.startVirtualThread(() -> runPinned(call)));
    }
    return callers;
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  private void assertAllGetAnswers(List<Thread> callers) throws InterruptedException {
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(answers).hasSize(OTHERS + CARRIERS).containsOnly("answer");
  }

  @Test
  void allAreWoken() throws Exception {
    try (Server server = serve();
        ManagedChannel channel =
            ManagedChannel.builder("127.0.0.1", server.port()).plaintext().build()) {
      assertAllGetAnswers(start(channel, UNARY));
    }
  }

  /** It takes an event loop long to start them, so another thread does most of it. */
  @Test
  void allCallsThatHaveWaitedForAConnectionAreStarted() throws Exception {
    HeldResolver resolver = new HeldResolver();
    try (Server server = serve();
        ManagedChannel channel =
            ManagedChannel.builder("held:///server")
                .addNameResolver(resolver)
                .plaintext()
                .build()) {
      List<Thread> callers =
          start(
              channel,
              MethodDescriptor.of(
                  MethodType.UNARY, UNARY.fullMethodName(), new Slow(), Marshallers.utf8()));
      callers.forEach(PinnedCallersTest::awaitWaiting);
      resolver.resolves(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
      assertAllGetAnswers(callers);
    }
  }

  /** Takes two milliseconds for a message. */
  private static final class Slow implements Marshaller<String> {
    private static final long NANOS = 2_000_000;

    @Override
    public void write(String message, MessageSink sink) {
      long begin = System.nanoTime();
      while (System.nanoTime() - begin < NANOS) {
        Thread.onSpinWait();
      }
      Marshallers.utf8().write(message, sink);
    }

    @Override
    public String parse(ByteBuffer bytes) {
      return Marshallers.utf8().parse(bytes);
    }
  }

  /** Resolves every name when the test says so. */
  private static final class HeldResolver implements NameResolverProvider {
    private final CompletableFuture<NameResolver.Listener> listener = new CompletableFuture<>();

    void resolves(SocketAddress address) {
      listener.join().onResult(Resolution.of(List.of(Endpoint.of(address))));
    }

    @Override
    public String scheme() {
      return "held";
    }

    @Override
    public NameResolver create(Target target, NameResolver.Context context) {
      return new NameResolver() {
        @Override
        public void start(Listener told) {
          listener.complete(told);
        }

        @Override
        public void refresh() {}

        @Override
        public void shutdown() {}
      };
    }
  }
}
