package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.transport.EventLoops;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A server can be ended while an inline handler blocks the loop of its listening socket. */
@Timeout(120)
final class BlockedLoopTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final EventLoops loops = EventLoops.ofThreads(1);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final Semaphore released = new Semaphore(0);
  private final Server server;
  private final ManagedChannel channel;

  BlockedLoopTest() throws IOException {
    server =
        on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .eventLoops(loops)
            .closeGrace(Duration.ofMillis(10))
            .start();
    channel = ManagedChannel.builder("127.0.0.1", server.port()).plaintext().build();
  }

  private ServerBuilder on(SocketAddress address) {
    return Server.builder(address)
        .plaintext()
        .dispatch(Dispatch.inline())
        .add(
            ServerServiceDefinition.of(
                EchoService.NAME,
                List.of(ServerMethodDefinition.of(EchoService.UNARY, this::block))));
  }

  private ServerCall.Listener<byte[]> block(ServerCall<byte[], byte[]> call, Metadata headers) {
    begun.countDown();
    released.acquireUninterruptibly();
    return EchoService.begin(call, headers);
  }

  @BeforeEach
  void blockTheLoop() throws InterruptedException {
    Caller.begin(channel, EchoService.UNARY, new byte[] {1}).halfClose();
    begun.await();
  }

  @AfterEach
  void release() {
    released.release();
    channel.shutdownNow();
    server.close();
    loops.close();
  }

  private static void withinTime(Runnable task) throws Exception {
    CompletableFuture.runAsync(task).get(LONG.toSeconds(), TimeUnit.SECONDS);
  }

  private void assertTheAddressIsFreeOnceTheHandlerHasReturned() throws Exception {
    assertThat(server.isTerminated()).isFalse();
    assertThatThrownBy(() -> on(server.address()).start()).isInstanceOf(IOException.class);
    released.release();
    assertThat(server.awaitTermination(LONG)).isTrue();
    on(server.address()).start().close();
  }

  static Stream<Named<Consumer<Server>>> waysToShutDown() {
    return Stream.of(
        Named.of("shutdown", Server::shutdown), Named.of("shutdownNow", Server::shutdownNow));
  }

  @ParameterizedTest
  @MethodSource("waysToShutDown")
  void aShutdownDoesNotWaitForTheLoop(Consumer<Server> shutdown) throws Exception {
    withinTime(() -> shutdown.accept(server));
    assertTheAddressIsFreeOnceTheHandlerHasReturned();
  }

  @Test
  void closingWaitsNoLongerThanItsGraces() throws Exception {
    withinTime(server::close);
    assertTheAddressIsFreeOnceTheHandlerHasReturned();
  }
}
