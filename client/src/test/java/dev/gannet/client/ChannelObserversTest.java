package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.transport.http2.Http2Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The observers of a channel are notified of its beginning and its end, each once. */
final class ChannelObserversTest {
  private final FakePipes pipes = new FakePipes();
  private final List<String> events = new ArrayList<>();
  private final List<ObservedChannel> seen = new ArrayList<>();

  private final class Noting implements ChannelObserver {
    private final String name;

    Noting(String name) {
      this.name = name;
    }

    @Override
    public void onBuilt(ObservedChannel channel) {
      events.add(name + " built");
      seen.add(channel);
    }

    @Override
    public void onTerminated(ObservedChannel channel) {
      events.add(name + " terminated");
      seen.add(channel);
    }
  }

  /** Throws where it can. */
  private static final class Failing implements ChannelObserver {
    private final boolean atOnce;

    Failing(boolean atOnce) {
      this.atOnce = atOnce;
    }

    @Override
    public void onBuilt(ObservedChannel channel) {
      if (atOnce) {
        throw new IllegalStateException("not this channel");
      }
    }

    @Override
    public void onTerminated(ObservedChannel channel) {
      throw new IllegalStateException("its own fault");
    }
  }

  private ManagedChannelBuilder builder() {
    return ManagedChannel.builder("ipv4:192.0.2.1:1")
        .plaintext()
        .transport(Http2Transport.over(pipes))
        .directExecutor();
  }

  private static void withoutWarnings(Runnable task) {
    Logger log = Logger.getLogger("dev.gannet.client");
    log.setLevel(Level.OFF);
    try {
      task.run();
    } finally {
      log.setLevel(null);
    }
  }

  @Test
  void theEndIsThatOfTheLastConnection() {
    ManagedChannel channel = builder().observe(new Noting("it")).build();
    assertThat(events).containsExactly("it built");
    TestCall call =
        new TestCall(channel.newCall(TestChannel.UNARY, CallOptions.DEFAULT)).start().asks("a");
    pipes.opened.getFirst().becomesReady();
    pipes.loop.runUntilIdle();
    channel.shutdown();
    pipes.loop.runUntilIdle();
    assertThat(call.isOver()).isFalse();
    assertThat(events).containsExactly("it built");
    channel.shutdownNow();
    channel.shutdownNow();
    pipes.loop.runUntilIdle();
    assertThat(channel.isTerminated()).isTrue();
    assertThat(events).containsExactly("it built", "it terminated");
  }

  @Test
  void observersAreNotifiedInOrderAndSeeTheSameChannel() {
    ManagedChannel channel =
        builder().observe(new Noting("first")).observe(new Noting("second")).build();
    channel.close();
    assertThat(events)
        .containsExactly("first built", "second built", "first terminated", "second terminated");
    assertThat(seen).allSatisfy(it -> assertThat(it).isSameAs(seen.getFirst()));
    assertThat(seen.getFirst().id()).isEqualTo(channel.snapshot().id());
    assertThat(seen.getFirst().snapshot().target()).isEqualTo(channel.snapshot().target());
  }

  @Test
  void anObserverThatThrowsPreventsTheChannel() {
    ManagedChannelBuilder builder =
        builder()
            .observe(new Noting("first"))
            .observe(new Failing(true))
            .observe(new Noting("third"));
    withoutWarnings(() -> assertThatThrownBy(builder::build).hasMessage("not this channel"));
    assertThat(events).containsExactly("first built", "first terminated", "third terminated");
  }

  @Test
  void theEndReachesAllObserversWhateverOneOfThemThrows() {
    ManagedChannel channel =
        builder().observe(new Failing(false)).observe(new Noting("other")).build();
    withoutWarnings(channel::close);
    assertThat(events).containsExactly("other built", "other terminated");
  }

  @Test
  void anExtensionAddsWhatItConsistsOf() {
    builder().add(builder -> builder.observe(new Noting("of an extension"))).build().close();
    assertThat(events).containsExactly("of an extension built", "of an extension terminated");
  }

  /** Keeps what it has observed, as a page of all channels does. */
  private static final class Keeping implements ChannelObserver {
    private final List<ObservedChannel> open = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    @Override
    public void onBuilt(ObservedChannel channel) {
      open.add(channel);
    }

    @Override
    public void onTerminated(ObservedChannel channel) {
      ended.countDown();
    }
  }

  @Test
  @Timeout(60)
  void aForgottenChannelEndsForItsObserversWhenItIsGarbageCollected() throws InterruptedException {
    Keeping observer = new Keeping();
    builder().observe(observer).build();
    Logger log = Logger.getLogger(ForgottenChannel.class.getName());
    log.setLevel(Level.OFF);
    try {
      do {
        System.gc();
      } while (!observer.ended.await(100, TimeUnit.MILLISECONDS));
    } finally {
      log.setLevel(null);
    }
    assertThat(observer.open).hasSize(1);
  }
}
