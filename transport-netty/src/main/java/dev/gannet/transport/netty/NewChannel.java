package dev.gannet.transport.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;

/**
 * Sets up a new channel, once it has its event loop, and removes itself. One instance serves many
 * channels.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the result of a close is seen in the channel's end
abstract class NewChannel extends InboundHandler {
  /** Adds what the channel needs after this handler; if this fails, the channel is closed. */
  abstract void setUp(Channel channel);

  @Override
  public final void handlerAdded(ChannelHandlerContext context) {
    try {
      setUp(context.channel());
    } catch (RuntimeException | Error e) {
      context.close();
      throw e;
    }
    context.pipeline().remove(this);
  }
}
