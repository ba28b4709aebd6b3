package dev.gannet.api;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What a caller wants of one call, or of all calls of a client. Immutable: each {@code with}
 * returns another.
 */
public final class CallOptions {
  /** No deadline, no compression, the channel's authority, executor and limits. */
  public static final CallOptions DEFAULT = new CallOptions();

  private static final int CHANNEL_LIMIT = -1;

  private @Nullable Deadline deadline;
  private @Nullable Duration timeout;
  private @Nullable String compression;
  private @Nullable String authority;
  private @Nullable Executor executor;
  private @Nullable Metadata metadata;
  private @Nullable CallCredentials callCredentials;
  private boolean waitForReady;
  private boolean waitForReadySet;
  private int maxInboundMessageBytes = CHANNEL_LIMIT;
  private int maxOutboundMessageBytes = CHANNEL_LIMIT;
  private Map<Key<?>, Object> custom = Map.of();

  private CallOptions() {}

  private CallOptions(CallOptions from) {
    deadline = from.deadline;
    timeout = from.timeout;
    compression = from.compression;
    authority = from.authority;
    executor = from.executor;
    metadata = from.metadata;
    callCredentials = from.callCredentials;
    waitForReady = from.waitForReady;
    waitForReadySet = from.waitForReadySet;
    maxInboundMessageBytes = from.maxInboundMessageBytes;
    maxOutboundMessageBytes = from.maxOutboundMessageBytes;
    custom = from.custom;
  }

  /** An option of a library's or application's own; compared by identity. */
  public static final class Key<T> {
    private final String name;
    private final T defaultValue;

    private Key(String name, T defaultValue) {
      this.name = name;
      this.defaultValue = defaultValue;
    }

    public static <T> Key<T> of(String name, T defaultValue) {
      return new Key<>(name, defaultValue);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * One moment by which every call made with these options must be over. Where there is a timeout,
   * too ({@link #withDeadline(Duration)}), the earlier counts.
   */
  public CallOptions withDeadline(Deadline deadline) {
    CallOptions changed = new CallOptions(this);
    changed.deadline = deadline;
    return changed;
  }

  /**
   * How long each call made with these options may take, counted from its own start. Where there is
   * a moment, too ({@link #withDeadline(Deadline)}), the earlier counts.
   */
  public CallOptions withDeadline(Duration timeout) {
    CallOptions changed = new CallOptions(this);
    changed.timeout = timeout;
    return changed;
  }

  /**
   * The encoding that requests are compressed with, {@code gzip} say; {@code identity} compresses
   * nothing.
   */
  public CallOptions withCompression(String encoding) {
    CallOptions changed = new CallOptions(this);
    changed.compression = encoding;
    return changed;
  }

  /**
   * Another {@code :authority} than the channel's. With TLS the server's certificate must name it
   * too, or the call ends with {@code UNAVAILABLE}.
   *
   * @param authority {@code host} or {@code host:port} (RFC 3986 §3.2.2, §3.2.3), an IPv6 address
   *     in brackets
   * @throws IllegalArgumentException if it is something else: servers refuse user information
   *     ({@code u@host}), paths, spaces and ports above 65535
   */
  public CallOptions withAuthority(String authority) {
    Authority.check(authority);
    CallOptions changed = new CallOptions(this);
    changed.authority = authority;
    return changed;
  }

  /** Where the call's listener runs. */
  public CallOptions withExecutor(Executor executor) {
    CallOptions changed = new CallOptions(this);
    changed.executor = executor;
    return changed;
  }

  /**
   * Headers that each call sends besides those it is started with; in place of earlier ones. The
   * blocking calls of {@code dev.gannet.api.stub} start theirs with them, so that interceptors see
   * them; for others they are added behind all interceptors.
   */
  public CallOptions withMetadata(Metadata metadata) {
    CallOptions changed = new CallOptions(this);
    changed.metadata = metadata.isEmpty() ? null : metadata.copy();
    return changed;
  }

  /**
   * One header more that each call sends, in place of an earlier one of that name; otherwise as
   * {@link #withMetadata}. For interceptors: {@code next.newCall(method, options.withHeader(key,
   * value))}.
   */
  public <T> CallOptions withHeader(Metadata.Key<T> key, T value) {
    Metadata headers = metadata == null ? new Metadata() : metadata.copy();
    headers.set(key, value);
    CallOptions changed = new CallOptions(this);
    changed.metadata = headers;
    return changed;
  }

  /**
   * Who says for whom the call is made, in place of earlier ones; besides those of the channel,
   * which are asked first. {@link CallCredentials#and} has several asked.
   */
  public CallOptions withCallCredentials(CallCredentials credentials) {
    CallOptions changed = new CallOptions(this);
    changed.callCredentials = Objects.requireNonNull(credentials, "credentials");
    return changed;
  }

  /**
   * Whether a call waits for a connection instead of failing at once while the server cannot be
   * reached. It counts instead of what the channel's service config says of the method.
   */
  public CallOptions withWaitForReady(boolean waitForReady) {
    CallOptions changed = new CallOptions(this);
    changed.waitForReady = waitForReady;
    changed.waitForReadySet = true;
    return changed;
  }

  /** The longest response message taken, in bytes after decompression. */
  public CallOptions withMaxInboundMessageBytes(int bytes) {
    CallOptions changed = new CallOptions(this);
    changed.maxInboundMessageBytes = checkedLimit(bytes);
    return changed;
  }

  /** The longest request message sent, in bytes before compression. */
  public CallOptions withMaxOutboundMessageBytes(int bytes) {
    CallOptions changed = new CallOptions(this);
    changed.maxOutboundMessageBytes = checkedLimit(bytes);
    return changed;
  }

  /** An option of somebody's own. */
  public <T> CallOptions withOption(Key<T> key, T value) {
    CallOptions changed = new CallOptions(this);
    Map<Key<?>, Object> options = new HashMap<>(custom);
    options.put(key, value);
    changed.custom = Map.copyOf(options);
    return changed;
  }

  /** The one moment by which all calls must be over. */
  public Optional<Deadline> deadline() {
    return Optional.ofNullable(deadline);
  }

  /** How long each call may take, counted from its start. */
  public Optional<Duration> timeout() {
    return Optional.ofNullable(timeout);
  }

  public Optional<String> compression() {
    return Optional.ofNullable(compression);
  }

  public Optional<String> authority() {
    return Optional.ofNullable(authority);
  }

  public Optional<Executor> executor() {
    return Optional.ofNullable(executor);
  }

  /** Headers besides those a call is started with; the object is the caller's own. */
  public Optional<Metadata> metadata() {
    return Optional.ofNullable(metadata).map(Metadata::copy);
  }

  /** Call credentials besides those of the channel. */
  public Optional<CallCredentials> callCredentials() {
    return Optional.ofNullable(callCredentials);
  }

  /** Whether a call waits for a connection; {@code false} where nothing was said. */
  public boolean waitForReady() {
    return waitForReady;
  }

  /** Whether {@link #withWaitForReady} was said; if not, the channel's service config decides. */
  public boolean isWaitForReadySet() {
    return waitForReadySet;
  }

  public OptionalInt maxInboundMessageBytes() {
    return limit(maxInboundMessageBytes);
  }

  public OptionalInt maxOutboundMessageBytes() {
    return limit(maxOutboundMessageBytes);
  }

  /** The value of somebody's own option, or its default. */
  @SuppressWarnings("unchecked") // withOption lets only a T in under a Key<T>
  public <T> T option(Key<T> key) {
    return (T) custom.getOrDefault(key, key.defaultValue);
  }

  private static int checkedLimit(int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a message limit cannot be negative: " + bytes);
    }
    return bytes;
  }

  private static OptionalInt limit(int bytes) {
    return bytes == CHANNEL_LIMIT ? OptionalInt.empty() : OptionalInt.of(bytes);
  }
}
