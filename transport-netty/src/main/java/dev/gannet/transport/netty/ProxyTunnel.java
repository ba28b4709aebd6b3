package dev.gannet.transport.netty;

import dev.gannet.transport.PeerText;
import dev.gannet.transport.ProxiedAddress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Asks an HTTP proxy for a tunnel (CONNECT, RFC 9110 §9.3.6), then removes itself. The handlers
 * after it learn that the channel is active when the tunnel is open, and see nothing of the proxy's
 * answer.
 *
 * <pre>
 *   NEW ──connected──► ASKED ──2xx──► OPEN
 *    │                   └──other statuses, 8 KiB, no answer in time, closed──► FAILED
 *    └──closed──► FAILED
 * </pre>
 *
 * <p>Confined to the channel's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the result of a write is seen in the channel's end
final class ProxyTunnel extends InboundHandler {
  /** No honest proxy sends a longer answer. */
  private static final int MAX_BYTES = 8 << 10;

  private static final int MAX_SHOWN = 200;
  private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] (\\d{3})(?: .*)?");
  private static final int PROXY_AUTHENTICATION_REQUIRED = 407;

  private enum State {
    NEW,
    ASKED,
    OPEN,
    FAILED
  }

  private final ProxiedAddress address;
  private final long limitMillis;
  private final ByteArrayOutputStream head = new ByteArrayOutputStream();
  private State state = State.NEW;
  private @Nullable Future<?> timer;
  private int seen;

  /** Whether the current line is empty so far, so that a line end here ends the head. */
  private boolean atLineStart;

  ProxyTunnel(ProxiedAddress address, long limitMillis) {
    this.address = address;
    this.limitMillis = limitMillis;
  }

  private String proxy() {
    return "the proxy " + address.proxy();
  }

  private String target() {
    InetSocketAddress target = address.target();
    String host = target.getHostString();
    return (host.indexOf(':') >= 0 ? "[" + host.replaceFirst("%.*", "") + "]" : host)
        + ":"
        + target.getPort();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    String target = target();
    if (target.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
      fail(context, proxy() + " cannot be asked for this host: " + PeerText.escaped(target));
      return;
    }
    state = State.ASKED;
    String request =
        "CONNECT %s HTTP/1.1\r\nHost: %s\r\n%s\r\n"
            .formatted(
                target,
                target,
                address
                    .proxy()
                    .authorization()
                    .map(it -> "Proxy-Authorization: " + it + "\r\n")
                    .orElse(""));
    context.writeAndFlush(
        Unpooled.wrappedBuffer(request.getBytes(StandardCharsets.US_ASCII)), context.voidPromise());
    timer =
        context.executor().schedule(() -> onTimeout(context), limitMillis, TimeUnit.MILLISECONDS);
  }

  private void onTimeout(ChannelHandlerContext context) {
    if (state == State.ASKED) {
      fail(
          context,
          proxy() + " has not answered CONNECT " + target() + " within " + limitMillis + " ms");
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (state == State.OPEN) { // it is about to be removed
      context.fireChannelRead(message);
      return;
    }
    ByteBuf bytes = (ByteBuf) message;
    try {
      while (state == State.ASKED && bytes.isReadable()) {
        take(context, bytes.readByte());
      }
      if (state == State.OPEN && bytes.isReadable()) {
        context.fireChannelRead(bytes.retain());
        context.fireChannelReadComplete();
      }
    } finally {
      bytes.release();
      if (state == State.OPEN) {
        context.pipeline().remove(this);
      }
    }
  }

  private void take(ChannelHandlerContext context, byte next) {
    if (++seen > MAX_BYTES) {
      fail(context, proxy() + " has answered CONNECT with more than " + MAX_BYTES + " bytes");
    } else if (next == '\n' && atLineStart) {
      answered(context, statusLine());
    } else {
      atLineStart = next == '\n' || (atLineStart && next == '\r');
      head.write(next);
    }
  }

  private String statusLine() {
    String text = head.toString(StandardCharsets.ISO_8859_1);
    int end = text.indexOf('\n');
    return (end < 0 ? text : text.substring(0, end)).stripTrailing();
  }

  private void answered(ChannelHandlerContext context, String statusLine) {
    Matcher parts = STATUS_LINE.matcher(statusLine);
    int status = parts.matches() ? Integer.parseInt(parts.group(1)) : 0;
    if (status / 100 == 1) { // others follow (RFC 9110 §15.2)
      head.reset();
      atLineStart = false;
    } else if (status / 100 == 2) {
      state = State.OPEN;
      stopTimer();
      context.fireChannelActive();
    } else {
      fail(context, refusal(status, statusLine));
    }
  }

  private String refusal(int status, String statusLine) {
    String shown = statusLine.substring(0, Math.min(MAX_SHOWN, statusLine.length()));
    String advice =
        status == PROXY_AUTHENTICATION_REQUIRED
            ? " (HttpProxy.withBasicAuthentication sends a name and a password)"
            : "";
    return proxy()
        + (status == 0 ? " does not answer CONNECT " : " has refused CONNECT ")
        + target()
        + (status == 0 ? " in HTTP/1.1: " : ": ")
        + PeerText.escaped(shown)
        + advice;
  }

  private void fail(ChannelHandlerContext context, String why) {
    state = State.FAILED;
    stopTimer();
    context.fireExceptionCaught(new IOException(why));
  }

  private void stopTimer() {
    Optional.ofNullable(timer).ifPresent(it -> it.cancel(false));
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (state == State.OPEN) {
      context.fireChannelReadComplete();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (state == State.ASKED) {
      fail(context, proxy() + " closed the connection instead of answering CONNECT " + target());
    }
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    stopTimer();
    boolean before = state == State.ASKED && cause instanceof IOException;
    state = State.FAILED;
    context.fireExceptionCaught(
        before ? new IOException(proxy() + ": " + ErrorText.of(cause), cause) : cause);
  }
}
