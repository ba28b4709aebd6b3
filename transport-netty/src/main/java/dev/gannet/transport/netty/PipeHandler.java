package dev.gannet.transport.netty;

import dev.gannet.http2.ErrorCode;
import dev.gannet.transport.pipe.PipeListener;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import org.jspecify.annotations.Nullable;

/**
 * Shows what a channel reads to whoever drives its pipe. The last and only handler behind TLS.
 *
 * <p>A driver that throws has lost its place in what it did: the channel is closed, and the driver
 * is shown nothing more but its end. Nothing is thrown at Netty, which would show bytes a second
 * time.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // what becomes of a write or close shows in the channel's end
final class PipeHandler extends LoopMember {
  private final NettyPipe pipe;
  private @Nullable PipeListener events;
  private String whyClosed = "the connection was closed";
  private boolean told;

  /** A handler that nobody drives the pipe of yet. */
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

  /** Who is to be shown something, if anybody. */
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
  void onWireFault(ErrorCode code, String rule) {
    whyClosed = rule;
    PipeListener driver = driver();
    try {
      if (driver != null) {
        driver.onWireFault(code, rule);
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

  /** Netty closes our half of a socket to which it could not write for want of memory. */
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
      whyClosed = ErrorText.whateverComes(cause);
      context.close();
    } else {
      failAndLog(cause);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    try {
      tell(whyClosed);
    } catch (VirtualMachineError e) {
      fail(e); // so that the driver is told again
    } finally {
      pipe.onClosed();
    }
  }

  @Override
  void tellEnd(Throwable why) {
    if (!told) {
      pipe.onClosed();
      tell(ErrorText.whateverComes(why));
    }
  }

  /** A driver that is out of memory at its end is told once more; all others are told once. */
  private void tell(String why) {
    PipeListener driver = events;
    if (told || driver == null) {
      return;
    }
    told = true;
    try {
      Throwable failed = failure().orElse(null); // no lambda: its class would want memory
      driver.onClosed(failed == null ? why : ErrorText.whateverComes(failed));
    } catch (VirtualMachineError e) {
      told = false;
      throw e;
    }
  }
}
