package dev.gannet.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.ServedCall;
import dev.gannet.client.TestChannel;
import dev.gannet.client.journal.ChannelJournal;
import dev.gannet.client.retry.ActiveConfig;
import dev.gannet.client.retry.ReplayLimits;
import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.client.subchannel.CallPicker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A channel counts a call from its start to its end, and once. */
final class CallStatesTest {
  private final Owner owner = new Owner(new TestChannel().callOwner());
  private final OutgoingCall<String, String> call =
      new PlainCall<>(owner, TestChannel.UNARY, CallOptions.DEFAULT, TestChannel.NO_POLICY);
  private final Ends ends = new Ends();

  @Test
  void aCallIsCountedFromItsStartToItsEnd() {
    call.start(ends);
    assertThat(call.hasEnded()).isFalse();
    assertThat(owner.counted).isEqualTo(1);
    call.cancel("enough");
    call.cancel("again");
    assertThat(call.hasEnded()).isTrue();
    assertThat(owner.counted).isZero();
    assertThat(ends.texts).containsExactly("enough");
  }

  @Test
  void aCallThatIsCancelledWhileTheChannelCountsItIsNotCountedAfterwards() {
    owner.whileAdmitting = () -> call.cancel("meanwhile");
    call.start(ends);
    assertThat(call.hasEnded()).isTrue();
    assertThat(owner.counted).isZero();
    assertThat(ends.texts).containsExactly("meanwhile");
  }

  @Test
  void aCallThatTheChannelRefusesIsNotCounted() {
    owner.refusal = Optional.of(Status.UNAVAILABLE.withDescription("no more calls"));
    call.start(ends);
    call.cancel("too late");
    assertThat(call.hasEnded()).isTrue();
    assertThat(owner.counted).isZero();
    assertThat(ends.texts).containsExactly("no more calls");
  }

  @Test
  void aCallThatIsCancelledBeforeItsStartEndsAtItsStart() {
    call.cancel("first");
    call.cancel("second");
    assertThat(call.hasEnded()).isFalse();
    call.start(ends);
    call.cancel("third");
    assertThat(call.hasEnded()).isTrue();
    assertThat(owner.counted).isZero();
    assertThat(ends.texts).containsExactly("first");
  }

  @Test
  void afterItsEndNoActionIsLeftAtItsParent() {
    ServedCall served = new ServedCall(Optional.empty());
    call.start(ends);
    call.cancel("enough");
    served.makes(ParentCall::current).cancels(call);
    assertThat(served.actions).isEmpty();
  }

  private static final class Ends implements ClientCall.Listener<String> {
    final List<String> texts = new ArrayList<>();

    @Override
    public void onClose(Status status, Metadata trailers) {
      texts.add(status.description().orElse(""));
    }
  }

  /** A channel whose count is seen, and which can refuse. */
  private static final class Owner implements CallOwner {
    private final CallOwner channel;
    Runnable whileAdmitting = () -> {};
    Optional<Status> refusal = Optional.empty();
    int counted;

    Owner(CallOwner channel) {
      this.channel = channel;
    }

    @Override
    public Optional<Status> admit() {
      if (refusal.isEmpty()) {
        counted++;
        whileAdmitting.run();
      }
      return refusal;
    }

    @Override
    public void onCallRefused() {
      channel.onCallRefused();
    }

    @Override
    public void onCallEnded() {
      counted--;
    }

    @Override
    public ChannelSettings settings() {
      return channel.settings();
    }

    @Override
    public Optional<ActiveConfig> config() {
      return channel.config();
    }

    @Override
    public ReplayLimits replayLimits() {
      return channel.replayLimits();
    }

    @Override
    public boolean isClosing() {
      return channel.isClosing();
    }

    @Override
    public CallPicker picker() {
      return channel.picker();
    }

    @Override
    public CallsWithoutStream withoutStream() {
      return channel.withoutStream();
    }

    @Override
    public long resolverNanos(long fromNanos, long toNanos) {
      return channel.resolverNanos(fromNanos, toNanos);
    }

    @Override
    public ChannelJournal journal() {
      return channel.journal();
    }
  }
}
