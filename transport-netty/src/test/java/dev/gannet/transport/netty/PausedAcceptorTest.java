package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.transport.SocketOptions;
import dev.gannet.transport.Listening;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import dev.gannet.transport.pipe.PipeProvider.Accepting;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A listening socket that could not accept a connection accepts again after a second. */
final class PausedAcceptorTest {
  private final Reads reads = new Reads();
  private final Counting accepting = new Counting();
  private final AtomicLong nanos = new AtomicLong();
  private final Acceptor acceptor =
      new Acceptor(
          new Acceptor.Terms(
              NettyEventLoops.shared(),
              accepting,
              new ChannelInboundHandlerAdapter(),
              SocketOptions.DEFAULT),
          new AtomicInteger(),
          why -> {},
          nanos::get);

  @Test
  void afterAFailureNothingIsAcceptedForASecond() {
    EmbeddedChannel socket = listening();

    fail(socket);
    assertThat(accepting.failures).isOne();
    assertThat(socket.config().isAutoRead()).isFalse();

    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1) - 1);
    assertThat(acceptor.look()).isFalse();
    assertThat(socket.config().isAutoRead()).isFalse();

    pass(socket);
    assertThat(socket.config().isAutoRead()).isTrue();
    assertThat(reads.asked).isOne();
  }

  /** Nothing else would ask for connections again. */
  @Test
  void aSocketThatHasNoMemoryToResumeTriesAgainEverySecond() {
    EmbeddedChannel socket = listening();
    fail(socket);
    reads.failing = true;
    assertThat(pass(socket)).isFalse();
    assertThat(pass(socket)).isFalse();
    assertThat(reads.asked).isZero();

    reads.failing = false;
    assertThat(pass(socket)).isTrue();
    assertThat(reads.asked).isOne();
  }

  @Test
  void aSocketThatHasResumedIsAskedOnce() {
    EmbeddedChannel socket = listening();
    fail(socket);
    pass(socket);
    pass(socket);
    assertThat(reads.asked).isOne();
  }

  @Test
  void aSocketThatHasResumedPausesAtTheNextFailureAgain() {
    EmbeddedChannel socket = listening();
    fail(socket);
    pass(socket);

    fail(socket);
    assertThat(socket.config().isAutoRead()).isFalse();
    pass(socket);
    assertThat(socket.config().isAutoRead()).isTrue();
  }

  private EmbeddedChannel listening() {
    EmbeddedChannel socket = new EmbeddedChannel();
    socket.pipeline().addLast(reads, acceptor);
    reads.asked = 0;
    return socket;
  }

  private static void fail(EmbeddedChannel socket) {
    socket.pipeline().fireExceptionCaught(new IOException("simulated: too many open files"));
  }

  /** A second passes, and the loop has it look; returns whether it needs no more looks. */
  private boolean pass(EmbeddedChannel socket) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    boolean over = acceptor.look();
    socket.runPendingTasks();
    return over;
  }

  private static final class Counting implements Accepting, Listening.Owner {
    private int failures;

    @Override
    public Listening.Owner owner() {
      return this;
    }

    @Override
    public boolean admit(SocketAddress remote) {
      throw new UnsupportedOperationException("nothing is accepted here");
    }

    @Override
    public void onFailed(SocketAddress remote, String why) {
      throw new AssertionError(why);
    }

    @Override
    public void onGone(SocketAddress remote) {
      throw new AssertionError("nothing was admitted");
    }

    @Override
    public void onStopped() {
      throw new AssertionError("it goes on");
    }

    @Override
    public PipeListener onOpen(Pipe pipe) {
      throw new UnsupportedOperationException("nothing is accepted here");
    }

    @Override
    public void onNotAccepted() {
      failures++;
    }
  }

  /** Counts how often the socket is asked for connections, and fails if there is no memory. */
  private static final class Reads extends ChannelDuplexHandler {
    private boolean failing;
    private int asked;

    @Override
    public void read(ChannelHandlerContext context) {
      if (failing) {
        throw new OutOfMemoryError("simulated");
      }
      asked++;
    }
  }
}
