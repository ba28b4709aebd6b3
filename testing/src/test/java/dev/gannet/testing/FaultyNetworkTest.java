package dev.gannet.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.stub.AsyncCalls;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.client.ManagedChannel;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each fault does to calls what it does on a network. */
@Timeout(60)
final class FaultyNetworkTest {
  private static final CallOptions HASTY = CallOptions.DEFAULT.withDeadline(Duration.ofMillis(100));
  private static final CallOptions PATIENT = CallOptions.DEFAULT.withWaitForReady(true);

  private final Testbed testbed = Testbed.onLoopback();
  private final FaultyNetwork network = testbed.networkTo(testbed.serve(Words.echo()), 42);
  private final ManagedChannel channel = testbed.channelTo(network.address());

  @AfterEach
  void close() {
    testbed.close();
  }

  private String say(CallOptions options) {
    return say(options, channel);
  }

  private static String say(CallOptions options, Channel channel) {
    return BlockingCalls.unary(channel, Words.SAY, options, "hello");
  }

  @Test
  void withoutFaultsTheNetworkChangesNothing() {
    assertThat(say(CallOptions.DEFAULT)).isEqualTo("hello");
    assertThat(network.connections()).isOne();
    assertThat(testbed.settings()).contains("seed 42");
  }

  @Test
  void delayAppliesInEachDirection() {
    say(CallOptions.DEFAULT);
    network.delay(Duration.ofMillis(50));
    long beganNanos = System.nanoTime();
    assertThat(say(CallOptions.DEFAULT)).isEqualTo("hello");
    assertThat(System.nanoTime() - beganNanos).isGreaterThanOrEqualTo(100_000_000);
    assertThatThrownBy(() -> say(HASTY.withDeadline(Duration.ofMillis(60))))
        .hasMessageStartingWith("DEADLINE_EXCEEDED");
  }

  @Test
  void onlyDeadlinesNoticeAStall() {
    say(CallOptions.DEFAULT);
    network.stall();
    assertThatThrownBy(() -> say(HASTY)).hasMessageStartingWith("DEADLINE_EXCEEDED");
    CompletableFuture<String> held =
        AsyncCalls.unary(channel, Words.SAY, CallOptions.DEFAULT, "held");
    network.resume();
    assertThat(held.join()).isEqualTo("held");
    assertThat(network.connections()).isOne();
  }

  @Test
  void aCutEndsCallsAndTheNextHaveAnotherConnection() {
    var call = BlockingCalls.bidiStreaming(channel, Words.TALK, CallOptions.DEFAULT);
    call.send("a");
    assertThat(call.next()).isEqualTo("a");
    network.cut();
    assertThatThrownBy(call::hasNext).hasMessageStartingWith("UNAVAILABLE");
    assertThat(say(PATIENT)).isEqualTo("hello");
    assertThat(network.connections()).isEqualTo(2);
  }

  @Test
  void connectionsThatEndAreForgotten() throws IOException {
    for (int i = 0; i < 50; i++) {
      try (Socket client =
          new Socket(network.address().getAddress(), network.address().getPort())) {
        client.shutdownOutput();
        client.getInputStream().readAllBytes(); // until the server has closed, too
      }
    }
    assertAllAreForgotten();
    assertThat(network.connections()).isEqualTo(50);
  }

  private void assertAllAreForgotten() {
    long beganNanos = System.nanoTime();
    while (network.openConnections() > 0) {
      Thread.onSpinWait();
      assertThat(System.nanoTime() - beganNanos)
          .as("time for %d connections", network.openConnections())
          .isLessThan(TimeUnit.SECONDS.toNanos(30));
    }
  }

  @Test
  void connectionsThatAreLostAreForgotten() throws IOException {
    try (Socket one = new Socket(network.address().getAddress(), network.address().getPort())) {
      one.setSoLinger(true, 0); // its end is a reset
    }
    try (Socket other = new Socket(network.address().getAddress(), network.address().getPort())) {
      other.getOutputStream().write(1);
      while (network.connections() < 2) {
        Thread.onSpinWait();
      }
      network.cut();
    }
    assertAllAreForgotten();
  }

  @Test
  void aNetworkThatIsDownIsUnavailableUntilItIsHealed() {
    network.disconnect();
    assertThatThrownBy(() -> say(CallOptions.DEFAULT)).hasMessageStartingWith("UNAVAILABLE");
    network.heal();
    channel.resetConnectBackoff();
    assertThat(say(PATIENT)).isEqualTo("hello");
  }

  @Test
  void aNetworkThatIsDownWorksAgainWhenItResumes() {
    network.disconnect();
    assertThatThrownBy(() -> say(CallOptions.DEFAULT)).hasMessageStartingWith("UNAVAILABLE");
    network.resume();
    channel.resetConnectBackoff();
    assertThat(say(PATIENT.withDeadline(Duration.ofSeconds(10)))).isEqualTo("hello");
  }

  @Test
  void faultsThatTwoThreadsSetAreBothKept() throws Exception {
    int times = 100_000;
    CompletableFuture<Integer> lost = new CompletableFuture<>();
    Thread other =
        Thread.ofPlatform()
            .start(() -> {
              int missing = 0;
              for (int i = 1; i <= times; i++) {
                network.slice(i);
                missing += network.faults().sliceBytes() == i ? 0 : 1;
              }
              lost.complete(missing);
            });
    int missing = 0;
    for (int i = 1; i <= times; i++) {
      network.delay(Duration.ofNanos(i));
      missing += network.faults().delayNanos() == i ? 0 : 1;
    }
    assertThat(lost.get()).isZero();
    assertThat(missing).isZero();
    other.join();
  }

  @Test
  void aNetworkInFrontOfAFakeServerEndsWithTheTestBed() {
    FakeServer fake = testbed.fake(Words.echo());
    fake.on(Words.SAY, Reply.of("scripted"));
    FaultyNetwork before = testbed.networkTo(fake.address(), 7);
    assertThat(say(CallOptions.DEFAULT, testbed.channelTo(before.address()))).isEqualTo("scripted");
    assertThat(testbed.settings()).contains("seed 7");
  }

  @Test
  void lostPacketsArriveLate() {
    say(CallOptions.DEFAULT);
    network.lose(100, Duration.ofMillis(30));
    say(CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(30))); // the packet that had begun
    long beganNanos = System.nanoTime();
    BlockingCalls.unary(channel, Words.SAY, CallOptions.DEFAULT, "x".repeat(100_000));
    assertThat(System.nanoTime() - beganNanos)
        .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(60));
  }

  @Test
  void aMessageInSlicesArrivesComplete() {
    network.slice(1);
    String much = "x".repeat(10_000);
    assertThat(BlockingCalls.unary(channel, Words.SAY, CallOptions.DEFAULT, much)).isEqualTo(much);
    assertThatThrownBy(() -> network.slice(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aHalfOpenConnectionStaysSilentAndTheNextOneWorks() {
    say(CallOptions.DEFAULT);
    network.halfOpen();
    network.heal();
    assertThatThrownBy(() -> say(HASTY)).hasMessageStartingWith("DEADLINE_EXCEEDED");
    assertThat(say(CallOptions.DEFAULT, testbed.channelTo(network.address()))).isEqualTo("hello");
    assertThatThrownBy(() -> say(HASTY)).hasMessageStartingWith("DEADLINE_EXCEEDED");
  }

  @Test
  void halfOpenHidesTheEndOfTheOtherSide() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        FaultyNetwork between =
            FaultyNetwork.to(
                new InetSocketAddress(server.getInetAddress(), server.getLocalPort()), 1);
        Socket client = new Socket(between.address().getAddress(), between.address().getPort());
        Socket accepted = server.accept()) {
      client.getOutputStream().write(7);
      assertThat(accepted.getInputStream().read()).isEqualTo(7);
      between.halfOpen();
      FaultyLink.reset(accepted);
      client.getOutputStream().write(8);
      client.setSoTimeout(100);
      assertThatThrownBy(() -> client.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void aHalfOpenConnectionIsNotCut() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        FaultyNetwork between =
            FaultyNetwork.to(
                    new InetSocketAddress(server.getInetAddress(), server.getLocalPort()), 1)
                .cutAfter(1_000, 1_001);
        Socket client = new Socket(between.address().getAddress(), between.address().getPort());
        Socket accepted = server.accept()) {
      client.getOutputStream().write(7);
      assertThat(accepted.getInputStream().read()).isEqualTo(7);
      between.halfOpen();
      client.getOutputStream().write(new byte[2_000]);
      for (Socket end : List.of(accepted, client)) {
        end.setSoTimeout(100);
        assertThatThrownBy(() -> end.getInputStream().read())
            .isInstanceOf(SocketTimeoutException.class);
      }
    }
  }

  /** The same seed cuts each connection behind the same byte, however the bytes come. */
  @Test
  void theSeedDeterminesWhereConnectionsAreCut() throws IOException {
    assertThat(lengthsBeforeCuts(7)).isEqualTo(lengthsBeforeCuts(7));
    assertThat(lengthsBeforeCuts(7)).isNotEqualTo(lengthsBeforeCuts(8));
  }

  private static List<Integer> lengthsBeforeCuts(long seed) throws IOException {
    List<Integer> lengths = new ArrayList<>();
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        FaultyNetwork between =
            FaultyNetwork.to(
                    new InetSocketAddress(server.getInetAddress(), server.getLocalPort()), seed)
                .cutAfter(10, 20_000)) {
      for (int i = 0; i < 3; i++) {
        try (Socket client =
                new Socket(between.address().getAddress(), between.address().getPort());
            Socket accepted = server.accept()) {
          Thread sender = Thread.ofVirtual().start(() -> sendEndlessly(accepted));
          lengths.add(readAll(client));
          sender.interrupt();
        }
      }
    }
    return lengths;
  }

  private static void sendEndlessly(Socket to) {
    try {
      while (true) {
        to.getOutputStream().write(new byte[777]);
      }
    } catch (IOException e) {
      // the connection is lost
    }
  }

  private static int readAll(Socket from) throws IOException {
    InputStream in = from.getInputStream();
    byte[] buffer = new byte[333];
    int read = 0;
    try {
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        read += length;
      }
    } catch (IOException e) {
      // the connection is lost, which may overtake bytes
    }
    return read;
  }
}
