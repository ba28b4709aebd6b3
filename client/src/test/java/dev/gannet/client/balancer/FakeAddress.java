package dev.gannet.client.balancer;

import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.client.resolver.Endpoint;
import java.util.ArrayList;
import java.util.List;

/** A subchannel in a test's hand, and what the policy does with it. */
final class FakeAddress implements Subchannel {
  final Listener listener;
  final CallTracker tracker;
  int connects;
  boolean shutDown;
  final List<Watched> watches = new ArrayList<>();
  private final FakeChannel channel;
  private final Endpoint endpoint;

  FakeAddress(FakeChannel channel, Endpoint endpoint, Listener listener, CallTracker tracker) {
    this.channel = channel;
    this.endpoint = endpoint;
    this.listener = listener;
    this.tracker = tracker;
  }

  @Override
  public Endpoint endpoint() {
    return endpoint;
  }

  /** A call that the policy keeps open. */
  static final class Watched implements Registration {
    final String method;
    final byte[] request;
    final Subchannel.Watcher<Object> watcher;
    boolean stopped;

    @SuppressWarnings("unchecked") // the test says messages of the right type
    Watched(String method, Object request, Subchannel.Watcher<?> watcher) {
      this.method = method;
      this.request = (byte[]) request;
      this.watcher = (Subchannel.Watcher<Object>) watcher;
    }

    @Override
    public void close() {
      stopped = true;
    }

    void says(byte... message) {
      if (!stopped) {
        watcher.onMessage(message);
      }
    }
  }

  @Override
  public <Q, R> Registration watch(
      MethodDescriptor<Q, R> method, Q request, Subchannel.Watcher<R> watcher) {
    watches.add(new Watched(method.fullMethodName(), request, watcher));
    return watches.getLast();
  }

  @Override
  public void connect() {
    connects++;
    channel.connected.add(this);
  }

  @Override
  public void shutdown() {
    shutDown = true;
  }

  void is(SubchannelState state) {
    if (!shutDown) { // the channel tells nothing more then
      listener.onState(this, state);
    }
  }

  void fails(String why) {
    is(SubchannelState.CONNECTING);
    is(SubchannelState.failed(Status.UNAVAILABLE.withDescription(why)));
  }

  /** A call over it. */
  void serves(Status status, Metadata trailers) {
    begins().onEnded(status, trailers);
  }

  /** A call over it that has not ended. */
  TrackedCall begins() {
    return tracker.onStarted(FakeChannel.ANY_CALL);
  }

  void becomesReady() {
    is(SubchannelState.CONNECTING);
    is(SubchannelState.READY);
  }
}
