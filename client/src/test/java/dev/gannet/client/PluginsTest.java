package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.ForwardingNameResolverProvider;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.NoContext;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import dev.gannet.transport.FoundPlugins;
import dev.gannet.transport.http2.Http2Transport;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications bring resolvers and policies of their own: by the builder, and by ServiceLoader. */
final class PluginsTest {
  private static final String BOTH = "192.0.2.1:1,192.0.2.2:2";

  private final FakePipes pipes = new FakePipes();

  private ManagedChannelBuilder builder(String target) {
    return ManagedChannel.builder(target)
        .plaintext()
        .transport(Http2Transport.over(pipes))
        .directExecutor();
  }

  private static TestCall call(ManagedChannel channel) {
    return new TestCall(channel.newCall(TestChannel.UNARY, CallOptions.DEFAULT))
        .start()
        .asks("request");
  }

  /** Over HTTP/2 and through the front door: four calls, two on each of two connections. */
  private void assertBothAddressesInTurn(ManagedChannel channel) {
    call(channel);
    pipes.loop.runUntilIdle();
    assertThat(pipes.opened).hasSize(2);
    pipes.opened.forEach(FakePipe::becomesReady);
    assertThat(channel.state()).isEqualTo(ConnectivityState.READY);
    pipes.loop.runUntilIdle();
    List<Long> before = pipes.opened.stream().map(it -> it.writtenBytes).toList();
    call(channel);
    call(channel);
    pipes.loop.runUntilIdle();
    for (int i = 0; i < 2; i++) {
      assertThat(pipes.opened.get(i).writtenBytes).isGreaterThan(before.get(i));
    }
    channel.shutdownNow();
    pipes.loop.runUntilIdle();
    assertThat(channel.isTerminated()).isTrue();
    assertThat(pipes.opened).allMatch(it -> it.closed);
  }

  @Test
  void resolverAndPolicyOfTheBuilderAreUsed() {
    assertBothAddressesInTurn(
        builder("fixed:///" + BOTH)
            .addNameResolver(new FixedResolver.Provider("fixed"))
            .loadBalancer(new EveryAddressInTurn.Found())
            .overrideAuthority("fixed.example")
            .build());
  }

  @Test
  void resolversAndPoliciesAreFoundByServiceLoader() {
    ManagedChannel channel = builder("found:///" + BOTH).loadBalancer("round_robin").build();
    assertThat(channel.authority()).isEqualTo("found.example");
    assertBothAddressesInTurn(channel);
  }

  @Test
  void theLastResolverAddedToTheBuilderHasPriority() {
    ManagedChannel channel =
        ManagedChannel.builder("192.0.2.7", 7)
            .plaintext()
            .transport(Http2Transport.over(pipes))
            .addNameResolver(new Elsewhere("dns", "192.0.2.8:8"))
            .addNameResolver(new Elsewhere("dns", "192.0.2.9:9"))
            .build();
    call(channel);
    assertThat(pipes.opened.getFirst().address.toString()).contains("192.0.2.9:9");
    channel.shutdownNow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Consul", "1st", "a:b", "a/b", "höhe"})
  void aSchemeThatNoTargetHasIsRefused(String scheme) {
    NameResolverProvider provider = new Elsewhere(scheme, "192.0.2.8:8");
    assertThatThrownBy(() -> builder("x:///y").addNameResolver(provider))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("scheme() of " + Elsewhere.class.getName())
        .hasMessageContaining("returned '" + scheme + "'");
  }

  @Test
  void aResolverWithoutSchemeIsRefused() {
    NameResolverProvider provider = new Elsewhere(Nulls.none(), "192.0.2.8:8");
    assertThatThrownBy(() -> builder("x:///y").addNameResolver(provider))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("returned null");
  }

  @Test
  void aFoundResolverThatCannotBeUsedDoesNotHideTheOthers() {
    List<NameResolverProvider> found =
        List.of(
            new Elsewhere("Consul", "192.0.2.8:8"),
            new Elsewhere(Nulls.none(), "192.0.2.8:8"),
            new Elsewhere("good", "192.0.2.8:8"));
    Logger log = Logger.getLogger(FoundPlugins.class.getName());
    log.setLevel(Level.OFF);
    try {
      for (String target : List.of("good:///x", "dns:///x:1", "Consul:8500")) {
        Plugins.ResolvedTarget parsed = Plugins.targetOf(target, List.of(), found);
        assertThat(parsed.resolvers().scheme())
            .isEqualTo(target.equals("good:///x") ? "good" : "dns");
      }
    } finally {
      log.setLevel(null);
    }
  }

  @Test
  void aResolverThatDescribesTargetsWithNullIsRefused() {
    ManagedChannelBuilder builder =
        builder("fixed:///" + BOTH)
            .addNameResolver(
                new ForwardingNameResolverProvider(new FixedResolver.Provider("fixed")) {
                  @Override
                  public String describe(Target target) {
                    return Nulls.none();
                  }
                })
            .overrideAuthority("fixed.example");
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("describe(fixed:///" + BOTH + ")")
        .hasMessageContaining("returned null");
  }

  private record Elsewhere(String scheme, String address) implements NameResolverProvider {
    @Override
    public NameResolver create(Target target, NameResolver.Context context) {
      return new FixedResolver.Provider(scheme)
          .create(Target.parse(scheme + ":///" + address, scheme::equals), context);
    }
  }

  @Test
  void byDefaultNamesAreResolvedByDnsAndPickFirstIsUsed() {
    for (ManagedChannel channel :
        List.of(
            builder("two.test:5").build(),
            builder("dns:///two.test:5").loadBalancer("pick_first").build(),
            ManagedChannel.builder("two.test", 5)
                .plaintext()
                .transport(Http2Transport.over(pipes))
                .build())) {
      pipes.opened.clear();
      assertThat(channel.authority()).isEqualTo("two.test:5");
      assertThat(channel).hasToString("ManagedChannel(two.test:5)");
      call(channel);
      pipes.loop.runUntilIdle();
      FakePipe first = pipes.opened.getFirst();
      assertThat(first.address.toString()).contains("192.0.2.1:5");
      first.then.onFailed("refused");
      assertThat(pipes.opened.getLast().address.toString()).contains("192.0.2.2:5");
      channel.shutdownNow();
      assertThat(pipes.opened.getLast().takenBack).isTrue();
    }
  }

  @Test
  void anAddressWithAZoneIsATargetToo() {
    ManagedChannel channel =
        ManagedChannel.builder("::1%lo", 5)
            .plaintext()
            .transport(Http2Transport.over(pipes))
            .build();
    assertThat(channel.authority()).isEqualTo("[::1]:5");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ":80", "//host:80"})
  void anInvalidTargetIsRefusedAtOnce(String target) {
    assertThatThrownBy(() -> ManagedChannel.builder(target))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"unknown:///name", "host:http", "a:b:80", "found:///a b"})
  void aTargetWithoutAResolverIsRefusedWhenTheChannelIsBuilt(String target) {
    ManagedChannelBuilder builder =
        builder(target).addNameResolver(new FixedResolver.Provider("other"));
    if (target.startsWith("found")) { // its authority is what it is, whatever the path
      assertThat(builder.build().authority()).isEqualTo("found.example");
    } else {
      assertThatThrownBy(builder::build)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(target);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "xds:///svc, xds",
    "consul:svc, consul",
    "unix-abstract:x, unix-abstract",
    "vsock:1:2, vsock"
  })
  void aTargetWithAnUnknownSchemeIsRefusedByItsName(String target, String scheme) {
    assertThatThrownBy(builder(target)::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'" + target + "' is not a target (host:port, ")
        .hasMessageContaining("no resolver is registered for the scheme '" + scheme + "'");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "host:, the port '' is not a number",
        "host:65536, the port 65536 is not in 0 to 65535",
        "host:-1, the port -1 is not in 0 to 65535",
        "fe80::1, an IPv6 address must be in brackets",
        "fe80::1%eth0, an IPv6 address must be in brackets",
        "dns:///[::1]:/, the port '/' is not a number"
      })
  void aTargetWithAWrongPortOrAddressIsRefusedForThatOnly(String target, String reason) {
    assertThatThrownBy(builder(target)::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason)
        .message()
        .doesNotContain("no resolver is registered");
  }

  @Test
  void aNameInPlaceOfAPortMayBeTheFaultOfEither() {
    assertThatThrownBy(builder("host:http")::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no resolver is registered for the scheme 'host', and ")
        .hasMessageContaining("the port 'http' is not a number");
  }

  @Test
  void anAuthorityThatCannotBeSentIsRefused() {
    assertThatThrownBy(() ->
            builder("fixed:///a b").addNameResolver(new FixedResolver.Provider("fixed")).build())
        .hasMessageContaining("is not an authority");
  }

  @Test
  void anUnknownPolicyIsRefused() {
    assertThatThrownBy(() -> builder("a:1").loadBalancer("none"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unknown load-balancing policy 'none'; known are ")
        .hasMessageContaining(
            "pick_first, random_subsetting_experimental, ring_hash_experimental, round_robin");
  }

  @ParameterizedTest
  @ValueSource(strings = {"outlier_detection_experimental", "random_subsetting_experimental"})
  void aPolicyThatNeedsSettingsCannotBeChosenByItsName(String name) {
    String needsSettings = "the load-balancing policy " + name + " needs settings: use a provider";
    assertThatThrownBy(() -> builder("a:1").loadBalancer(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(needsSettings);
    LoadBalancerProvider known =
        LoadBalancerProvider.known().stream()
            .filter(it -> it.policyName().equals(name))
            .findFirst()
            .orElseThrow();
    assertThat(known).hasToString(name);
    assertThatThrownBy(() -> builder("a:1").loadBalancer(known))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(needsSettings);
  }

  @Test
  void policiesFoundByServiceLoaderHavePriorityOverBuiltInOnes() {
    List<LoadBalancerProvider> known = LoadBalancerProvider.known();
    assertThat(known)
        .extracting(LoadBalancerProvider::policyName)
        .isSorted()
        .doesNotHaveDuplicates()
        .contains("pick_first", "weighted_round_robin");
    assertThat(known).filteredOn(EveryAddressInTurn.Found.class::isInstance).hasSize(1);
  }

  @Test
  void tlsChecksTheHostOfAnEndpointsOwnAuthority() {
    ManagedChannel channel =
        builder("fixed:///192.0.2.1:1,192.0.2.2:1")
            .addNameResolver(new FixedResolver.Provider("fixed", "one.test:5"))
            .credentials(ChannelCredentials.tls())
            .overrideAuthority("channel.test")
            .build();
    call(channel);
    pipes.loop.runUntilIdle();
    assertThat(pipes.opened.getFirst().serverName).isEqualTo("one.test");
    channel.shutdownNow();
  }

  @Test
  void tlsChecksTheHostOfTheAuthority() {
    ManagedChannel channel = builder("two.test:5").credentials(ChannelCredentials.tls()).build();
    call(channel);
    pipes.loop.runUntilIdle();
    assertThat(pipes.opened.getFirst().serverName).isEqualTo("two.test");
    channel.shutdownNow();
    ManagedChannel other =
        builder("two.test:5")
            .credentials(ChannelCredentials.tls())
            .overrideAuthority("other.test")
            .build();
    call(other);
    pipes.loop.runUntilIdle();
    assertThat(pipes.opened.getLast().serverName).isEqualTo("other.test");
    other.shutdownNow();
  }

  @Test
  void aConnectionThatCannotBeStartedHasFailed() {
    ManagedChannel channel = builder("two.test:5").build();
    TestCall call = call(channel);
    pipes.loop.runUntilIdle();
    for (int i = 0; i < 2; i++) {
      FakePipe pipe = pipes.opened.get(i);
      assertThat(pipe.then.connectionLimits().handshakeNanos()).isPositive();
      assertThatThrownBy(() -> pipe.then.onOpen(Nulls.none()))
          .isInstanceOf(NullPointerException.class);
    }
    assertThat(call.text()).contains("the connection cannot be started");
    channel.shutdownNow();
  }

  @Test
  void providersHaveAPriority() {
    assertThat(new FixedResolver.Provider("fixed").priority()).isOne();
    assertThat(new EveryAddressInTurn.Found().priority()).isOne();
    assertThat(LoadBalancerProvider.pickFirst().policyName()).isEqualTo("pick_first");
    assertThat(new FixedResolver.Found().describe(Target.parse("found:x", "found"::equals)))
        .isEqualTo("found:x");
  }

  @Test
  void anAddressIsATargetThatNeedsNoResolver() {
    SocketAddress inet = InetSocketAddress.createUnresolved("name", 80);
    assertThat(Plugins.targetOf(inet).authority()).isEqualTo("name:80");
    SocketAddress file = UnixDomainSocketAddress.of("/run/service.sock");
    Plugins.ResolvedTarget target = Plugins.targetOf(file);
    assertThat(target.authority()).isEqualTo("localhost");
    assertThat(target.resolvers().describe(target.target())).isEqualTo("/run/service.sock");
    NameResolver resolver = target.resolvers().create(target.target(), new NoContext());
    List<Resolution> results = new ArrayList<>();
    resolver.refresh();
    resolver.start(results::add);
    resolver.refresh();
    resolver.shutdown();
    Resolution itself = Resolution.of(List.of(Endpoint.of(file)));
    assertThat(results).hasSize(2);
    assertThat(results.getFirst()).hasToString(itself.toString());
  }
}
