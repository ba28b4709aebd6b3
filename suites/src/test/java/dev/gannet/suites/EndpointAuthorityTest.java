package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.client.ManagedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls are sent to the authority of their endpoint, if it has one of its own. */
final class EndpointAuthorityTest {
  private final HeldCalls held = new HeldCalls();

  private List<String> authoritiesOf(Simulation simulation, ManagedChannel channel, int calls) {
    for (int i = 0; i < calls; i++) {
      MadeCall.whole(channel, Texts.UNARY, CallOptions.DEFAULT, "a");
      simulation.run();
    }
    return held.all().stream().map(it -> it.call().context().authority()).toList();
  }

  @ParameterizedTest
  @EnumSource
  void serversAtOneAddressAreAskedByTheirOwnAuthorities(Medium medium) {
    Simulation simulation = new Simulation(medium).with(Texts.UNARY, held);
    simulation.serve();
    ManagedChannel channel = simulation.balancingOver("a.example", "b.example:5").build();
    assertThat(authoritiesOf(simulation, channel, 6)).contains("a.example", "b.example:5");
    channel.shutdownNow();
  }

  @ParameterizedTest
  @EnumSource
  void theAuthorityOfACallsOptionsComesFirst(Medium medium) {
    Simulation simulation = new Simulation(medium).with(Texts.UNARY, held);
    simulation.serve();
    ManagedChannel channel = simulation.balancingOver("a.example").build();
    CallOptions options = CallOptions.DEFAULT.withAuthority("call.example");
    MadeCall.whole(channel, Texts.UNARY, options, "a");
    simulation.run();
    assertThat(held.only().call().context().authority()).isEqualTo("call.example");
    channel.shutdownNow();
  }

  @ParameterizedTest
  @EnumSource
  void callCredentialsSeeTheAuthorityThatIsSent(Medium medium) {
    Simulation simulation = new Simulation(medium).with(Texts.UNARY, held);
    simulation.serve();
    ManagedChannel channel = simulation.balancingOver("a.example").build();
    List<String> audiences = new ArrayList<>();
    CallCredentials credentials =
        request -> {
          audiences.add(request.authority() + ", " + request.serviceUri());
          return CompletableFuture.completedFuture(new Metadata());
        };
    CallOptions options = CallOptions.DEFAULT.withCallCredentials(credentials.overPlaintext());
    MadeCall.whole(channel, Texts.UNARY, options, "a");
    MadeCall.whole(channel, Texts.UNARY, options.withAuthority("call.example"), "a");
    simulation.run();
    String service = Texts.UNARY.serviceName();
    assertThat(audiences)
        .containsExactly(
            "a.example, https://a.example/" + service,
            "call.example, https://call.example/" + service);
    assertThat(held.all())
        .extracting(it -> it.call().context().authority())
        .containsExactly("a.example", "call.example");
    channel.shutdownNow();
  }

  @ParameterizedTest
  @EnumSource
  void tracersOfAttemptsSeeTheAuthorityThatIsSent(Medium medium) {
    Simulation simulation = new Simulation(medium).with(Texts.UNARY, held);
    simulation.serve();
    TracedCalls traced = new TracedCalls();
    ManagedChannel channel = simulation.balancingOver("a.example").addTracer(traced).build();
    CallOptions ofCall = CallOptions.DEFAULT.withAuthority("call.example");
    MadeCall.whole(channel, Texts.UNARY, "a");
    MadeCall.whole(channel, Texts.UNARY, ofCall, "a");
    simulation.run();
    assertThat(traced.all())
        .extracting(it -> it.onlyAttempt().stream().authority())
        .containsExactly("a.example", "call.example");
    assertThat(traced.all())
        .extracting(it -> it.start.authority())
        .containsExactly("channel.example", "call.example");
    assertThat(traced.all())
        .allSatisfy(it -> {
          assertThat(it.onlyAttempt().stream().peer())
              .isEqualTo(held.all().getFirst().call().context().localAddress());
          assertThat(it.onlyAttempt().stream().sslSession()).isEmpty();
        });
    channel.shutdownNow();
  }

  @ParameterizedTest
  @EnumSource
  void anEndpointWithoutAnAuthorityHasThatOfTheChannel(Medium medium) {
    Simulation simulation = new Simulation(medium).with(Texts.UNARY, held);
    simulation.serve();
    ManagedChannel channel = simulation.balancingOver().build();
    assertThat(authoritiesOf(simulation, channel, 1)).containsExactly("channel.example");
    channel.shutdownNow();
  }
}
