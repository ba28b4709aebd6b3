package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.resolver.Resolution;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * What a channel runs on the thread of a handler does not see the call that is served there, unless
 * it belongs to a call that this handler makes.
 */
final class ForeignCallsTest {
  private final TestChannel test = new TestChannel();
  private final ServedCall served = new ServedCall(Optional.empty());
  private final ServedCall other = new ServedCall(Optional.empty());
  private final List<Optional<CallContext>> seen = new ArrayList<>();

  private void look() {
    seen.add(CallContext.current());
  }

  private FakeTransport connects(ServedCall by) {
    return by.makes(() -> test.dial().becomesReady());
  }

  @Test
  void aResolver() {
    served.makes(() -> test.call());
    assertThat(test.resolver.made).hasSize(1);
    served.makes(() -> test.channel().shutdownNow());
    assertThat(test.resolver.last().shutDown).isTrue();
    assertThat(test.resolver.currentCalls).isEmpty();
  }

  /** A {@code pick_first} that looks at each event. */
  private record Policy(LoadBalancer to, Runnable look) implements LoadBalancer {
    @Override
    public void onResolved(Resolution.Resolved resolved) {
      look.run();
      to.onResolved(resolved);
    }

    @Override
    public void onResolutionFailed(Status why) {
      look.run();
      to.onResolutionFailed(why);
    }

    @Override
    public void exitIdle() {
      look.run();
      to.exitIdle();
    }

    @Override
    public void shutdown() {
      look.run();
      to.shutdown();
    }
  }

  private record Policies(Runnable look) implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "looking";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      look.run();
      return new Policy(LoadBalancerProvider.pickFirst().create(context), look);
    }
  }

  @Test
  void aPolicy() {
    test.policy = new Policies(this::look);
    served.makes(() -> test.call());
    connects(served);
    assertThat(seen).hasSizeGreaterThan(1).containsOnly(Optional.empty());
  }

  @Test
  void aListenerForStates() {
    served.makes(() -> test.channel().watchState(now -> look()));
    served.makes(() -> test.call());
    connects(served);
    assertThat(seen).hasSizeGreaterThan(1).containsOnly(Optional.empty());
  }

  // Call credentials.

  private CompletionStage<Metadata> headers() {
    look();
    return CompletableFuture.completedStage(new Metadata());
  }

  private CallOptions looking() {
    return CallOptions.DEFAULT.withCallCredentials(request -> headers());
  }

  @Test
  void credentialsSeeTheCallForWhichTheirCallIsMade() {
    test.connected();
    served.makes(() -> test.call(looking()));
    assertThat(seen).containsExactly(Optional.of(served));
  }

  @Test
  void credentialsOfACallThatHasWaitedSeeTheCallForWhichItIsMade() {
    served.makes(() -> test.call(looking()));
    connects(other);
    assertThat(seen).containsExactly(Optional.of(served));
  }

  @Test
  void credentialsOfACallThatIsMadeForNoOtherSeeNone() {
    test.call(looking());
    connects(other);
    assertThat(seen).containsExactly(Optional.empty());
  }

  @Test
  void credentialsThatThrowAreReportedForTheirOwnCall() {
    CallCredentials throwing =
        request -> {
          throw Status.PERMISSION_DENIED.withDescription("not you").asException();
        };
    TestCall call =
        served.makes(() -> test.call(CallOptions.DEFAULT.withCallCredentials(throwing)));
    connects(other);
    assertThat(call.status().code()).isEqualTo(Status.Code.PERMISSION_DENIED);
  }

  @Test
  void theSecondOfTwoCredentialsSeesThatCallToo() {
    CompletableFuture<Metadata> first = new CompletableFuture<>();
    CallCredentials both = ((CallCredentials) request -> first).and(request -> headers());
    test.connected();
    served.makes(() -> test.call(CallOptions.DEFAULT.withCallCredentials(both)));
    test.call(CallOptions.DEFAULT.withCallCredentials(both));
    assertThat(seen).isEmpty();
    other.makes(() -> first.complete(new Metadata()));
    assertThat(seen).containsExactlyInAnyOrder(Optional.of(served), Optional.empty());
  }

  // A stream that becomes free.

  @Test
  void aCallThatStartsWhereAnotherEndsSeesNotTheOthersCall() {
    test.maxConnectionsPerSubchannel = 2;
    TestCall first = test.call();
    FakeTransport transport = test.dial().transport;
    test.dial().opens();
    test.dial().then.onMaxConcurrentStreams(1);
    test.dial().then.onReady();
    transport.stream().answers("answer");
    transport.stream().endsWith(Status.OK);
    assertThat(first.status()).isEqualTo(Status.OK);

    CallCredentials failing =
        request -> {
          CallContext.runDetached(test::call); // another thread's, which has to wait for a stream
          return CompletableFuture.failedStage(new IllegalStateException("no token"));
        };
    served.makes(() -> test.call(CallOptions.DEFAULT.withCallCredentials(failing)));
    assertThat(transport.streams).hasSize(2);
    assertThat(transport.currentCalls).containsOnly(Optional.empty());
  }
}
