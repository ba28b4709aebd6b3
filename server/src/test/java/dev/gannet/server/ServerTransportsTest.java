package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.server.call.CallCounter;
import dev.gannet.transport.Listening;
import dev.gannet.transport.ServerTransport;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which addresses and connections a server still takes in, while it closes. */
final class ServerTransportsTest {
  private static final CallCounts NONE = new CallCounts(new CallCounter().values());

  private final ServerTransports transports = new ServerTransports();

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
    public void close() {
      closed++;
      whileClosing.run();
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
  void anAddressThatIsBeingClosedStillBringsConnectionsAndNoFurtherAddressIsTaken() {
    Connection late = new Connection();
    List<Boolean> taken = new ArrayList<>();
    Door door =
        new Door(() -> {
          taken.add(transports.tryAdd(new Door(() -> {})));
          taken.add(transports.tryExpect());
          taken.add(transports.add(late, served()));
        });
    assertThat(transports.tryAdd(door)).isTrue();
    assertThat(transports.close()).containsExactly(late);
    assertThat(taken).containsExactly(false, true, true);
  }

  @Test
  void whoClosesTwiceClosesEachAddressOnceAndGetsAllConnections() {
    Connection connection = new Connection();
    Door door = new Door(() -> {});
    assertThat(transports.tryAdd(door)).isTrue();
    assertThat(transports.tryExpect()).isTrue();
    assertThat(transports.add(connection, served())).isTrue();
    assertThat(transports.close()).containsExactly(connection);
    assertThat(transports.close()).containsExactly(connection);
    assertThat(door.closed).isEqualTo(1);
  }

  @Test
  void aConnectionThatWasExpectedBeforeTheEndIsNotUsedWhenItComes() {
    Connection late = new Connection();
    assertThat(transports.tryExpect()).isTrue();
    assertThat(transports.close()).isEmpty();
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
    assertThat(transports.close()).isEmpty();
    assertThat(transports.isDone()).isFalse();
    transports.giveUp();
    assertThat(transports.isDone()).isTrue();
  }

  @Test
  void aServerWithoutConnectionsIsNotDoneBeforeItIsClosed() {
    assertThat(transports.isDone()).isFalse();
    assertThat(transports.close()).isEmpty();
    assertThat(transports.isDone()).isTrue();
    assertThat(transports.tryAdd(new Door(() -> {}))).isFalse();
  }

  @Test
  void aConnectionThatIsNotKnownIsNotRemoved() {
    assertThat(transports.remove(new Connection())).isNull();
  }

  @Test
  void aServerIsNotDoneBeforeItsAddressesAreFreeWhoeverCloses() {
    List<Boolean> done = new ArrayList<>();
    Door door =
        new Door(() -> {
          assertThat(transports.close()).isEmpty(); // as another thread, meanwhile
          done.add(transports.isDone());
        });
    assertThat(transports.tryAdd(door)).isTrue();
    transports.close();
    assertThat(done).containsExactly(false);
    assertThat(transports.isDone()).isTrue();
    assertThat(door.closed).isOne();
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
    transports.close();
    assertThat(other.closed).isOne();
    assertThat(transports.isDone()).isTrue();
  }
}
