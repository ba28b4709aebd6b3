package dev.gannet.transport;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to connect that begins with the look-up of a host's name. Look-ups block, so this runs
 * on a thread of {@link Scheduler#offload}. Can be cancelled at any time, by any thread.
 *
 * <pre>
 *   LOOKING_UP ──the address is known──► CONNECTING ──cancel──► CANCELLED
 *      │ └──────────cancel──────────────────────────────────────────▲
 *      └──unknown host──► FAILED
 * </pre>
 *
 * <p>The JDK's look-ups cannot be stopped, and can last for minutes. A cancelled one is not waited
 * for: its result is ignored.
 */
public final class HostLookUp implements Scheduler.Cancellable {
  /** What follows the look-up; on its thread, unless stated otherwise. */
  public interface Then {
    /** Connects to that address; returns what cancels this. If it throws, onFailed follows. */
    Scheduler.Cancellable connect(InetAddress found);

    /**
     * There will be no connection.
     *
     * @param why an {@link UnknownHostException}, or what {@link #connect} has thrown
     */
    void onFailed(Throwable why);

    /**
     * The look-up was cancelled before {@link #connect} was called, which will not be called any
     * more. On the thread that has cancelled it.
     */
    void onCancelled();
  }

  private enum State {
    LOOKING_UP,
    CONNECTING,
    FAILED,
    CANCELLED
  }

  private final String host;
  private final Then then;
  private final AtomicReference<State> state = new AtomicReference<>(State.LOOKING_UP);
  private volatile Scheduler.@Nullable Cancellable begun;

  private HostLookUp(String host, Then then) {
    this.host = host;
    this.then = then;
  }

  /**
   * Starts the look-up.
   *
   * @param host a name or an IP address
   * @return cancels the look-up, or the connection that has followed
   */
  public static Scheduler.Cancellable start(Scheduler scheduler, String host, Then then) {
    HostLookUp started = new HostLookUp(host, then);
    scheduler.offload(started::lookUp);
    return started;
  }

  private void lookUp() {
    InetAddress found;
    try {
      found = InetAddress.getByName(host);
    } catch (UnknownHostException | RuntimeException | Error e) {
      if (state.compareAndSet(State.LOOKING_UP, State.FAILED)) {
        then.onFailed(e);
      }
      return;
    }
    if (state.compareAndSet(State.LOOKING_UP, State.CONNECTING)) {
      connect(found);
    }
  }

  private void connect(InetAddress found) {
    try {
      begun = then.connect(found);
    } catch (RuntimeException | Error e) {
      then.onFailed(e);
    }
    // write-then-check with cancel: begun first, then CANCELLED
    if (state.get() == State.CANCELLED) {
      cancelConnection();
    }
  }

  @Override
  public void cancel() {
    // write-then-check with connect: CANCELLED first, then begun
    State before = state.getAndSet(State.CANCELLED);
    if (before == State.LOOKING_UP) {
      then.onCancelled();
    } else if (before == State.CONNECTING) {
      cancelConnection();
    }
  }

  private void cancelConnection() {
    Scheduler.Cancellable connection = begun;
    if (connection != null) {
      connection.cancel();
    }
  }
}
