package dev.gannet.api.stub;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import java.time.Duration;
import java.util.List;

/**
 * What every generated blocking client has besides its methods: a channel and options, and other
 * clients made from it with other options. Immutable and safe for all threads.
 *
 * @param <C> the generated client
 */
public interface BlockingClient<C> {
  Channel channel();

  CallOptions options();

  /** The same client over another channel or with other options. */
  C with(Channel channel, CallOptions options);

  /**
   * How long each call may take, counted from its own start. Where {@link #withDeadline(Deadline)}
   * was used, too, the earlier counts.
   */
  default C withDeadline(Duration timeout) {
    return with(channel(), options().withDeadline(timeout));
  }

  /**
   * One moment by which all calls must be over. Where {@link #withDeadline(Duration)} was used,
   * too, the earlier counts.
   */
  default C withDeadline(Deadline deadline) {
    return with(channel(), options().withDeadline(deadline));
  }

  /** Headers that each call sends, in place of those that this client had. */
  default C withMetadata(Metadata metadata) {
    return with(channel(), options().withMetadata(metadata));
  }

  /** The encoding that requests are compressed with, {@code gzip} say. */
  default C withCompression(String encoding) {
    return with(channel(), options().withCompression(encoding));
  }

  /** Calls wait for a connection instead of failing at once while the server cannot be reached. */
  default C withWaitForReady() {
    return with(channel(), options().withWaitForReady(true));
  }

  /**
   * Interceptors in front of the channel and of those it has already; the first one given is the
   * outermost.
   */
  default C withInterceptors(ClientInterceptor... interceptors) {
    return with(ClientInterceptor.intercept(channel(), List.of(interceptors)), options());
  }

  /**
   * Makes a unary call as this client's methods do, and returns the response with its headers and
   * trailers. {@code response(GreeterMethods.SAY_HELLO, request)}, say. Where the call fails, the
   * exception has both. Streaming calls have them anyway.
   *
   * @throws dev.gannet.api.StatusException if the call does not end well
   * @throws IllegalArgumentException if the method is not unary
   */
  default <Q, R> Response<R> response(MethodDescriptor<Q, R> method, Q request) {
    return BlockingCalls.response(channel(), method, options(), request);
  }
}
