package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.pipe.PipeListener;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whatever drives a pipe and throws loses its connection, is told so, and loses no buffer. */
final class FaultsOfDriversTest {
  private static final Logger LOG = Logger.getLogger(LoopMember.class.getName());
  private static final InetSocketAddress NOWHERE = InetSocketAddress.createUnresolved("nowhere", 1);

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final NettyPipe pipe =
      new NettyPipe(channel, NettyEventLoops.Kind.nio(), new ConnectionInfo(NOWHERE, NOWHERE), 0);

  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(null);
  }

  /** Throws at one kind of event, and writes down its end. */
  private final class Driver implements PipeListener {
    private final String fault;
    private final List<String> ends = new ArrayList<>();

    Driver(String fault) {
      this.fault = fault;
      PipeHandler handler = new PipeHandler(pipe);
      channel.pipeline().addLast(handler);
      handler.drivenBy(this);
    }

    private void throwAt(String event) {
      if (fault.equals(event)) {
        throw new IllegalStateException("fault at " + event);
      }
    }

    @Override
    public void onBytes(ByteBuffer bytes) {
      throwAt("bytes");
    }

    @Override
    public void onBatchEnd() {
      throwAt("end of batch");
    }

    @Override
    public void onWritable() {
      throwAt("writable");
    }

    @Override
    public void onWake() {
      throwAt("wake");
    }

    @Override
    public void onClosed(String why) {
      ends.add(why);
      pipe.reserve(10).put((byte) 1);
      throwAt("end");
    }
  }

  private void assertLost(Driver driver, String words) {
    assertThat(channel.isOpen()).isFalse();
    assertThat(driver.ends).hasSize(1);
    assertThat(driver.ends.getFirst()).contains(words);
  }

  @Test
  void aListenerThatThrowsOnBytesClosesItsConnection() {
    Driver driver = new Driver("bytes");
    channel.writeInbound(Unpooled.copiedBuffer(new byte[1]));
    assertLost(driver, "fault at bytes");
  }

  @Test
  void aListenerThatThrowsAtTheEndOfABatchClosesItsConnection() {
    Driver driver = new Driver("end of batch");
    channel.writeInbound(Unpooled.copiedBuffer(new byte[1]));
    assertLost(driver, "fault at end of batch");
  }

  @Test
  void aTaskThatThrowsClosesItsConnection() {
    Driver driver = new Driver("");
    pipe.execute(() -> {
      throw new IllegalStateException("fault at task");
    });
    channel.runPendingTasks();
    assertLost(driver, "fault at task");
  }

  @Test
  void aListenerThatThrowsOnATimerClosesItsConnection() {
    Driver driver = new Driver("wake");
    pipe.wakeAt(pipe.nanoTime());
    channel.runScheduledPendingTasks();
    assertLost(driver, "fault at wake");
  }

  @Test
  void aListenerThatThrowsAtItsEndIsNotifiedOnce() {
    Driver driver = new Driver("end");
    channel.close();
    assertThat(driver.ends).hasSize(1);
    assertThat(channel.isOpen()).isFalse();
  }

  /** Fails at its end as often as that, for want of memory. */
  private static final class Forgetful implements PipeListener {
    private final CompletableFuture<String> end = new CompletableFuture<>();
    private int failures;

    Forgetful(int failures) {
      this.failures = failures;
    }

    @Override
    public void onBytes(ByteBuffer bytes) {
      throw new OutOfMemoryError("at bytes");
    }

    @Override
    public void onBatchEnd() {
      end.completeExceptionally(new AssertionError("it is shown more than its end"));
    }

    @Override
    public void onWritable() {}

    @Override
    public void onWake() {}

    @Override
    public void onClosed(String why) {
      if (failures-- > 0) {
        throw new OutOfMemoryError("at its end");
      }
      end.complete(why);
    }
  }

  @Test
  void aPipeThatIsClosedAgainLeavesTheBeatOfItsLoopOnce() {
    int others = LoopBeat.ofThisLoop().pipes() - 1;
    pipe.onClosed();
    pipe.onClosed();
    assertThat(LoopBeat.ofThisLoop().pipes()).isEqualTo(others);
  }

  @Test
  void aListenerOutOfMemoryAtItsEndIsNotifiedAgain() throws Exception {
    try (SocketPair pair = new SocketPair()) {
      Forgetful driver = new Forgetful(3);
      pair.onLoop(() -> {
        PipeHandler handler = new PipeHandler(pair.pipe());
        pair.channel().pipeline().addLast(handler);
        handler.drivenBy(driver);
        return handler;
      });
      pair.peer().getOutputStream().write(1);
      assertThat(driver.end.get(30, TimeUnit.SECONDS)).contains("at bytes");
      assertThat(pair.peer().getInputStream().read()).isNegative();
    }
  }
}
