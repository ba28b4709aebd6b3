package dev.gannet.transport.netty;

import dev.gannet.transport.ConnectionInfo;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Waits on a new channel for the end of TLS and ALPN, but not longer than the timeout, then passes
 * the channel on and removes itself. Without TLS it passes the channel on at once. Pauses of the
 * loop do not count, because it could not answer the other side then.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // the result of a write or close is seen in the channel's end
final class Handshake extends LoopMember {
  /** The result; exactly one method is called. */
  interface Then {
    void onOpen(Channel channel, ConnectionInfo info, long openedNanos);

    void onFailed(Channel channel, String why);
  }

  private final Optional<SslHandler> tls;
  private final Then then;
  private final long limitMillis;
  private @Nullable Channel channel;
  private long openedNanos;
  private long pausedNanos;
  private boolean reported;

  Handshake(Optional<SslHandler> tls, long limitMillis, Then then) {
    this.tls = tls;
    this.limitMillis = limitMillis;
    this.then = then;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    super.handlerAdded(context);
    channel = context.channel();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    openedNanos = System.nanoTime();
    if (tls.isEmpty()) {
      open(context);
    } else {
      beginToWait(context);
    }
    context.fireChannelActive();
  }

  private void beginToWait(ChannelHandlerContext context) {
    LoopBeat beat = LoopBeat.ofThisLoop();
    beat.join(context.channel().eventLoop());
    pausedNanos = beat.pauses(openedNanos).totalNanos();
    Future<?> timer = lookIn(context, TimeUnit.MILLISECONDS.toNanos(limitMillis));
    tls.get().handshakeFuture().addListener(done -> beat.leave());
    tls.get().handshakeFuture().addListener(done -> timer.cancel(false));
  }

  private Future<?> lookIn(ChannelHandlerContext context, long nanos) {
    return context.executor().schedule(() -> look(context), nanos, TimeUnit.NANOSECONDS);
  }

  private void look(ChannelHandlerContext context) {
    long before = pausedNanos;
    pausedNanos = LoopBeat.ofThisLoop().pauses(System.nanoTime()).totalNanos();
    if (reported || tls.get().handshakeFuture().isDone()) {
      return;
    }
    if (pausedNanos > before) {
      lookIn(context, pausedNanos - before);
    } else {
      fail(context, "the TLS handshake took longer than " + limitMillis + " ms");
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent done && tls.isPresent()) {
      if (!done.isSuccess()) {
        fail(context, ErrorText.of(done.cause(), TlsErrorText.Side.of(context)));
      } else if (!TlsContexts.ALPN.equals(tls.get().applicationProtocol())) {
        fail(context, TlsErrorText.NO_HTTP2);
      } else {
        open(context);
      }
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof Error) {
      failAndLog(cause);
    } else {
      fail(context, ErrorText.of(cause, TlsErrorText.Side.of(context)));
    }
  }

  @Override
  void reportEnd(Throwable why) {
    Channel closed = channel;
    if (!reported && closed != null) {
      then.onFailed(closed, ErrorText.whateverComes(why));
      reported = true;
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    fail(context, "the connection was closed before it was set up");
    context.fireChannelInactive();
  }

  private void open(ChannelHandlerContext context) {
    Channel channel = context.channel();
    reported = true;
    then.onOpen(channel, infoOf(channel), openedNanos);
    context.pipeline().remove(this);
  }

  /** No lambdas for TLS: a connection without would load its classes for them. */
  private ConnectionInfo infoOf(Channel channel) {
    Optional<SSLSession> session = Optional.empty();
    Optional<String> protocol = Optional.empty();
    if (tls.isPresent()) {
      session = Optional.of(tls.get().engine().getSession());
      protocol = Optional.ofNullable(tls.get().applicationProtocol());
    }
    return new ConnectionInfo(
        Sockets.localOf(channel), Sockets.remoteOf(channel), session, protocol);
  }

  private void fail(ChannelHandlerContext context, String why) {
    if (!reported) {
      reported = true;
      then.onFailed(context.channel(), why);
    }
    context.close();
  }
}
