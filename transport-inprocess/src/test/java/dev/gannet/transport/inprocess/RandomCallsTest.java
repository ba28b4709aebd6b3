package dev.gannet.transport.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Deadline;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Crowds of calls that do anything at any time, one seed after the other: each ends once at both
 * sides, messages arrive whole and in order, and nothing is left behind the shutdown.
 */
final class RandomCallsTest {
  private static final int SEEDS = Integer.getInteger("gannet.inprocess.seeds", 2_000);
  private static final long FIRST = Long.getLong("gannet.inprocess.seed", 1);

  @Test
  void everythingEndsOnce() {
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      try {
        new Crowd(seed).play();
      } catch (Throwable e) {
        throw new AssertionError("-Dgannet.inprocess.seed=" + seed, e);
      }
    }
  }

  private static final class Crowd {
    private final SplittableRandom random;
    private final World world;
    private final Handler handler;
    private final Server server;
    private final ManagedChannel channel;
    private final List<Played> calls = new ArrayList<>();

    Crowd(long seed) {
      random = new SplittableRandom(seed);
      world = new World(InProcessOptions.DEFAULT.withWrittenMessages(random.nextBoolean()));
      handler = new Handler(random.nextInt(3));
      MethodDescriptor<String, String> method = Texts.BIDI;
      ServerBuilder builder = world.serverBuilder(method, handler);
      if (random.nextInt(3) == 0) {
        builder.maxConcurrentCallsPerConnection(1 + random.nextInt(3));
      }
      if (random.nextInt(3) == 0) {
        builder.dispatch(Dispatch.inline());
      }
      server = World.start(builder);
      channel =
          random.nextInt(3) == 0
              ? world.channelBuilder().directExecutor().build()
              : world.channel();
    }

    void play() {
      int steps = 20 + random.nextInt(100);
      for (int i = 0; i < steps; i++) {
        step();
      }
      end();
      for (Played call : calls) {
        assertThat(call.closes).isOne();
        assertThat(call.heard.messages())
            .isEqualTo(call.heard.messages().stream().sorted().toList());
      }
      for (Handler.Served served : handler.calls()) {
        assertThat(served.cancels() + served.completes()).isOne();
        assertThat(served.messages()).isEqualTo(served.messages().stream().sorted().toList());
      }
      assertThat(channel.isTerminated()).isTrue();
      assertThat(server.isTerminated()).isTrue();
      assertThat(world.loop().pendingTasks()).isZero();
    }

    private void step() {
      switch (random.nextInt(12)) {
        case 0, 1 -> begin();
        case 2, 3 -> world.run();
        case 4 -> world.loop().advance(Duration.ofMillis(random.nextInt(200)));
        case 5, 6, 7, 8 -> ofClient();
        case 9, 10 -> ofServer();
        default -> {
          if (random.nextInt(60) == 0) {
            shutDown();
          }
        }
      }
    }

    private void begin() {
      CallOptions options = CallOptions.DEFAULT;
      if (random.nextInt(3) == 0) {
        Duration left = Duration.ofMillis(random.nextInt(300));
        options = options.withDeadline(Deadline.after(left, world::nanoTime));
      }
      calls.add(new Played(channel.newCall(Texts.BIDI, options)));
    }

    private void ofClient() {
      if (calls.isEmpty()) {
        return;
      }
      Played played = calls.get(random.nextInt(calls.size()));
      switch (random.nextInt(6)) {
        case 0 -> played.call.cancel("a whim");
        case 1 -> played.halfClose();
        case 2 -> played.call.request(1 + random.nextInt(4));
        default -> played.send();
      }
    }

    private void ofServer() {
      if (handler.calls().isEmpty()) {
        return;
      }
      Handler.Served served = handler.calls().get(random.nextInt(handler.calls().size()));
      switch (random.nextInt(6)) {
        case 0 -> served.call().close(Status.OK, new Metadata());
        case 1 -> served.call().close(Status.ABORTED, new Metadata());
        case 2, 3 -> served.call().request(1 + random.nextInt(4));
        default -> served.call().sendMessage(text(served.sent++));
      }
    }

    private void shutDown() {
      switch (random.nextInt(4)) {
        case 0 -> server.shutdown();
        case 1 -> server.shutdownNow();
        case 2 -> channel.shutdown();
        default -> channel.shutdownNow();
      }
    }

    private void end() {
      world.run();
      if (random.nextBoolean()) {
        channel.shutdownNow();
        server.shutdown();
      } else {
        calls.forEach(played -> played.call.cancel("the end"));
        world.run();
        channel.shutdown();
        server.shutdownNow();
      }
      world.run();
      calls.forEach(played -> played.call.cancel("nobody reads the rest"));
      world.loop().advance(Duration.ofMinutes(10));
    }
  }

  private static String text(int number) {
    return String.format("%06d", number);
  }

  /** A client's call. */
  private static final class Played implements ClientCall.Listener<String> {
    private final ClientCall<String, String> call;
    private final Heard heard = new Heard();
    private int sent;
    private int closes;
    private boolean halfClosed;

    Played(ClientCall<String, String> call) {
      this.call = call;
      call.start(this);
    }

    void send() {
      if (!halfClosed) {
        call.sendMessage(text(sent++));
      }
    }

    void halfClose() {
      halfClosed = true;
      call.halfClose();
    }

    @Override
    public void onMessage(String message) {
      heard.onMessage(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      closes++;
      heard.onClose(status, trailers);
    }
  }
}
