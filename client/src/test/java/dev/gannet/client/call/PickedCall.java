package dev.gannet.client.call;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Status;
import dev.gannet.client.FakeTransport;
import dev.gannet.client.TestCall;
import dev.gannet.client.TestChannel;
import dev.gannet.client.subchannel.CallPicker;
import dev.gannet.client.subchannel.PendingAttempt;
import dev.gannet.transport.CallEvent;
import java.util.Optional;

/** A call whose channel knows no address, and an attempt of it that is given to another picker. */
public final class PickedCall {
  private final OutgoingCall<String, String> made;
  private final TestCall call;
  private final Attempt<String, String> attempt;

  private PickedCall(OutgoingCall<String, String> made) {
    this.made = made;
    this.call = new TestCall(made).start();
    this.attempt = new Attempt<>(made);
  }

  /** A call with one attempt. */
  public static PickedCall on(TestChannel channel, CallOptions options) {
    channel.resolver.answer = Optional.empty();
    return new PickedCall(
        new PlainCall<>(channel.callOwner(), TestChannel.BIDI, options, TestChannel.NO_POLICY));
  }

  /** A call that may have further attempts. */
  public static PickedCall retriedOn(TestChannel channel) {
    channel.resolver.answer = Optional.empty();
    return new PickedCall(
        RetryingCall.beforeConfig(channel.callOwner(), TestChannel.BIDI, CallOptions.DEFAULT));
  }

  /** What the listener of the call has been told. */
  public TestCall call() {
    return call;
  }

  public PendingAttempt attempt() {
    return attempt;
  }

  /** Ends the call; the picker is told. */
  public void ends(CallPicker picker) {
    attempt.add(CallEvent.Closed.atOnce(Status.ABORTED));
    attempt.flush();
    picker.forget(attempt);
  }

  public boolean hasEnded() {
    return made.hasEnded();
  }

  public boolean isStarted() {
    return attempt.stream() != null;
  }

  /** How many streams on the connection are those of the attempt. */
  public long streamsOn(FakeTransport transport) {
    return transport.streams.stream().filter(it -> it.events == attempt).count();
  }
}
