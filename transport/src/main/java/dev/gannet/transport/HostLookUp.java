package dev.gannet.transport;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to connect that begins with the look-up of a host's name. Look-ups block, so this runs
 * on a thread of {@link Scheduler#offload}. Can be cancelled at any time, by any thread.
 */
public final class HostLookUp implements Scheduler.Cancellable {
  /** What follows the look-up; on its thread. */
  public interface Then {
    /** Connects to that address; returns what cancels this. */
    Scheduler.Cancellable connect(InetAddress found);

    /**
     * There will be no connection.
     *
     * @param why an {@link UnknownHostException}, or what {@link #connect} has thrown
     */
    void onFailed(Throwable why);

    /** It was cancelled before {@link #connect} was called, which will not be called any more. */
    void onCancelled();
  }

  private final String host;
  private final Then then;
  private volatile Scheduler.@Nullable Cancellable begun;
  private volatile boolean cancelled;

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
    try {
      InetAddress found = InetAddress.getByName(host);
      if (cancelled) {
        then.onCancelled();
        return;
      }
      begun = then.connect(found);
    } catch (UnknownHostException | RuntimeException | Error e) {
      then.onFailed(e);
    }
    cancelIfCancelled();
  }

  @Override
  public void cancel() {
    cancelled = true;
    cancelIfCancelled();
  }

  /**
   * Write-then-check: the cancelling thread may not have found the connection, and the starting
   * thread may not have seen the cancellation.
   */
  private void cancelIfCancelled() {
    Scheduler.Cancellable connection = begun;
    if (cancelled && connection != null) {
      connection.cancel();
    }
  }
}
