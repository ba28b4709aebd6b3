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
import java.util.function.UnaryOperator;

/**
 * The common methods of all generated clients: channel and options, and copies with other options.
 * Immutable and safe for all threads.
 *
 * <p>A fake for tests implements the generated interface and overrides only the methods that the
 * test calls: it has no channel, its {@code with…} methods return the fake itself, and methods that
 * it does not override fail with {@code UNIMPLEMENTED}. For applications to implement; new methods
 * will have a default.
 *
 * <p>New methods will have names that begin with the word {@code with} or {@code without}. The code
 * generator keeps these names free of the methods of services, so that a new one renames none.
 *
 * @param <C> the generated client
 */
public interface ServiceClient<C> {
  /** The channel for the calls; that of a fake fails each call with {@code UNIMPLEMENTED}. */
  default Channel channel() {
    return UnimplementedChannel.ONLY;
  }

  /** The options of each call; for a fake {@link CallOptions#DEFAULT}. */
  default CallOptions options() {
    return CallOptions.DEFAULT;
  }

  /** The same client with another channel or other options; for a fake the fake itself. */
  C with(Channel channel, CallOptions options);

  /**
   * The timeout of each call, counted from its start. It replaces an earlier deadline, also a fixed
   * one ({@link #withDeadline(Deadline)}).
   */
  default C withDeadline(Duration timeout) {
    return with(channel(), options().withDeadline(timeout));
  }

  /**
   * A fixed point in time by which all calls must end. It replaces an earlier deadline, also one
   * counted from the start of each call ({@link #withDeadline(Duration)}).
   */
  default C withDeadline(Deadline deadline) {
    return with(channel(), options().withDeadline(deadline));
  }

  /**
   * No deadline of this client. Calls that a handler makes still inherit the deadline of the
   * handler's call.
   */
  default C withoutDeadline() {
    return with(channel(), options().withoutDeadline());
  }

  /** Headers that each call sends; replaces those of this client. */
  default C withMetadata(Metadata metadata) {
    return with(channel(), options().withMetadata(metadata));
  }

  /** Adds one header that each call sends, and replaces an earlier one with that name. */
  default <T> C withHeader(Metadata.Key<T> key, T value) {
    return with(channel(), options().withHeader(key, value));
  }

  /**
   * Changes the options of each call: for those without a method of their own here, such as {@code
   * withOptions(it -> it.withMaxInboundMessageBytes(1 << 20))}.
   */
  default C withOptions(UnaryOperator<CallOptions> change) {
    return with(channel(), change.apply(options()));
  }

  /** Call credentials, in addition to those of the channel. */
  default C withCallCredentials(CallCredentials credentials) {
    return with(channel(), options().withCallCredentials(credentials));
  }

  /** The encoding with which requests are compressed, such as {@code gzip}. */
  default C withCompression(String encoding) {
    return with(channel(), options().withCompression(encoding));
  }

  /** Calls wait for a connection instead of failing at once while the server cannot be reached. */
  default C withWaitForReady() {
    return withWaitForReady(true);
  }

  /**
   * Whether calls wait for a connection, or fail at once while the server cannot be reached. It
   * overrides the service config, which decides by default.
   */
  default C withWaitForReady(boolean waitForReady) {
    return with(channel(), options().withWaitForReady(waitForReady));
  }

  /**
   * Adds interceptors in front of the channel and of existing ones; the first one given is the
   * outermost.
   */
  default C withInterceptors(ClientInterceptor... interceptors) {
    return with(ClientInterceptor.intercept(channel(), List.of(interceptors)), options());
  }

  /**
   * The executor on which futures, publishers and observers are notified, instead of the channel's.
   * Blocking calls do not use it: they run on the waiting thread.
   */
  default C withExecutor(Executor executor) {
    return with(channel(), options().withExecutor(executor));
  }
}
