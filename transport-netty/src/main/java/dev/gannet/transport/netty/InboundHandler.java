package dev.gannet.transport.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandler;

/**
 * Passes all events on. It replaces Netty's adapter, whose methods have an annotation that Netty
 * looks for by reflection: the first time, the JDK generates a class for it, which takes a
 * twentieth of the time to the first call of a JVM. A handler without state may be in many
 * pipelines.
 */
abstract class InboundHandler implements ChannelInboundHandler {
  @Override
  public void handlerAdded(ChannelHandlerContext context) throws Exception {}

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {}

  @Override
  public void channelRegistered(ChannelHandlerContext context) {
    context.fireChannelRegistered();
  }

  @Override
  public void channelUnregistered(ChannelHandlerContext context) {
    context.fireChannelUnregistered();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    context.fireChannelActive();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    context.fireChannelInactive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    context.fireChannelRead(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.fireChannelReadComplete();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    context.fireUserEventTriggered(event);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    context.fireChannelWritabilityChanged();
  }

  @Override
  @SuppressWarnings("deprecation") // of handlers that see no inbound events
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    context.fireExceptionCaught(cause);
  }
}
