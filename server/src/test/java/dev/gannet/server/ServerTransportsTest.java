package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.server.call.CallCounter;
import dev.gannet.transport.Listening;
import dev.gannet.transport.ServerTransport;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which addresses and connections a server still takes in, while it closes. */
final class ServerTransportsTest {
  private static final CallCounts NONE = new CallCounts(new CallCounter().values());

  private final ServerTransports transports = new ServerTransports();

  /** Whether it was done, each time that an address had become free. */
  private final List<Boolean> done = new ArrayList<>();

  /** An address; what happens while it is being closed is for the test to say. */
  private static final class Door implements Listening {
    private final SocketAddress address = InetSocketAddress.createUnresolved("server", 1);
    private final Runnable whileClosing;
    private int closed;

    Door(Runnable whileClosing) {
      this.whileClosing = whileClosing;
    }

    @Override
    public SocketAddress address() {
      return address;
    }

    @Override
    public void close(Runnable onFree) {
      closed++;
      whileClosing.run();
      onFree.run();
    }
  }

  /** An address that is free when the test says so. */
  private static final class LateDoor implements Listening {
    private final List<Runnable> onFree = new ArrayList<>();

    @Override
    public SocketAddress address() {
      return InetSocketAddress.createUnresolved("late", 1);
    }

    @Override
    public void close(Runnable then) {
      onFree.add(then);
    }

    void becomesFree() {
      onFree.forEach(Runnable::run);
    }
  }

  private static final class Connection implements ServerTransport {
    @Override
    public void shutdown() {
      throw new AssertionError("the caller shuts connections down");
    }

    @Override
    public void shutdownNow(Status status) {
      throw new AssertionError("the caller ends connections");
    }
  }

  private List<ServerTransport> close() {
    return transports.close(() -> done.add(transports.isDone()));
  }

  private static ServedConnection served() {
    return new ServedConnection(HandTransport.PEER, null);
  }

  @Test
  void anOpenServerTakesAddressesAndConnections() {
    Door door = new Door(() -> {});
    Connection connection = new Connection();
    assertThat(transports.tryAdd(door)).isTrue();
    assertThat(transports.tryExpect()).isTrue();
    assertThat(transports.add(connection, served())).isTrue();
    assertThat(transports.addresses()).containsExactly(door.address());
    assertThat(transports.snapshot(1, NONE, Map.of()).connections()).hasSize(1);
    assertThat(transports.isDone()).isFalse();
  }

  @Test
  void aServerThatIsBeingClosedTakesNoFurtherAddressesAndConnections() {
    List<Boolean> taken = new ArrayList<>();
    Door door =
        new Door(() -> {
          taken.add(transports.tryAdd(new Door(() -> {})));
          taken.add(transports.tryExpect());
        });
    assertThat(transports.tryAdd(door)).isTrue();
    assertThat(close()).isEmpty();
    assertThat(taken).containsExactly(false, false);
  }

  @Test
  void whoClosesTwiceClosesEachAddressOnceAndGetsAllConnections() {
    Connection connection = new Connection();
    Door door = new Door(() -> {});
    assertThat(transports.tryAdd(door)).isTrue();
    assertThat(transports.tryExpect()).isTrue();
    assertThat(transports.add(connection, served())).isTrue();
    assertThat(close()).containsExactly(connection);
    assertThat(close()).containsExactly(connection);
    assertThat(door.closed).isEqualTo(1);
  }

  @Test
  void aConnectionThatWasExpectedBeforeTheEndIsNotUsedWhenItComes() {
    Connection late = new Connection();
    assertThat(transports.tryExpect()).isTrue();
    assertThat(close()).isEmpty();
    assertThat(transports.isDone()).isFalse();
    assertThat(transports.tryExpect()).isFalse();
    assertThat(transports.add(late, served())).isFalse();
    assertThat(transports.isDone()).isFalse();
    assertThat(transports.remove(late)).isNotNull();
    assertThat(transports.isDone()).isTrue();
  }

  @Test
  void aConnectionThatIsGivenUpIsNotWaitedFor() {
    assertThat(transports.tryExpect()).isTrue();
    assertThat(close()).isEmpty();
    assertThat(transports.isDone()).isFalse();
    transports.giveUp();
    assertThat(transports.isDone()).isTrue();
  }

  @Test
  void aServerWithoutConnectionsIsNotDoneBeforeItIsClosed() {
    assertThat(transports.isDone()).isFalse();
    assertThat(close()).isEmpty();
    assertThat(transports.isDone()).isTrue();
    assertThat(transports.tryAdd(new Door(() -> {}))).isFalse();
  }

  @Test
  void aConnectionThatIsNotKnownIsNotRemoved() {
    assertThat(transports.remove(new Connection())).isNull();
  }

  @Test
  void aServerIsNotDoneBeforeItsAddressesAreFreeWhoeverCloses() {
    Door door =
        new Door(() -> {
          assertThat(close()).isEmpty(); // as another thread, meanwhile
          done.add(transports.isDone());
        });
    assertThat(transports.tryAdd(door)).isTrue();
    close();
    assertThat(done).containsExactly(false, true);
    assertThat(transports.isDone()).isTrue();
    assertThat(door.closed).isOne();
  }

  @Test
  void closingDoesNotWaitForAddressesAndTheLastOneThatBecomesFreeEndsTheServer() {
    LateDoor first = new LateDoor();
    LateDoor second = new LateDoor();
    assertThat(transports.tryAdd(first)).isTrue();
    assertThat(transports.tryAdd(second)).isTrue();
    assertThat(close()).isEmpty();
    assertThat(transports.isDone()).isFalse();
    second.becomesFree();
    assertThat(transports.isDone()).isFalse();
    first.becomesFree();
    assertThat(done).containsExactly(false, true);
  }

  @Test
  void aWaitForAddressesEndsWhenTheLastOneIsFree() throws InterruptedException {
    LateDoor first = new LateDoor();
    LateDoor second = new LateDoor();
    assertThat(transports.tryAdd(first)).isTrue();
    assertThat(transports.tryAdd(second)).isTrue();
    close();
    Thread waits = Thread.ofVirtual().start(() -> transports.awaitFree(Duration.ofDays(1)));
    first.becomesFree();
    second.becomesFree();
    waits.join();
  }

  @Test
  void aWaitForAddressesEndsWithItsTimeout() {
    assertThat(transports.tryAdd(new LateDoor())).isTrue();
    close();
    transports.awaitFree(Duration.ofNanos(1));
    assertThat(transports.isDone()).isFalse();
  }

  @Test
  void anInterruptEndsAWaitForAddressesAndIsKept() throws InterruptedException {
    assertThat(transports.tryAdd(new LateDoor())).isTrue();
    close();
    CompletableFuture<Boolean> kept = new CompletableFuture<>();
    Thread waits =
        Thread.ofVirtual()
            .start(() -> {
              transports.awaitFree(Duration.ofDays(1));
              kept.complete(Thread.interrupted());
            });
    while (waits.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    waits.interrupt();
    assertThat(kept.join()).isTrue();
  }

  @Test
  void anAddressThatCannotBeClosedDoesNotKeepTheOthersOpen() {
    Door other = new Door(() -> {});
    assertThat(
            transports.tryAdd(
                new Door(() -> {
                  throw new IllegalStateException("stuck");
                })))
        .isTrue();
    assertThat(transports.tryAdd(other)).isTrue();
    close();
    assertThat(other.closed).isOne();
    assertThat(transports.isDone()).isTrue();
  }
}
