package dev.gannet.conformance.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Marshallers;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.stub.AsyncHandlers;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
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
  private final CountDownLatch othersWait = new CountDownLatch(OTHERS);

  /** Answers all calls at once when the last has come. */
  private CompletionStage<String> answer(String request) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    waiting.add(answer);
    othersWait.countDown();
    if (waiting.size() == OTHERS + CARRIERS) {
      waiting.forEach(it -> it.complete("answer"));
    }
    return answer;
  }

  @Test
  void allAreWokenIfAllCarriersAreKeptByCallers() throws Exception {
    ConcurrentLinkedQueue<String> answers = new ConcurrentLinkedQueue<>();
    try (Server server =
            Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .dispatch(Dispatch.inline())
                .add(
                    ServerServiceDefinition.of(
                        "test.Words",
                        List.of(
                            ServerMethodDefinition.of(UNARY, AsyncHandlers.unary(this::answer)))))
                .start();
        ManagedChannel channel =
            ManagedChannel.builder("127.0.0.1", server.port()).plaintext().build()) {
      Runnable call =
          () -> answers.add(BlockingCalls.unary(channel, UNARY, CallOptions.DEFAULT, "request"));
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < OTHERS; i++) {
        callers.add(Thread.startVirtualThread(call));
      }
      othersWait.await();
      for (int i = 0; i < CARRIERS; i++) {
        callers.add(Thread.startVirtualThread(() -> runPinned(call)));
      }
      for (Thread caller : callers) {
        caller.join();
      }
    }
    assertThat(answers).hasSize(OTHERS + CARRIERS).containsOnly("answer");
  }
}
