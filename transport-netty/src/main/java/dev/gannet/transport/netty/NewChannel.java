package dev.gannet.transport.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;

/** Sets a new channel up, once it has its event loop, and leaves. Of many channels at a time. */
@SuppressWarnings("FutureReturnValueIgnored") // what becomes of a close shows in the channel's end
abstract class NewChannel extends InboundHandler {
  /** Adds what the channel needs behind this handler; a channel for which it fails is closed. */
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
