package dev.gannet.conformance.gauntlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.conformance.gauntlet.wire.BlockWriter;
import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.Messages;
import dev.gannet.conformance.gauntlet.wire.Pace;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Reading;
import dev.gannet.conformance.gauntlet.wire.Requests;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What was published about other implementations, tried on a real server by raw frames. */
final class AdvisoriesTest {
  private static final int END = Frames.END_HEADERS | Frames.END_STREAM;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private Fortress fortress;

  @BeforeEach
  void start() throws IOException {
    fortress = new Fortress();
  }

  @AfterEach
  void stop() {
    fortress.close();
  }

  @Test
  void aRefusedHeaderListLeavesTheTableAsItsSenderThinksItIs() throws IOException {
    try (RawConnection connection = fortress.connect()) {
      Requests requests = Requests.to(Requests.UNARY);
      BlockWriter tooLong = new BlockWriter().unstored("x-long", "x".repeat(9_000));
      connection.send(Frames.headers(1, END, requests.nextWith(tooLong)));
      for (int id = 3; id < 23; id += 2) {
        call(connection, id, requests.next());
      }
      connection.flush();
      fortress.serveUntil(() -> connection.endedStreams() == 11);
      assertThat(connection.isOpen()).isTrue();
      assertThat(connection.dataFrames()).as("answers").isGreaterThanOrEqualTo(10);
    }
  }

  @Test
  void aPathThatDiffersFromItsMethodReachesNoHandler() throws IOException {
    try (RawConnection connection = fortress.connect()) {
      String[] paths = {
        Requests.UNARY.substring(1),
        "/" + Requests.UNARY,
        Requests.UNARY + "/",
        Requests.UNARY + "?",
        Requests.UNARY.replace("Unary", "unary"),
        Requests.UNARY.replace("UnaryCall", "%55naryCall"),
        Requests.UNARY.replace("TestService/", "TestService//"),
        Requests.UNARY.replace("TestService/", "TestService/./")
      };
      for (int i = 0; i < paths.length; i++) {
        call(connection, 2 * i + 1, Requests.untabled(paths[i], new BlockWriter()));
      }
      connection.flush();
      fortress.serveUntil(() -> connection.endedStreams() == paths.length);
      assertThat(fortress.callsOfOthers()).isZero();
    }
  }

  @Test
  void ambiguousRequestsReachNoHandler() throws IOException {
    try (RawConnection connection = fortress.connect()) {
      call(connection, 1, contradicting("grpc-timeout", "1S", "2S"));
      call(connection, 3, contradicting("grpc-encoding", "identity", "gzip"));
      call(connection, 5, contradicting("content-type", "application/grpc+proto"));
      call(connection, 7, Requests.untabledTo("local host"));
      call(connection, 9, Requests.untabledTo("\u00e2\u0098\u0083"));
      call(connection, 11, Requests.untabledTo("localhost:65536"));
      connection.flush();
      fortress.serveUntil(() -> connection.endedStreams() == 6);
      assertThat(fortress.callsOfOthers()).isZero();
      assertThat(connection.isOpen()).isTrue();
    }
  }

  private static byte[] contradicting(String name, String... values) {
    BlockWriter more = new BlockWriter();
    for (String value : values) {
      more.unstored(name, value);
    }
    return Requests.untabled(Requests.UNARY, more);
  }

  @Test
  void aBinaryFieldThatIsNoBase64FailsItsCallAlone() throws IOException {
    try (RawConnection connection = fortress.connect()) {
      call(connection, 1, Requests.untabled(Requests.UNARY, new BlockWriter()));
      BlockWriter broken = new BlockWriter().unstored("x-bin", "!!!");
      connection.send(Frames.headers(3, END, Requests.untabled(Requests.UNARY, broken)));
      call(connection, 5, Requests.untabled(Requests.UNARY, new BlockWriter()));
      connection.flush();
      fortress.serveUntil(() -> connection.endedStreams() == 3);
      assertThat(connection.dataFrames()).isEqualTo(2); // the answers to the calls beside it
      assertThat(connection.isOpen()).isTrue();
    }
  }

  @Test
  void aClientThatAcceptsNoHeaderListsIsStillAnswered() throws IOException {
    try (RawConnection connection = fortress.connect(Frames.MAX_HEADER_LIST_SIZE, 1)) {
      Requests requests = Requests.to(Requests.UNARY);
      for (int id = 1; id < 201; id += 2) {
        call(connection, id, requests.next());
      }
      connection.flush();
      fortress.serveUntil(() -> connection.endedStreams() == 100);
      assertThat(connection.answeredStreams()).isEqualTo(100);
      assertThat(connection.isOpen()).isTrue();
    }
  }

  @Test
  void bombsThatAreRefusedLeaveNoBuffersBehind() throws IOException {
    explode(10);
    long beforeBytes = bufferBytes();
    explode(60);
    assertThat(bufferBytes() - beforeBytes).isLessThan(2 << 20);
  }

  private void explode(int bombs) throws IOException {
    try (RawConnection connection = fortress.connect()) {
      byte[] bomb = Messages.gzippedZerosDenied(6 << 20);
      BlockWriter gzip = new BlockWriter().unstored("grpc-encoding", "gzip");
      byte[] block = Requests.untabled(Requests.UNARY, gzip);
      for (int i = 0; i < bombs; i++) {
        int id = 2 * i + 1;
        long ended = i;
        connection.send(Frames.headers(id, Frames.END_HEADERS, block));
        connection.send(Frames.data(id, Frames.END_STREAM, bomb));
        connection.flush();
        fortress.serveUntil(() -> connection.endedStreams() > ended);
      }
      assertThat(connection.isOpen()).isTrue();
    }
  }

  private static long bufferBytes() {
    return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric().usedDirectMemory();
  }

  @Test
  void aHandshakeThatStallsIsGivenUp() throws IOException {
    long beforeBytes = bufferBytes();
    try (RawConnection connection =
        RawConnection.open(fortress.ports().tls(), Reading.EAGER, new Pace(Long.MAX_VALUE))) {
      connection.send(new byte[] {22, 3, 1, (byte) 0xff, (byte) 0xff, 1, 0, (byte) 0xff, 0});
      connection.flush();
      fortress.serveUntil(() -> {
        assertThat(bufferBytes() - beforeBytes).isLessThan(12 << 20); // 16 MiB were to be had
        return !connection.isOpen();
      });
    }
  }

  @Test
  void aResetBehindAHalfCloseDoesNotSpinTheLoop() throws IOException {
    for (int i = 0; i < 10; i++) {
      try (SocketChannel socket = SocketChannel.open(fortress.ports().plaintext())) {
        socket.write(ByteBuffer.wrap(Frames.preface()));
        socket.write(ByteBuffer.wrap(Frames.settings()));
        socket.shutdownOutput();
        socket.setOption(StandardSocketOptions.SO_LINGER, 0);
      }
    }
    fortress.serve();
    assertThat(loops()).isNotEmpty();
    long beforeNanos = loopNanos();
    LockSupport.parkNanos(Duration.ofMillis(500).toNanos()); // what spins shows over time alone
    assertThat(Duration.ofNanos(loopNanos() - beforeNanos)).isLessThan(Duration.ofMillis(200));
  }

  /** Time that event loops have spent on processors. */
  private static long loopNanos() {
    return Arrays.stream(loops()).map(THREADS::getThreadCpuTime).sum();
  }

  private static long[] loops() {
    return Arrays.stream(THREADS.getAllThreadIds())
        .filter(id -> isLoop(THREADS.getThreadInfo(id)))
        .toArray();
  }

  private static boolean isLoop(ThreadInfo thread) {
    return thread != null && thread.getThreadName().startsWith("gannet-loop");
  }

  private static void call(RawConnection connection, int id, byte[] block) throws IOException {
    connection.send(Frames.headers(id, Frames.END_HEADERS, block));
    connection.send(Frames.data(id, Frames.END_STREAM, Messages.wantingOne(1)));
  }
}
