package dev.gannet.client.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.FakeStream;
import dev.gannet.client.TestChannel;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.CallMessages;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands wait for their stream in order, and none is lost, doubled or overtaken. */
@Timeout(60)
final class PendingStreamTest {
  private final TestChannel test = new TestChannel();
  private final PendingStream<String> pending = new PendingStream<>();
  private final FakeStream<String> stream =
      new FakeStream<>(
          new CallStart<>(
              TestChannel.BIDI,
              Optional.of("here"),
              new Metadata(),
              Optional.empty(),
              new CallMessages(MessageEncoding.IDENTITY, 1, 1)),
          new Attempt<>(
              new PlainCall<>(
                  test.callOwner(), TestChannel.BIDI, CallOptions.DEFAULT, TestChannel.NO_POLICY)));

  @Test
  void withoutCommandsTheStreamIsUsedAtOnce() {
    assertThat(pending.isSettled()).isFalse();
    assertThat(pending.stream()).isNull();
    assertThat(pending.connect(stream)).isTrue();
    assertThat(pending.isSettled()).isTrue();
    assertThat(pending.stream()).isSameAs(stream);
    pending.sendMessage("one", true);
    pending.sendHalfClose();
    pending.sendFlush();
    assertThat(stream.told).containsExactly("one", "half-close", "flush");
  }

  @Test
  void commandsAreReplayedInTheirOrder() {
    pending.sendMessage("one", true);
    pending.sendFlush();
    pending.sendHalfClose();
    pending.send(to -> ((FakeStream<?>) to).told.add("anything"));
    assertThat(pending.isSettled()).isFalse();
    assertThat(pending.connect(stream)).isTrue();
    assertThat(stream.told).containsExactly("one", "flush", "half-close", "anything");
  }

  @Test
  void reachedStreamIsSetDuringTheReplay() {
    List<Object> reached = new ArrayList<>();
    pending.send(to -> reached.add(pending.reachedStream()));
    assertThat(pending.reachedStream()).isNull();
    pending.connect(stream);
    assertThat(reached).containsExactly(stream);
    assertThat(pending.reachedStream()).isSameAs(stream);
  }

  @Test
  void theStreamIsCancelledOnceThereIsOne() {
    pending.cancelStream(Status.ABORTED);
    pending.connect(stream);
    assertThat(stream.cancellations).isEmpty();
    pending.cancelStream(Status.ABORTED);
    assertThat(stream.cancellations).containsExactly(Status.ABORTED);
  }

  @Test
  void aCancelOvertakesTheReplayWhichStops() throws InterruptedException {
    CountDownLatch replaying = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    pending.send(to -> {
      replaying.countDown();
      awaitUninterrupted(cancelled);
    });
    pending.sendMessage("never sent", true);
    Thread loop = Thread.ofPlatform().start(() -> assertThat(pending.connect(stream)).isTrue());
    replaying.await();
    Thread sender = Thread.ofPlatform().start(() -> pending.sendMessage("late", true));
    pending.cancelStream(Status.ABORTED);
    assertThat(stream.cancellations).containsExactly(Status.ABORTED);
    assertThat(pending.stream()).isNull();
    assertThat(pending.reachedStream()).isSameAs(stream);
    sender.join(); // it need not wait for the replay any more
    cancelled.countDown();
    loop.join();
    assertThat(stream.told).isEmpty();
    assertThat(pending.stream()).isSameAs(stream);
  }

  @Test
  void theReplayIsStoppedByTheThreadThatReplays() {
    pending.send(to -> pending.cancelStream(Status.ABORTED));
    pending.sendMessage("never sent", true);
    assertThat(pending.connect(stream)).isTrue();
    assertThat(stream.cancellations).containsExactly(Status.ABORTED);
    assertThat(stream.told).isEmpty();
  }

  @Test
  void aDroppedAttemptTakesNoStreamAndNoCommands() {
    pending.sendMessage("one", true);
    assertThat(pending.dropCommands()).isTrue();
    assertThat(pending.dropCommands()).isFalse();
    assertThat(pending.isSettled()).isTrue();
    pending.sendMessage("two", true);
    assertThat(pending.connect(stream)).isFalse();
    assertThat(stream.told).isEmpty();
  }

  @Test
  void aConnectedStreamCannotBeDroppedOrReplaced() {
    pending.connect(stream);
    assertThat(pending.dropCommands()).isFalse();
    assertThat(pending.connect(stream)).isFalse();
  }

  @Test
  void commandsMayBeAddedDuringTheReplay() {
    pending.send(to -> {
      ((FakeStream<?>) to).told.add("outer");
      pending.sendFlush();
    });
    pending.sendMessage("next", true);
    pending.connect(stream);
    assertThat(stream.told).containsExactly("outer", "flush", "next");
  }

  @Test
  void afterAFailedReplayCommandsGoStraightToTheStream() {
    pending.send(to -> {
      throw new IllegalStateException("unwritable");
    });
    assertThatThrownBy(() -> pending.connect(stream)).hasMessage("unwritable");
    pending.sendFlush();
    assertThat(stream.told).containsExactly("flush");
  }

  @Test
  void commandsDuringTheReplayFollowIt() throws InterruptedException {
    CountDownLatch given = new CountDownLatch(1);
    List<Thread> others = new ArrayList<>();
    pending.send(to -> {
      others.add(
          Thread.ofPlatform()
              .start(() -> {
                given.countDown();
                pending.sendMessage("from elsewhere", true);
              }));
      others.add(Thread.ofPlatform().start(() -> assertThat(pending.dropCommands()).isFalse()));
      awaitUninterrupted(given);
    });
    pending.sendMessage("replayed", true);
    pending.connect(stream);
    for (Thread other : others) {
      other.join();
    }
    assertThat(stream.told).containsExactly("replayed", "from elsewhere");
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void noCommandIsLostIfAStreamIsConnectedMeanwhile() throws InterruptedException {
    for (int round = 0; round < 200; round++) {
      PendingStream<String> raced = new PendingStream<>();
      List<String> told = new ArrayList<>();
      Consumer<ClientStream<?>> tell =
          to -> {
            synchronized (told) {
              told.add("told");
            }
          };
      Thread sender =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < 100; i++) {
                  raced.send(tell);
                }
              });
      raced.connect(stream);
      sender.join();
      assertThat(told).hasSize(100);
    }
  }
}
