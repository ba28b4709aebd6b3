package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.resolver.Resolution;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a plug-in throws in its shutdown is not thrown to the user who ends the channel. */
@ExtendWith(QuietLog.class)
final class FailedShutdownsTest {
  private final TestChannel test = new TestChannel();
  private Optional<RuntimeException> thrownByPolicy = Optional.empty();
  private int policiesShutDown;

  /** Fails all calls, without a connection. */
  private final class Failing implements LoadBalancer {
    private final Context context;

    Failing(Context context) {
      this.context = context;
    }

    @Override
    public void onResolved(Resolution.Resolved resolved) {
      context.updateState(ConnectivityState.TRANSIENT_FAILURE, Picker.failing(Status.UNAVAILABLE));
    }

    @Override
    public void onResolutionFailed(Status why) {}

    @Override
    public void exitIdle() {}

    @Override
    public void shutdown() {
      policiesShutDown++;
      if (thrownByPolicy.isPresent()) {
        throw thrownByPolicy.get();
      }
    }
  }

  private void assertEndsBy(Consumer<ManagedChannel> end) {
    policiesShutDown = 0;
    ManagedChannel channel = test.anotherChannel();
    TestCall call = new TestCall(channel.newCall(TestChannel.UNARY, CallOptions.DEFAULT)).start();
    assertThat(call.asks("request").status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    end.accept(channel);
    assertThat(channel.isTerminated()).isTrue();
    assertThat(policiesShutDown).isOne();
    assertThat(test.resolver.last().shutDown).isTrue();
  }

  private void assertEndsInAllWays() {
    test.policy = new OwnPolicy(Failing::new);
    assertEndsBy(ManagedChannel::shutdown);
    assertEndsBy(ManagedChannel::shutdownNow);
    assertEndsBy(ManagedChannel::close);
  }

  @Test
  void aChannelEndsWhateverTheShutdownOfItsPolicyThrows() {
    thrownByPolicy = Optional.of(new IllegalStateException("out of order"));
    assertEndsInAllWays();
  }

  @Test
  void aChannelEndsWhateverTheShutdownOfItsResolverThrows() {
    test.resolver.thrownByShutdown = Optional.of(new IllegalStateException("closed before"));
    assertEndsInAllWays();
  }
}
