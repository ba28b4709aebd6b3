package dev.gannet.transport.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Lets a listening socket rest for a second where no connection can be accepted, most often for
 * want of descriptors (CVE-2023-4785): it would fail again at once, and take a processor for that.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a loop that is shut down accepts nothing anyway
final class AcceptFailures extends InboundHandler {
  private static final Logger LOG = System.getLogger(AcceptFailures.class.getName());
  private static final long REST_SECONDS = 1;
  private static final long BETWEEN_LINES_NANOS = Duration.ofMinutes(1).toNanos();

  private boolean told;
  private long toldNanos;

  /**
   * Has the JDK read its time zones, or the first line of a log wants a file when there is none.
   */
  AcceptFailures() {
    Objects.requireNonNull(ZoneId.systemDefault());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Channel listening = context.channel();
    listening.config().setAutoRead(false);
    context
        .executor()
        .schedule(() -> listening.config().setAutoRead(true), REST_SECONDS, TimeUnit.SECONDS);
    long now = System.nanoTime();
    if (!told || now - toldNanos >= BETWEEN_LINES_NANOS) {
      told = true;
      toldNanos = now;
      log(listening, cause);
    }
  }

  /** Logging may want a descriptor itself; the loop must live on where it gets none. */
  private static void log(Channel listening, Throwable cause) {
    try {
      LOG.log(
          Level.WARNING,
          "cannot accept connections on {0}, tries again each second: {1}",
          Words.of(listening.localAddress()),
          Words.of(cause));
    } catch (RuntimeException | Error e) {
      // there is nobody else to tell
    }
  }
}
