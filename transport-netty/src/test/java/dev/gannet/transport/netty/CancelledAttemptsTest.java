package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.transport.Scheduler.Cancellable;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import dev.gannet.transport.pipe.PipeProvider.Connecting;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An attempt to connect can be taken back as long as its pipe is not open. */
final class CancelledAttemptsTest {
  private static final long LONG_SECONDS = 30;

  private final ServerSocket listening;
  private final Attempt attempt = new Attempt();

  CancelledAttemptsTest() throws IOException {
    listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    listening.close();
  }

  private Cancellable connect(ChannelCredentials credentials) {
    return new NettyPipes()
        .connector(credentials)
        .connect(listening.getLocalSocketAddress(), "localhost", attempt);
  }

  @Test
  void anAttemptInItsHandshakeFailsAndItsSocketIsClosed() throws Exception {
    Cancellable connecting = connect(ChannelCredentials.tls());
    try (Socket peer = listening.accept()) {
      InputStream in = peer.getInputStream();
      assertThat(in.read()).isNotNegative();
      connecting.cancel();
      assertThat(attempt.failure.get(LONG_SECONDS, TimeUnit.SECONDS)).isNotEmpty();
      in.transferTo(OutputStream.nullOutputStream());
    }
    assertThat(attempt.opened).isNotDone();
  }

  @Test
  void anAttemptCancelledAtOnceReportsItsEnd() throws Exception {
    connect(ChannelCredentials.tls()).cancel();
    assertThat(attempt.failure.get(LONG_SECONDS, TimeUnit.SECONDS)).isNotEmpty();
    assertThat(attempt.opened).isNotDone();
  }

  @Test
  void anOpenPipeStaysOpen() throws Exception {
    Cancellable connecting = connect(ChannelCredentials.insecure());
    Pipe pipe = attempt.opened.get(LONG_SECONDS, TimeUnit.SECONDS);
    try (Socket peer = listening.accept()) {
      connecting.cancel();
      pipe.execute(() -> {
        pipe.reserve(1).put((byte) 7);
        pipe.flush();
      });
      assertThat(peer.getInputStream().read()).isEqualTo(7);
      pipe.execute(pipe::close);
      assertThat(peer.getInputStream().read()).isNegative();
    }
    assertThat(attempt.closed.get(LONG_SECONDS, TimeUnit.SECONDS)).isNotEmpty();
    assertThat(attempt.failure).isNotDone();
  }

  @Test
  void anAttemptWhosePipeCannotBeUsedHasFailed() throws Exception {
    attempt.thrown = Optional.of(new OutOfMemoryError("no memory for a listener"));
    connect(ChannelCredentials.insecure());
    assertThat(attempt.failure.get(LONG_SECONDS, TimeUnit.SECONDS)).contains("no memory for");
  }

  /** Keeps what comes of it. */
  private static final class Attempt implements Connecting, PipeListener {
    private volatile Optional<Error> thrown = Optional.empty();
    private final CompletableFuture<Pipe> opened = new CompletableFuture<>();
    private final CompletableFuture<String> failure = new CompletableFuture<>();
    private final CompletableFuture<String> closed = new CompletableFuture<>();

    @Override
    public PipeListener onOpen(Pipe pipe) {
      if (thrown.isPresent()) {
        throw thrown.get();
      }
      opened.complete(pipe);
      return this;
    }

    @Override
    public void onFailed(String why) {
      failure.complete(why);
    }

    @Override
    public void onBytes(ByteBuffer bytes) {}

    @Override
    public void onBatchEnd() {}

    @Override
    public void onWritable() {}

    @Override
    public void onWake() {}

    @Override
    public void onClosed(String why) {
      closed.complete(why);
    }
  }
}
