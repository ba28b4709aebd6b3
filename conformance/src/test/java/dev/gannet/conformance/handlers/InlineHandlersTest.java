package dev.gannet.conformance.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Dispatch;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.api.stub.Outgoing;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers on event loops that hold them are served elsewhere, and no others. */
@Timeout(60)
final class InlineHandlersTest {
  private static final String ON_LOOP = "on a loop";
  private static final String ELSEWHERE = "elsewhere";
  private static final int MIB = 1 << 20;
  private static final int MANY = 100;
  private static final Duration TOO_LONG = Duration.ofMillis(15);
  private static final Logger LOG = Logger.getLogger("dev.gannet.server");
  private static final SimpleFormatter FORMAT = new SimpleFormatter();
  private static final MethodDescriptor<String, String> SLOW = method("Slow");
  private static final MethodDescriptor<String, String> QUICK = method("Quick");
  private static final MethodDescriptor<String, String> STREAM =
      method(MethodType.SERVER_STREAMING, "Stream");
  private static final int RESPONSES =
      10_000; // more than may be queued without a sender that waits

  private final Warnings warnings = new Warnings();
  private Server server;
  private ManagedChannel channel;

  private static MethodDescriptor<String, String> method(String name) {
    return method(MethodType.UNARY, name);
  }

  private static MethodDescriptor<String, String> method(MethodType type, String name) {
    Words words = new Words(false);
    return MethodDescriptor.of(type, "test.Words/" + name, words, words);
  }

  private static void tell(Outgoing<String> responses) {
    for (int i = 0; i < RESPONSES; i++) {
      responses.send(whereItRuns());
    }
  }

  @BeforeEach
  void serve() throws IOException {
    LOG.setUseParentHandlers(false);
    LOG.addHandler(warnings);
    server =
        Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .dispatch(Dispatch.inline())
            .maxInboundMessageBytes(4 * MIB)
            .add(
                ServerServiceDefinition.of(
                    "test.Words",
                    List.of(
                        ServerMethodDefinition.of(
                            SLOW, BlockingHandlers.unary(InlineHandlersTest::slowly)),
                        ServerMethodDefinition.of(
                            QUICK, BlockingHandlers.unary(request -> whereItRuns())),
                        ServerMethodDefinition.of(
                            STREAM,
                            BlockingHandlers.serverStreaming((request, out) -> tell(out))))))
            .start();
    channel = ManagedChannel.builder("127.0.0.1", server.port()).plaintext().build();
  }

  @AfterEach
  void stop() {
    channel.close();
    server.close();
    LOG.removeHandler(warnings);
    LOG.setUseParentHandlers(true);
  }

  @Test
  void aMethodThatBlocksTheLoopIsMovedAndNamed() {
    assertThat(call(SLOW, "")).isEqualTo(ON_LOOP);
    int calls = 1;
    while (call(SLOW, "").equals(ON_LOOP) && calls < MANY) {
      calls++;
    }
    assertThat(calls).isLessThan(MANY);
    assertThat(call(QUICK, "")).isEqualTo(ON_LOOP);
    assertThat(warnings.told).singleElement().asString().startsWith("test.Words/Slow has blocked");
  }

  @Test
  void aBlockingMethodThatWritesAStreamRunsOffTheLoop() {
    int heard = 0;
    for (String where :
        BlockingCalls.serverStreaming(channel, STREAM, CallOptions.DEFAULT, "x".repeat(1000))) {
      assertThat(where).isEqualTo(ELSEWHERE);
      heard++;
    }
    assertThat(heard).isEqualTo(RESPONSES);
  }

  @Test
  void aLargeMessageIsParsedOffTheLoop() {
    assertThat(call(QUICK, "x".repeat(MIB))).isEqualTo(ON_LOOP);
    assertThat(call(QUICK, "x".repeat(3 * MIB))).isEqualTo(ELSEWHERE);
    assertThat(call(QUICK, "")).isEqualTo(ON_LOOP);
  }

  private String call(MethodDescriptor<String, String> method, String request) {
    return BlockingCalls.unary(channel, method, CallOptions.DEFAULT, request);
  }

  private static String slowly(String request) {
    long endNanos = System.nanoTime() + TOO_LONG.toNanos();
    for (long left = TOO_LONG.toNanos(); left > 0; left = endNanos - System.nanoTime()) {
      LockSupport.parkNanos(left); // what a handler must not do on a loop
    }
    return whereItRuns();
  }

  private static String whereItRuns() {
    return Thread.currentThread().isVirtual() ? ELSEWHERE : ON_LOOP;
  }

  /** What is logged. */
  private static final class Warnings extends Handler {
    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    @Override
    public void publish(LogRecord entry) {
      told.add(FORMAT.formatMessage(entry));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
