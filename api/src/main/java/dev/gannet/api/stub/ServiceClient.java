package dev.gannet.api.stub;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * What every generated client has besides its methods: a channel and options, and other clients
 * made from it with other options. Immutable and safe for all threads.
 *
 * <p>A fake for tests implements the generated interface and overrides the methods it is called by,
 * nothing else: it has no channel, {@code with…} return the fake itself, and methods that it does
 * not override fail with {@code UNIMPLEMENTED}.
 *
 * @param <C> the generated client
 */
public interface ServiceClient<C> {
  /** What calls are made over; that of a fake fails each call with {@code UNIMPLEMENTED}. */
  default Channel channel() {
    return UnimplementedChannel.ONLY;
  }

  /** What each call is made with; for a fake {@link CallOptions#DEFAULT}. */
  default CallOptions options() {
    return CallOptions.DEFAULT;
  }

  /** The same client over another channel or with other options; for a fake the fake itself. */
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

  /** Who says for whom calls are made, besides the call credentials of the channel. */
  default C withCallCredentials(CallCredentials credentials) {
    return with(channel(), options().withCallCredentials(credentials));
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
   * Where futures, publishers and observers of calls are told what happens, instead of on the
   * channel's executor. Blocking calls do without: they run on the thread that waits.
   */
  default C withExecutor(Executor executor) {
    return with(channel(), options().withExecutor(executor));
  }
}
