package dev.gannet.testing;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.Subchannel;
import dev.gannet.client.balancer.SubchannelState;
import dev.gannet.client.resolver.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A subchannel without a network: its policy lets it connect, and a test decides what happens then.
 * Created by a {@link PolicyTestbed}; for the thread of the test.
 *
 * <pre>
 *   IDLE ──connect──► CONNECTING ──becomesReady──► READY ──losesConnection──► IDLE
 *    ▲                     │
 *    └──backoffEnds── TRANSIENT_FAILURE ◄──fails
 * </pre>
 */
public final class FakeSubchannel implements Subchannel {
  private final PolicyTestbed channel;
  private final Endpoint endpoint;
  private final Listener listener;
  private final CallTracker tracker;
  private final List<FakeWatch> watches = new ArrayList<>();
  private SubchannelState state = SubchannelState.IDLE;
  private int connects;
  private boolean isShutdown;

  FakeSubchannel(PolicyTestbed channel, Endpoint endpoint, Listener listener, CallTracker tracker) {
    this.channel = channel;
    endpoint.onlyAddress(); // throws if it has several
    this.endpoint = endpoint;
    this.listener = Objects.requireNonNull(listener, "listener");
    this.tracker = Objects.requireNonNull(tracker, "tracker");
  }

  @Override
  public Endpoint endpoint() {
    return endpoint;
  }

  /** For the policy. An IDLE subchannel becomes CONNECTING, and stays so until the test goes on. */
  @Override
  public void connect() {
    if (!isShutdown && state.connectivity() == ConnectivityState.IDLE) {
      connects++;
      become(SubchannelState.CONNECTING);
    }
  }

  /** For the policy. Nothing is reported to its listener any more. */
  @Override
  public void shutdown() {
    isShutdown = true;
  }

  /** For the policy. The call stays open until the policy stops it; the test sends its messages. */
  @Override
  public <Q, R> Registration watch(MethodDescriptor<Q, R> method, Q request, Watcher<R> watcher) {
    FakeWatch watch = new FakeWatch(channel, method, request, watcher);
    watches.add(watch);
    return watch;
  }

  /** The current state. */
  public SubchannelState state() {
    return state;
  }

  /** How often the policy has let it connect. */
  public int connects() {
    return connects;
  }

  /** Whether the policy has shut it down. */
  public boolean isShutdown() {
    return isShutdown;
  }

  /** The calls that the policy has opened on it, also those that it has stopped. */
  public List<FakeWatch> watches() {
    return List.copyOf(watches);
  }

  /**
   * The connection is made.
   *
   * @throws IllegalStateException if it is not CONNECTING
   */
  public void becomesReady() {
    require(ConnectivityState.CONNECTING, "become ready");
    become(SubchannelState.READY);
  }

  /**
   * No connection could be made, and a backoff begins.
   *
   * @throws IllegalStateException if it is not CONNECTING
   */
  public void fails(Status why) {
    require(ConnectivityState.CONNECTING, "fail");
    become(SubchannelState.failed(why));
  }

  /**
   * The backoff is over: the subchannel is IDLE.
   *
   * @throws IllegalStateException if it has not failed
   */
  public void backoffEnds() {
    require(ConnectivityState.TRANSIENT_FAILURE, "end its backoff");
    become(SubchannelState.IDLE);
  }

  /**
   * The connection is lost, or its server closes it: the subchannel is IDLE.
   *
   * @throws IllegalStateException if it is not READY
   */
  public void losesConnection() {
    require(ConnectivityState.READY, "lose its connection");
    become(SubchannelState.IDLE);
  }

  private void require(ConnectivityState required, String what) {
    if (isShutdown || state.connectivity() != required) {
      throw new IllegalStateException(
          this
              + " cannot "
              + what
              + ": it is not "
              + required
              + (isShutdown ? ", but shut down" : ""));
    }
  }

  private void become(SubchannelState next) {
    state = next;
    channel.report(this, listener, next);
    channel.pickWaiting();
  }

  CallTracker tracker() {
    return tracker;
  }

  @Override
  public String toString() {
    return "the subchannel to " + address() + " (" + (isShutdown ? "SHUTDOWN" : state) + ")";
  }
}
