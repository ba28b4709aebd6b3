package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.transport.PeerFaults;
import dev.gannet.transport.ServerTransport;
import dev.gannet.transport.TransportProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** How a server opens several addresses. */
final class ListeningTest {
  private static final SocketAddress SECOND = InetSocketAddress.createUnresolved("second", 2);

  private final HandTransport transport = new HandTransport();

  private ServerBuilder builder() {
    return Server.builder(HandTransport.ADDRESS)
        .alsoListen(SECOND)
        .plaintext()
        .transport(transport);
  }

  /** A loop that accepts must not wait for a server that waits for the same loop. */
  @Test
  void connectionsAreAcceptedWhileAnotherAddressIsBeingOpened() throws IOException {
    transport.whileOpening =
        () ->
            transport.doors.stream()
                .findFirst()
                .ifPresent(first -> assertThat(acceptOnAnotherThread(first)).isPresent());
    Server server = builder().start();
    assertThat(server.addresses()).containsExactly(HandTransport.ADDRESS, SECOND);
    server.shutdownNow();
    assertThat(transport.closed).containsExactly(HandTransport.ADDRESS, SECOND);
  }

  private static Optional<TransportProvider.Accepted> acceptOnAnotherThread(
      TransportProvider.Accepting door) {
    return CompletableFuture.supplyAsync(() -> door.accept(HandTransport.PEER))
        .orTimeout(30, TimeUnit.SECONDS)
        .join();
  }

  @Test
  void anAddressThatWasOpenedDuringAShutdownIsClosed() throws IOException {
    ServerBuilder builder =
        builder()
            .observe(
                new ServerObserver() {
                  @Override
                  public void onStart(Server starting) {
                    transport.whileOpening = starting::shutdownNow;
                  }
                });
    Server server = builder.start();
    assertThat(transport.closed).containsExactly(HandTransport.ADDRESS, SECOND);
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void aServerHasNotTerminatedWhileAConnectionIsBeingOpened() throws IOException {
    HandTransport hand = new HandTransport();
    Server server = Server.builder(HandTransport.ADDRESS).plaintext().transport(hand).start();
    TransportProvider.Accepting door = hand.doors.getFirst();
    TransportProvider.Accepted accepted = door.accept(HandTransport.PEER).orElseThrow();
    server.shutdown();
    assertThat(server.isTerminated()).isFalse();
    ServerTransport connection = new Connection();
    accepted.onOpened(connection);
    assertThat(server.isTerminated()).isFalse();
    door.onTerminated(connection);
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void aServerTerminatesIfAConnectionCannotBeOpened() throws IOException {
    HandTransport hand = new HandTransport();
    Server server = Server.builder(HandTransport.ADDRESS).plaintext().transport(hand).start();
    TransportProvider.Accepted accepted =
        hand.doors.getFirst().accept(HandTransport.PEER).orElseThrow();
    server.shutdown();
    accepted.onNotOpened();
    assertThat(server.isTerminated()).isTrue();
  }

  private static final class Connection implements ServerTransport {
    @Override
    public void shutdown() {}

    @Override
    public void shutdownNow(Status why) {}
  }

  private static final class Unspeakable extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no words");
    }
  }

  private static Server refusing(RuntimeException why, HandTransport transport) throws IOException {
    return Server.builder(HandTransport.ADDRESS)
        .plaintext()
        .transport(transport)
        .addTransportFilter(
            new ServerTransportFilter() {
              @Override
              public void onTransportReady(ConnectionContext connection) {
                throw why;
              }
            })
        .start();
  }

  @Test
  void aFilterWhoseExceptionHasNoWordsRefusesAConnection() throws IOException {
    Server server = refusing(new Unspeakable(), transport);
    assertThat(transport.doors.getFirst().accept(HandTransport.PEER)).isEmpty();
    server.shutdownNow();
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void aRefusedConnectionThatCannotBeLoggedDoesNotKeepTheServer() throws IOException {
    Server server = refusing(new IllegalStateException("no"), transport);
    Logger logger = Logger.getLogger(PeerFaults.class.getName());
    BrokenLog broken = new BrokenLog();
    logger.addHandler(broken);
    try {
      assertThatThrownBy(() -> transport.doors.getFirst().accept(HandTransport.PEER))
          .hasMessage("the disk is full");
    } finally {
      logger.removeHandler(broken);
    }
    server.shutdownNow();
    assertThat(server.isTerminated()).isTrue();
  }
}
