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
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A listening socket that could not accept a connection accepts again after a second. */
final class PausedAcceptorTest {
  private final Reads reads = new Reads();
  private final FailingTimers timers = new FailingTimers();
  private final Counting accepting = new Counting();

  @Test
  void afterAFailureNothingIsAcceptedForASecond() {
    EmbeddedChannel socket = listening();

    fail(socket);
    assertThat(accepting.failures).isOne();
    assertThat(socket.config().isAutoRead()).isFalse();

    pass(socket);
    assertThat(socket.config().isAutoRead()).isTrue();
    assertThat(reads.asked).isOne();
  }

  /** Nothing but its timer would ask for connections again. */
  @Test
  void aSocketThatHasNoMemoryToResumeTriesAgainEverySecond() {
    EmbeddedChannel socket = listening();
    fail(socket);
    timers.failing = true;
    reads.failing = true;
    pass(socket);
    pass(socket);
    assertThat(reads.asked).isZero();

    reads.failing = false;
    pass(socket);
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
    Acceptor.Terms terms =
        new Acceptor.Terms(
            NettyEventLoops.shared(),
            accepting,
            new ChannelInboundHandlerAdapter(),
            SocketOptions.DEFAULT);
    Socket socket = new Socket();
    socket.freezeTime();
    socket.pipeline().addLast(reads, new Acceptor(terms, new AtomicInteger(), why -> {}));
    reads.asked = 0;
    return socket;
  }

  private static void fail(EmbeddedChannel socket) {
    socket.pipeline().fireExceptionCaught(new IOException("simulated: too many open files"));
  }

  private static void pass(EmbeddedChannel socket) {
    socket.advanceTimeBy(1, TimeUnit.SECONDS);
    socket.runScheduledPendingTasks();
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

  /** A socket on a loop that can run out of memory for timers. */
  private final class Socket extends EmbeddedChannel {
    @Override
    public EventLoop eventLoop() {
      return timers.of(super.eventLoop());
    }
  }

  /** A loop that can fail to set a timer. */
  private static final class FailingTimers {
    private boolean failing;

    EventLoop of(EventLoop loop) {
      Class<?>[] types = {EventLoop.class};
      return (EventLoop)
          Proxy.newProxyInstance(
              EventLoop.class.getClassLoader(),
              types,
              (proxy, method, arguments) -> {
                if (failing && method.getName().startsWith("schedule")) {
                  throw new OutOfMemoryError("simulated");
                }
                try {
                  return method.invoke(loop, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }
}
