package dev.gannet.api.transport;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of the sockets of channels and servers. Immutable. Transports without sockets ignore
 * them.
 *
 * <p>TCP_USER_TIMEOUT has no option here: on Linux it follows the keepalive of the builders.
 */
public final class SocketOptions {
  /**
   * TCP_NODELAY on, SO_KEEPALIVE off, SO_REUSEADDR on for listening sockets, SO_REUSEPORT off,
   * buffer sizes chosen by the operating system, 20 s to connect, a backlog of 4096.
   */
  public static final SocketOptions DEFAULT = new SocketOptions(new Values());

  private static final int MIN_BUFFER_BYTES = 1 << 10;
  private static final Duration MIN_CONNECT_TIMEOUT = Duration.ofMillis(1);
  private static final Duration MAX_CONNECT_TIMEOUT = Duration.ofDays(1);

  /** The values of one instance; only written during construction. */
  private static final class Values {
    private boolean noDelay = true;
    private boolean keepAlive;
    private boolean reuseAddress = true;
    private boolean reusePort;
    private OptionalInt receiveBufferBytes = OptionalInt.empty();
    private OptionalInt sendBufferBytes = OptionalInt.empty();
    private Duration connectTimeout = Duration.ofSeconds(20);
    private int backlog = 4096;

    Values() {}

    Values(Values other) {
      noDelay = other.noDelay;
      keepAlive = other.keepAlive;
      reuseAddress = other.reuseAddress;
      reusePort = other.reusePort;
      receiveBufferBytes = other.receiveBufferBytes;
      sendBufferBytes = other.sendBufferBytes;
      connectTimeout = other.connectTimeout;
      backlog = other.backlog;
    }

    List<Object> all() {
      return List.of(
          noDelay,
          keepAlive,
          reuseAddress,
          reusePort,
          receiveBufferBytes,
          sendBufferBytes,
          connectTimeout,
          backlog);
    }
  }

  private final Values values;

  private SocketOptions(Values values) {
    this.values = values;
  }

  /**
   * TCP_NODELAY: whether small writes are sent at once, without waiting for more. On by default.
   */
  public SocketOptions withNoDelay(boolean on) {
    return with(it -> it.noDelay = on);
  }

  /**
   * SO_KEEPALIVE: whether the operating system detects dead peers, usually after two hours. Off by
   * default; the keepalive of the builders does not need it and is faster.
   */
  public SocketOptions withKeepAlive(boolean on) {
    return with(it -> it.keepAlive = on);
  }

  /**
   * SO_REUSEADDR of listening sockets: whether a port can be used again while connections of its
   * last owner are still in TIME_WAIT. On by default.
   */
  public SocketOptions withReuseAddress(boolean on) {
    return with(it -> it.reuseAddress = on);
  }

  /**
   * SO_REUSEPORT of listening sockets: whether several servers of one user may listen on the same
   * port; the operating system distributes connections among them. Off by default. It has no effect
   * on systems that do not support it.
   */
  public SocketOptions withReusePort(boolean on) {
    return with(it -> it.reusePort = on);
  }

  /**
   * SO_RCVBUF, in bytes. By default the operating system chooses and adapts it, which is usually
   * faster.
   *
   * @throws IllegalArgumentException if it is less than 1 KiB
   */
  public SocketOptions withReceiveBufferBytes(int bytes) {
    return with(
        it -> it.receiveBufferBytes = OptionalInt.of(checkedBuffer("receiveBufferBytes", bytes)));
  }

  /**
   * SO_SNDBUF, in bytes. By default the operating system chooses and adapts it, which is usually
   * faster.
   *
   * @throws IllegalArgumentException if it is less than 1 KiB
   */
  public SocketOptions withSendBufferBytes(int bytes) {
    return with(it -> it.sendBufferBytes = OptionalInt.of(checkedBuffer("sendBufferBytes", bytes)));
  }

  /**
   * The time to connect a socket; 20 s by default. A channel allows 20 s per address for everything
   * in any case.
   *
   * @throws IllegalArgumentException if it is not between 1 ms and a day
   */
  public SocketOptions withConnectTimeout(Duration timeout) {
    Objects.requireNonNull(timeout, "connectTimeout");
    if (timeout.compareTo(MIN_CONNECT_TIMEOUT) < 0 || timeout.compareTo(MAX_CONNECT_TIMEOUT) > 0) {
      throw new IllegalArgumentException("connectTimeout must be 1 ms to 1 day: " + timeout);
    }
    return with(it -> it.connectTimeout = timeout);
  }

  /**
   * How many connections the operating system queues until the server accepts them; 4096 by
   * default. Linux limits it to {@code net.core.somaxconn}.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public SocketOptions withBacklog(int connections) {
    if (connections <= 0) {
      throw new IllegalArgumentException("backlog must be positive: " + connections);
    }
    return with(it -> it.backlog = connections);
  }

  private SocketOptions with(Consumer<Values> change) {
    Values changed = new Values(values);
    change.accept(changed);
    return new SocketOptions(changed);
  }

  private static int checkedBuffer(String name, int bytes) {
    if (bytes < MIN_BUFFER_BYTES) {
      throw new IllegalArgumentException(
          name + " must be at least " + MIN_BUFFER_BYTES + ": " + bytes);
    }
    return bytes;
  }

  /** {@link #withNoDelay}; true by default. */
  public boolean noDelay() {
    return values.noDelay;
  }

  /** {@link #withKeepAlive}; false by default. */
  public boolean keepAlive() {
    return values.keepAlive;
  }

  /** {@link #withReuseAddress}; true by default. */
  public boolean reuseAddress() {
    return values.reuseAddress;
  }

  /** {@link #withReusePort}; false by default. */
  public boolean reusePort() {
    return values.reusePort;
  }

  /** Empty if the operating system chooses. */
  public OptionalInt receiveBufferBytes() {
    return values.receiveBufferBytes;
  }

  /** Empty if the operating system chooses. */
  public OptionalInt sendBufferBytes() {
    return values.sendBufferBytes;
  }

  /** {@link #withConnectTimeout}; 20 s by default. */
  public Duration connectTimeout() {
    return values.connectTimeout;
  }

  /** {@link #withBacklog}, in connections; 4096 by default. */
  public int backlog() {
    return values.backlog;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SocketOptions that && values.all().equals(that.values.all());
  }

  @Override
  public int hashCode() {
    return values.all().hashCode();
  }

  @Override
  public String toString() {
    return "SocketOptions[noDelay="
        + noDelay()
        + ", keepAlive="
        + keepAlive()
        + ", reuseAddress="
        + reuseAddress()
        + ", reusePort="
        + reusePort()
        + ", receiveBufferBytes="
        + text(receiveBufferBytes())
        + ", sendBufferBytes="
        + text(sendBufferBytes())
        + ", connectTimeout="
        + connectTimeout()
        + ", backlog="
        + backlog()
        + "]";
  }

  private static String text(OptionalInt bytes) {
    return bytes.isPresent() ? Integer.toString(bytes.getAsInt()) : "unset";
  }
}
