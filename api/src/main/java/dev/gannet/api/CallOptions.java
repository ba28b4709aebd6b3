package dev.gannet.api;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.StringJoiner;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Options of one call, or of all calls of a client. Immutable: each {@code with} method returns a
 * new object.
 */
public final class CallOptions {
  /** No deadline, no compression, the channel's authority, executor and limits. */
  public static final CallOptions DEFAULT = new CallOptions(new Draft());

  private static final int CHANNEL_LIMIT = -1;

  private final @Nullable Deadline deadline;
  private final @Nullable Duration deadlineAfter;
  private final @Nullable String compression;
  private final @Nullable String authority;
  private final @Nullable Executor executor;
  private final @Nullable Metadata metadata;
  private final @Nullable CallCredentials callCredentials;
  private final @Nullable Boolean waitForReady;
  private final int maxInboundMessageBytes;
  private final int maxOutboundMessageBytes;
  private final Map<Key<?>, Object> custom;

  private CallOptions(Draft draft) {
    deadline = draft.deadline;
    deadlineAfter = draft.deadlineAfter;
    compression = draft.compression;
    authority = draft.authority;
    executor = draft.executor;
    metadata = draft.metadata;
    callCredentials = draft.callCredentials;
    waitForReady = draft.waitForReady;
    maxInboundMessageBytes = draft.maxInboundMessageBytes;
    maxOutboundMessageBytes = draft.maxOutboundMessageBytes;
    custom = draft.custom;
  }

  /**
   * The values of the next object. It never leaves a {@code with} method, so that the JIT compiler
   * need not allocate it.
   */
  private static final class Draft {
    private @Nullable Deadline deadline;
    private @Nullable Duration deadlineAfter;
    private @Nullable String compression;
    private @Nullable String authority;
    private @Nullable Executor executor;
    private @Nullable Metadata metadata;
    private @Nullable CallCredentials callCredentials;
    private @Nullable Boolean waitForReady;
    private int maxInboundMessageBytes = CHANNEL_LIMIT;
    private int maxOutboundMessageBytes = CHANNEL_LIMIT;
    private Map<Key<?>, Object> custom = Map.of();

    Draft() {}

    Draft(CallOptions options) {
      deadline = options.deadline;
      deadlineAfter = options.deadlineAfter;
      compression = options.compression;
      authority = options.authority;
      executor = options.executor;
      metadata = options.metadata;
      callCredentials = options.callCredentials;
      waitForReady = options.waitForReady;
      maxInboundMessageBytes = options.maxInboundMessageBytes;
      maxOutboundMessageBytes = options.maxOutboundMessageBytes;
      custom = options.custom;
    }
  }

  /** An option of a library or an application; compared by identity. */
  public static final class Key<T> {
    private final String name;
    private final T defaultValue;

    private Key(String name, T defaultValue) {
      this.name = Objects.requireNonNull(name, "name");
      this.defaultValue = Objects.requireNonNull(defaultValue, "defaultValue");
    }

    /**
     * A new option; two of the same name are different. The default is the value of calls that do
     * not set it; where there is none, use a type that says so, such as {@code Optional}.
     */
    public static <T> Key<T> of(String name, T defaultValue) {
      return new Key<>(name, defaultValue);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * A fixed point in time by which every call made with these options must end: {@link #deadline}.
   * It replaces an earlier deadline, also one counted from the start of each call ({@link
   * #withDeadline(Duration)}). If the call is made by a handler, or the service config has a
   * timeout for its method, the earliest applies.
   */
  public CallOptions withDeadline(Deadline deadline) {
    Draft changed = new Draft(this);
    changed.deadline = Objects.requireNonNull(deadline, "deadline");
    changed.deadlineAfter = null;
    return new CallOptions(changed);
  }

  /**
   * How long after its start each call made with these options must end: {@link #deadlineAfter}. It
   * replaces an earlier deadline, also a fixed one ({@link #withDeadline(Deadline)}). If the call
   * is made by a handler, or the service config has a timeout for its method, the earliest applies.
   */
  public CallOptions withDeadline(Duration afterStart) {
    Draft changed = new Draft(this);
    changed.deadlineAfter = Objects.requireNonNull(afterStart, "afterStart");
    changed.deadline = null;
    return new CallOptions(changed);
  }

  /**
   * These options for calls that share the time of one call, which starts now: {@link
   * #deadlineAfter} becomes a fixed {@link #deadline}; the same object if there is none. For
   * interceptors that make several calls for one, and for those that show its deadline.
   *
   * <p>The deadline is counted by {@link Deadline#systemTicker}, also on a channel in virtual time;
   * there, create it by {@link Deadline#after(Duration, LongSupplier)} with the virtual clock.
   */
  public CallOptions startingNow() {
    return deadlineAfter == null ? this : withDeadline(Deadline.after(deadlineAfter));
  }

  /**
   * No deadline of these options: neither a fixed one nor one counted from the start of each call.
   * Calls that a handler makes still inherit the deadline of the handler's call, and a timeout of
   * the service config still applies.
   */
  public CallOptions withoutDeadline() {
    Draft changed = new Draft(this);
    changed.deadline = null;
    changed.deadlineAfter = null;
    return new CallOptions(changed);
  }

  /**
   * The encoding with which requests are compressed, such as {@code gzip}; {@code identity} means
   * no compression.
   */
  public CallOptions withCompression(String encoding) {
    Draft changed = new Draft(this);
    changed.compression = Objects.requireNonNull(encoding, "encoding");
    return new CallOptions(changed);
  }

  /**
   * An {@code :authority} other than the channel's. With TLS the server's certificate must contain
   * it, too; otherwise the call ends with {@code UNAVAILABLE}.
   *
   * @param authority {@code host} or {@code host:port} (RFC 3986 §3.2.2, §3.2.3), with an IPv6
   *     address in brackets
   * @throws IllegalArgumentException if it is something else: servers refuse user information
   *     ({@code u@h}), paths, spaces and ports above 65535
   */
  public CallOptions withAuthority(String authority) {
    Authority.check(authority);
    Draft changed = new Draft(this);
    changed.authority = authority;
    return new CallOptions(changed);
  }

  /** The executor that runs the call's listener. */
  public CallOptions withExecutor(Executor executor) {
    Draft changed = new Draft(this);
    changed.executor = Objects.requireNonNull(executor, "executor");
    return new CallOptions(changed);
  }

  /**
   * Headers that each call sends in addition to those it is started with; replaces earlier ones. A
   * header of the options replaces those with the same name that {@link ClientCall#start} is given.
   * Generated clients pass the headers of their options to {@code start}, so that interceptors see
   * them. What an interceptor puts into the options is added after all interceptors, and so
   * replaces these, too.
   */
  public CallOptions withMetadata(Metadata metadata) {
    Draft changed = new Draft(this);
    Objects.requireNonNull(metadata, "metadata");
    changed.metadata = metadata.isEmpty() ? null : metadata.copy();
    return new CallOptions(changed);
  }

  /**
   * Adds one header that each call sends, and replaces an earlier one with that name; otherwise
   * like {@link #withMetadata}. In the options of a client all interceptors see it in {@link
   * ClientCall#start}; in options that an interceptor passes on it is added after all interceptors,
   * and none of them sees it (unlike those of {@link ClientInterceptor#addingHeaders}).
   */
  public <T> CallOptions withHeader(Metadata.Key<T> key, T value) {
    Metadata headers = metadata == null ? new Metadata() : metadata.copy();
    headers.set(Objects.requireNonNull(key, "key"), value);
    Draft changed = new Draft(this);
    changed.metadata = headers;
    return new CallOptions(changed);
  }

  /**
   * Credentials for the call, in addition to those of the channel, which come first; replaces
   * earlier ones. {@link CallCredentials#and} combines several.
   */
  public CallOptions withCallCredentials(CallCredentials credentials) {
    Draft changed = new Draft(this);
    changed.callCredentials = Objects.requireNonNull(credentials, "credentials");
    return new CallOptions(changed);
  }

  /**
   * Whether a call waits for a connection instead of failing at once while the server cannot be
   * reached. Overrides the channel's service config.
   */
  public CallOptions withWaitForReady(boolean waitForReady) {
    Draft changed = new Draft(this);
    changed.waitForReady = waitForReady;
    return new CallOptions(changed);
  }

  /**
   * The maximum size of a received response message, in bytes after decompression. It replaces the
   * channel's limit; if the service config has one, the smaller of the two applies.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public CallOptions withMaxInboundMessageBytes(int bytes) {
    Draft changed = new Draft(this);
    changed.maxInboundMessageBytes = checkedLimit("maxInboundMessageBytes", bytes);
    return new CallOptions(changed);
  }

  /**
   * The maximum size of a sent request message, in bytes before compression. It replaces the
   * channel's limit; if the service config has one, the smaller of the two applies.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public CallOptions withMaxOutboundMessageBytes(int bytes) {
    Draft changed = new Draft(this);
    changed.maxOutboundMessageBytes = checkedLimit("maxOutboundMessageBytes", bytes);
    return new CallOptions(changed);
  }

  /** Sets an option of a library or an application. */
  public <T> CallOptions withOption(Key<T> key, T value) {
    Draft changed = new Draft(this);
    Map<Key<?>, Object> options = new HashMap<>(custom);
    options.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
    changed.custom = Map.copyOf(options);
    return new CallOptions(changed);
  }

  /**
   * The fixed point in time by which all calls must end; empty by default, and if there is a {@link
   * #deadlineAfter}.
   */
  public Optional<Deadline> deadline() {
    return Optional.ofNullable(deadline);
  }

  /**
   * How long after its start each call must end; empty by default, and if there is a {@link
   * #deadline}.
   */
  public Optional<Duration> deadlineAfter() {
    return Optional.ofNullable(deadlineAfter);
  }

  /** The encoding with which requests are compressed; empty by default: they are not. */
  public Optional<String> compression() {
    return Optional.ofNullable(compression);
  }

  /** The {@code :authority} of the call; empty by default, which means the channel's. */
  public Optional<String> authority() {
    return Optional.ofNullable(authority);
  }

  /** The executor that runs the call's listener; empty by default, which means the channel's. */
  public Optional<Executor> executor() {
    return Optional.ofNullable(executor);
  }

  /**
   * Headers in addition to those with which a call is started; the object belongs to the caller.
   */
  public Optional<Metadata> metadata() {
    return Optional.ofNullable(metadata).map(Metadata::copy);
  }

  /** Call credentials in addition to those of the channel; empty by default. */
  public Optional<CallCredentials> callCredentials() {
    return Optional.ofNullable(callCredentials);
  }

  /**
   * Whether a call waits for a connection; empty by default: then the channel's service config
   * decides.
   */
  public Optional<Boolean> waitForReady() {
    return Optional.ofNullable(waitForReady);
  }

  /**
   * The maximum size of a received response message, in bytes after decompression; empty by
   * default: then the service config and the channel decide.
   */
  public OptionalInt maxInboundMessageBytes() {
    return limit(maxInboundMessageBytes);
  }

  /**
   * The maximum size of a sent request message, in bytes before compression; empty by default: then
   * the service config and the channel decide.
   */
  public OptionalInt maxOutboundMessageBytes() {
    return limit(maxOutboundMessageBytes);
  }

  /** The value of an option of a library or an application, or its default. */
  @SuppressWarnings("unchecked") // withOption only accepts a T for a Key<T>
  public <T> T option(Key<T> key) {
    return (T) custom.getOrDefault(key, key.defaultValue);
  }

  private List<Object> values() {
    return List.of(
        deadline(),
        deadlineAfter(),
        compression(),
        authority(),
        executor(),
        callCredentials(),
        waitForReady(),
        maxInboundMessageBytes,
        maxOutboundMessageBytes,
        custom);
  }

  /**
   * Whether the same options are set to equal values. Headers are equal if they have the same
   * fields in the same order; fixed deadlines, if they are the same time of the same ticker;
   * executors and credentials, usually only if they are the same object.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CallOptions that
        && values().equals(that.values())
        && hasSameHeaders(that);
  }

  private boolean hasSameHeaders(CallOptions other) {
    if (metadata == null || other.metadata == null) {
      return metadata == other.metadata;
    }
    return metadata.hasSameFields(other.metadata);
  }

  @Override
  public int hashCode() {
    return values().hashCode(); // equal options have equal headers, which need not count
  }

  /** The options that are set; of headers and the application's options only the names. */
  @Override
  public String toString() {
    StringJoiner set = new StringJoiner(", ", "CallOptions[", "]");
    deadline().ifPresent(it -> set.add("deadline " + it));
    deadlineAfter().ifPresent(it -> set.add("deadline " + it + " after the start"));
    compression().ifPresent(it -> set.add("compression " + it));
    authority().ifPresent(it -> set.add("authority " + it));
    waitForReady().ifPresent(it -> set.add("waitForReady " + it));
    maxInboundMessageBytes().ifPresent(it -> set.add("maxInboundMessageBytes " + it));
    maxOutboundMessageBytes().ifPresent(it -> set.add("maxOutboundMessageBytes " + it));
    if (metadata != null) {
      set.add("headers " + metadata.names());
    }
    if (callCredentials != null) {
      set.add("callCredentials");
    }
    executor().ifPresent(it -> set.add("executor " + it));
    if (!custom.isEmpty()) {
      set.add("options " + custom.keySet());
    }
    return set.toString();
  }

  private static int checkedLimit(String option, int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(option + " cannot be negative: " + bytes);
    }
    return bytes;
  }

  private static OptionalInt limit(int bytes) {
    return bytes == CHANNEL_LIMIT ? OptionalInt.empty() : OptionalInt.of(bytes);
  }
}
