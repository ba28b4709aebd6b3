package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.engine.EventLoopThread;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An error that somebody's code throws on an event loop, be it one that no log can tell of, costs
 * one call or one connection and never the loop: calls end, and the next ones go well.
 */
@Timeout(120)
final class ErrorsOnLoopsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final byte[] MESSAGE = {1, 2, 3};

  /** More than there are loops, so that each has its share. */
  private static final int TIMES = 3 * Runtime.getRuntime().availableProcessors();

  private final AtomicBoolean broken = new AtomicBoolean();

  private final SilentLog log = new SilentLog();

  @AfterEach
  void speakAgain() {
    log.close();
  }

  private void failIfBroken() {
    if (broken.get()) {
      throw new Unspeakable();
    }
  }

  private static ServerServiceDefinition service(
      Marshaller<byte[]> marshaller, ServerCallHandler<byte[], byte[]> handler) {
    return ServerServiceDefinition.of(
        EchoService.NAME,
        List.of(
            ServerMethodDefinition.of(
                MethodDescriptor.of(
                    MethodType.UNARY, EchoService.NAME + "/Unary", marshaller, marshaller),
                handler)));
  }

  private static Server serve(ServerServiceDefinition service) throws Exception {
    return Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .dispatch(Dispatch.inline())
        .add(service)
        .start();
  }

  private static ManagedChannel connect(Server server) {
    return ManagedChannel.builder(InetAddress.getLoopbackAddress().getHostAddress(), server.port())
        .plaintext()
        .directExecutor()
        .build();
  }

  /** Calls on many connections end while something is broken, and go well when it is whole. */
  private void assertSurvived(Server server) throws Exception {
    broken.set(true);
    for (int i = 0; i < TIMES; i++) {
      try (ManagedChannel channel = connect(server)) {
        call(channel, () -> {}).get(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
    }
    broken.set(false);
    assertServed(server);
  }

  private static void assertServed(Server server) throws Exception {
    for (int i = 0; i < TIMES; i++) {
      try (ManagedChannel channel = connect(server)) {
        assertThat(Caller.call(channel, MESSAGE).isOk()).isTrue();
      }
    }
  }

  private CompletableFuture<Boolean> call(ManagedChannel channel, Runnable onClose) {
    CompletableFuture<Boolean> end = new CompletableFuture<>();
    CallOptions options = CallOptions.DEFAULT.withDeadline(PATIENCE).withWaitForReady(true);
    ClientCall<byte[], byte[]> call = channel.newCall(EchoService.UNARY, options);
    call.start(
        new ClientCall.Listener<byte[]>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            end.complete(true);
            onClose.run();
          }
        },
        new Metadata());
    call.request(2);
    call.sendMessage(MESSAGE);
    call.halfClose();
    return end;
  }

  @Test
  void loopsSurviveAnErrorOfAnInlineHandler() throws Exception {
    ServerCallHandler<byte[], byte[]> whole =
        (call, headers) -> {
          failIfBroken();
          return EchoService.begin(call, headers);
        };
    try (Server server = serve(service(new Bytes(), whole))) {
      assertSurvived(server);
    }
  }

  @Test
  void loopsSurviveAnErrorOfAMarshaller() throws Exception {
    Marshaller<byte[]> fragile =
        new Marshaller<>() {
          private final Bytes whole = new Bytes();

          @Override
          public void write(byte[] message, MessageSink sink) {
            failIfBroken();
            whole.write(message, sink);
          }

          @Override
          public byte[] parse(ByteBuffer bytes) {
            failIfBroken();
            return whole.parse(bytes);
          }
        };
    try (Server server = serve(service(fragile, EchoService::begin))) {
      assertSurvived(server);
    }
  }

  @Test
  void loopsSurviveAnErrorOfAListenerOfAClient() throws Exception {
    try (Server server = serve(EchoService.definition())) {
      for (int i = 0; i < TIMES; i++) {
        try (ManagedChannel channel = connect(server)) {
          call(
                  channel,
                  () -> {
                    if (Thread.currentThread() instanceof EventLoopThread) {
                      throw new Unspeakable();
                    }
                  })
              .get(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
      }
      assertServed(server);
    }
  }

  @Test
  void loopsSurviveAnEndlessRecursionOfAHandler() throws Exception {
    ServerCallHandler<byte[], byte[]> endless =
        (call, headers) -> {
          if (broken.get()) {
            overflow(0);
          }
          return EchoService.begin(call, headers);
        };
    try (Server server = serve(service(new Bytes(), endless))) {
      assertSurvived(server);
    }
  }

  @SuppressWarnings("InfiniteRecursion") // that is what it is for
  private static int overflow(int depth) {
    return overflow(depth + 1) + 1;
  }
}
