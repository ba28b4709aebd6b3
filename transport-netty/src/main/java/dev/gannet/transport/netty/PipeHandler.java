package dev.gannet.transport.netty;

import dev.gannet.http2.ErrorCode;
import dev.gannet.transport.pipe.PipeEvents;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Shows what a channel reads to whoever drives its pipe. The last and only handler behind TLS. */
@SuppressWarnings(
    "FutureReturnValueIgnored") // what becomes of a write or close shows in the channel's end
final class PipeHandler extends InboundHandler {
  private static final Logger LOG = System.getLogger(PipeHandler.class.getName());

  private final NettyPipe pipe;
  private final PipeEvents events;
  private String whyClosed = "the connection was closed";

  PipeHandler(NettyPipe pipe, PipeEvents events) {
    this.pipe = pipe;
    this.events = events;
    pipe.drivenBy(events);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    try {
      boolean onePiece = bytes.nioBufferCount() == 1;
      int from = bytes.readerIndex();
      int length = bytes.readableBytes();
      events.onBytes(
          onePiece ? bytes.internalNioBuffer(from, length) : bytes.nioBuffer(from, length));
    } finally {
      bytes.release();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    events.onBatchEnd();
  }

  /** The peer has broken a rule of TLS. */
  void onWireFault(ErrorCode code, String rule) {
    whyClosed = rule;
    events.onWireFault(code, rule);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (context.channel().isWritable()) {
      events.onWritable();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    whyClosed = Words.of(cause);
    try {
      if (!Words.isOfTheNetwork(cause)) {
        LOG.log(Level.ERROR, "closing a connection because of a fault in this program", cause);
      }
    } finally {
      context.close(); // also where nothing can be logged
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    try {
      events.onClosed(whyClosed);
    } finally {
      pipe.onClosed();
    }
  }
}
