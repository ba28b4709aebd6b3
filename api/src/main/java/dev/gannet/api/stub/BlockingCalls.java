package dev.gannet.api.stub;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.StatusException;
import dev.gannet.api.engine.EventLoopThread;
import java.util.Objects;

/**
 * The four kinds of calls for blocking callers; generated clients call these methods.
 *
 * <p>All of them throw {@link StatusException} for every failure, and cancel the call if the
 * waiting thread is interrupted. On an event loop, where they would wait for themselves, they throw
 * {@link IllegalStateException}.
 */
public final class BlockingCalls {
  private BlockingCalls() {}

  /** One request, one response. */
  public static <Q, R> R unary(
      Channel channel, MethodDescriptor<Q, R> method, CallOptions options, Q request) {
    UnaryCaller<R> caller = new UnaryCaller<>(method);
    await(caller, channel, method, options, request);
    return caller.message();
  }

  /**
   * One request, one response with its headers and trailers.
   *
   * @throws IllegalArgumentException if the method is not unary
   */
  public static <Q, R> Response<R> response(
      Channel channel, MethodDescriptor<Q, R> method, CallOptions options, Q request) {
    if (method.type() != MethodType.UNARY) {
      throw new IllegalArgumentException(method.fullMethodName() + " is not unary");
    }
    UnaryCaller<R> caller = new UnaryCaller<>(method);
    ClientCall<Q, R> call = await(caller, channel, method, options, request);
    return new Response<>(
        caller.message(), caller.headers(), caller.trailers(), call.peer(), call.sslSession());
  }

  /** Makes the call and waits until the caller has its response. */
  private static <Q, R> ClientCall<Q, R> await(
      UnaryCaller<R> caller,
      Channel channel,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      Q request) {
    Objects.requireNonNull(request, "request");
    EventLoopThread.refuseToBlock(method.fullMethodName());
    ClientCall<Q, R> call = channel.newCall(method, withoutHeaders(options).withExecutor(caller));
    try {
      CallStarter.startWithHeaders(call, caller, options);
      call.request(1);
      call.sendMessage(request);
      call.halfClose();
    } catch (Throwable e) {
      giveUp(call, e);
      caller.abandon();
      throw e;
    }
    caller.await(call);
    return call;
  }

  /** The options without the metadata that is passed as headers. */
  static CallOptions withoutHeaders(CallOptions options) {
    return options.metadata().isPresent() ? options.withMetadata(new Metadata()) : options;
  }

  /** One request, a stream of responses. */
  public static <Q, R> ServerStreamingCall<R> serverStreaming(
      Channel channel, MethodDescriptor<Q, R> method, CallOptions options, Q request) {
    Objects.requireNonNull(request, "request");
    StreamingCall<Q, R> call = started(channel, method, options);
    call.sendOnly(request);
    return call;
  }

  /** A stream of requests, one response. */
  public static <Q, R> ClientStreamingCall<Q, R> clientStreaming(
      Channel channel, MethodDescriptor<Q, R> method, CallOptions options) {
    return started(channel, method, options);
  }

  /** A stream in each direction. */
  public static <Q, R> BidiStreamingCall<Q, R> bidiStreaming(
      Channel channel, MethodDescriptor<Q, R> method, CallOptions options) {
    return started(channel, method, options);
  }

  /**
   * Ends a call that could not be started: its caller only gets an exception, so nobody else can
   * end it.
   */
  static void giveUp(ClientCall<?, ?> call, Throwable thrown) {
    try {
      call.cancel("the call could not be started", thrown);
    } catch (Throwable second) {
      if (!second.equals(thrown)) { // an exception cannot suppress itself
        thrown.addSuppressed(second);
      }
    }
  }

  private static <Q, R> StreamingCall<Q, R> started(
      Channel channel, MethodDescriptor<Q, R> method, CallOptions options) {
    EventLoopThread.refuseToBlock(method.fullMethodName());
    StreamingCall<Q, R> call = new StreamingCall<>(channel, method, options);
    call.start(options);
    return call;
  }
}
