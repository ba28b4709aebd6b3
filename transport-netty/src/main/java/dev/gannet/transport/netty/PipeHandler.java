package dev.gannet.transport.netty;

import dev.gannet.http2.Violation;
import dev.gannet.transport.pipe.PipeListener;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import org.jspecify.annotations.Nullable;

/**
 * Passes what a channel reads to the pipe's listener. The only handler after TLS.
 *
 * <p>If the listener throws, its state is unknown: the channel is closed, and the listener is
 * notified only of the end. Nothing is thrown to Netty, which would deliver bytes a second time.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // the result of a write or close is seen in the channel's end
final class PipeHandler extends LoopMember {
  private final NettyPipe pipe;
  private @Nullable PipeListener events;
  private String whyClosed = "the connection was closed";
  private boolean reported;

  /** A handler of a pipe without a listener yet. */
  PipeHandler(NettyPipe pipe) {
    this.pipe = pipe;
  }

  void drivenBy(PipeListener driver) {
    events = driver;
    pipe.drivenBy(driver, this::failAndLog);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    try {
      show(bytes);
    } catch (Throwable e) {
      failAndLog(e);
    } finally {
      bytes.release();
    }
  }

  private void show(ByteBuf bytes) {
    PipeListener driver = driver();
    if (driver != null) {
      boolean onePiece = bytes.nioBufferCount() == 1;
      int from = bytes.readerIndex();
      int length = bytes.readableBytes();
      driver.onBytes(
          onePiece ? bytes.internalNioBuffer(from, length) : bytes.nioBuffer(from, length));
    }
  }

  /** The listener that is to be called, if any. */
  private @Nullable PipeListener driver() {
    return hasFailed() ? null : events;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    PipeListener driver = driver();
    try {
      if (driver != null) {
        driver.onBatchEnd();
      }
    } catch (Throwable e) {
      failAndLog(e);
    }
  }

  /** The peer has broken a rule of TLS. */
  void onWireFault(Violation violation) {
    whyClosed = violation.detail();
    PipeListener driver = driver();
    try {
      if (driver != null) {
        driver.onWireFault(violation);
      }
    } catch (Throwable e) {
      failAndLog(e);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    PipeListener driver = driver();
    try {
      if (driver != null && context.channel().isWritable()) {
        driver.onWritable();
      }
    } catch (Throwable e) {
      failAndLog(e);
    }
  }

  /**
   * Netty closes this side's half of a socket to which it could not write because memory was short.
   */
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelOutputShutdownEvent && !pipe.hasClosedItsHalf()) {
      failAndLog(new OutOfMemoryError("output could not be written"));
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (ErrorText.isOfTheNetwork(cause)) {
      whyClosed = ErrorText.whateverComes(cause, TlsErrorText.Side.of(context));
      context.close();
    } else {
      failAndLog(cause);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    try {
      report(whyClosed);
    } catch (VirtualMachineError e) {
      fail(e); // so that the listener is notified again
    } finally {
      pipe.onClosed();
    }
  }

  @Override
  void reportEnd(Throwable why) {
    if (!reported) {
      pipe.onClosed();
      report(ErrorText.whateverComes(why));
    }
  }

  /**
   * A listener that runs out of memory at its end is notified once more; all others are notified
   * once.
   */
  private void report(String why) {
    PipeListener driver = events;
    if (reported || driver == null) {
      return;
    }
    reported = true;
    try {
      Throwable failed = failure().orElse(null); // no lambda: loading its class would need memory
      driver.onClosed(failed == null ? why : ErrorText.whateverComes(failed));
    } catch (VirtualMachineError e) {
      reported = false;
      throw e;
    }
  }
}
