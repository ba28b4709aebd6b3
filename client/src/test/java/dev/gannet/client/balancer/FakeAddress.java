package dev.gannet.client.balancer;

import dev.gannet.api.Status;
import java.net.SocketAddress;

/** A subchannel in a test's hand, and what the policy does with it. */
final class FakeAddress implements Subchannel {
  final Listener listener;
  final CallTracker tracker;
  int connects;
  boolean shutDown;
  private final FakeChannel channel;
  private final SocketAddress address;

  FakeAddress(FakeChannel channel, SocketAddress address, Listener listener, CallTracker tracker) {
    this.channel = channel;
    this.address = address;
    this.listener = listener;
    this.tracker = tracker;
  }

  @Override
  public SocketAddress address() {
    return address;
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

  void becomesReady() {
    is(SubchannelState.CONNECTING);
    is(SubchannelState.READY);
  }
}
