package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls of one hash go to one endpoint (gRFC A42, A76). */
final class RingHashTest {
  private final FakeChannel channel = new FakeChannel();
  private LoadBalancer policy =
      LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT).create(channel);

  private String picked(String key) {
    CallOptions options = CallOptions.DEFAULT.withOption(RingHashSettings.HASH_KEY, key);
    return FakeChannel.textOf(channel.pick(new Metadata(), options));
  }

  /** The endpoint of a key, once connected. */
  private String served(String key) {
    picked(key);
    channel.connected.stream()
        .filter(it -> !it.shutDown)
        .forEach(it -> it.is(SubchannelState.READY));
    return picked(key);
  }

  private void resolves(String... hosts) {
    policy.onResolved(FakeChannel.endpoints(hosts));
  }

  @ParameterizedTest
  @CsvSource({
    "'', ef46db3751d8e999",
    "a, d24ec4f1a98c6e5b",
    "abc, 44bc2cf5ad770999",
    "'Nobody inspects the spammish repetition', fbcea83c8a378bf1"
  })
  void theHashIsXxh64(String text, String hash) {
    assertThat(Long.toHexString(XxHash64.of(text))).isEqualTo(hash);
    assertThat(XxHash64.of(text.getBytes(StandardCharsets.UTF_8), 1))
        .isNotEqualTo(XxHash64.of(text));
  }

  @Test
  void nothingIsConnectedToBeforeACallNeedsIt() {
    resolves("a", "b", "c");
    assertThat(channel.state()).isEqualTo(ConnectivityState.IDLE);
    assertThat(channel.connected).isEmpty();
    assertThat(picked("key")).isEqualTo("wait");
    assertThat(channel.connected).hasSize(1);
    assertThat(channel.state()).isEqualTo(ConnectivityState.CONNECTING);
    assertThat(picked("key")).isEqualTo("wait");
    assertThat(channel.connected).hasSize(1);
  }

  @Test
  void aRequestConnectsToAnyEndpointUnlessOneIsConnectingOrReady() {
    Set<String> hosts = new HashSet<>();
    for (int seed = 0; seed < 30; seed++) {
      FakeChannel other = new FakeChannel(seed);
      LoadBalancer its = LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT).create(other);
      its.onResolved(FakeChannel.endpoints("a", "b", "c"));
      its.exitIdle();
      its.exitIdle();
      FakeAddress only = other.connected.getFirst();
      only.becomesReady();
      its.exitIdle();
      assertThat(other.connected).containsExactly(only);
      hosts.add(other.picked());
    }
    assertThat(hosts).containsExactlyInAnyOrder("a", "b", "c"); // and so clients differ
  }

  @Test
  void aKeyKeepsItsEndpointAndKeysAreDistributed() {
    resolves("a", "b", "c");
    Map<String, Integer> shares = new HashMap<>();
    for (int i = 0; i < 300; i++) {
      String host = served("key" + i);
      assertThat(picked("key" + i)).isEqualTo(host);
      shares.merge(host, 1, Integer::sum);
    }
    assertThat(shares.keySet()).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(shares.values()).allMatch(it -> it > 60);
  }

  @Test
  void fewKeysMoveWhenAnEndpointIsAdded() {
    resolves("a", "b", "c");
    List<String> before = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      before.add(served("key" + i));
    }
    resolves("a", "b", "c", "d");
    int moved = 0;
    for (int i = 0; i < 300; i++) {
      moved += served("key" + i).equals(before.get(i)) ? 0 : 1;
    }
    assertThat(moved).isBetween(40, 150); // a quarter, and as many as the ring's size shifts
  }

  @Test
  void aKeyGoesToTheNextEndpointWhileItsOwnFails() {
    resolves("a", "b");
    String own = served("key");
    String other = own.equals("a") ? "b" : "a";
    channel.of(own).is(SubchannelState.IDLE);
    picked("key");
    channel.of(own).fails("down");
    assertThat(picked("key")).isEqualTo("wait"); // the other connects
    channel.of(other).becomesReady();
    assertThat(picked("key")).isEqualTo(other);
    channel.of(own).is(SubchannelState.IDLE); // its backoff is over, and so it connects
    channel.of(own).becomesReady();
    assertThat(picked("key")).isEqualTo(own);
  }

  @Test
  void whenAllFailCallsFail() {
    resolves("a", "b");
    picked("key");
    channel.connected.getFirst().fails("down");
    assertThat(channel.state()).isEqualTo(ConnectivityState.CONNECTING);
    assertThat(channel.connected).hasSize(2); // recovers without calls
    channel.connected.getLast().fails("down, too");
    assertThat(channel.state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    assertThat(picked("key")).startsWith("UNAVAILABLE: cannot connect to target: down");
    assertThat(picked("")).startsWith("UNAVAILABLE");
  }

  @Test
  void callsCanBeHashedByAHeader() {
    policy =
        LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT.withRequestHashHeader("user"))
            .create(channel);
    resolves("a", "b", "c");
    Metadata.Key<String> user = Metadata.Key.ascii("user");
    Set<String> hosts = new HashSet<>();
    for (int i = 0; i < 60; i++) {
      Metadata headers = new Metadata();
      headers.add(user, "user" + i);
      channel.pick(headers);
      channel.connected.forEach(it -> it.is(SubchannelState.READY));
      String host = FakeChannel.textOf(channel.pick(headers));
      assertThat(FakeChannel.textOf(channel.pick(headers))).isEqualTo(host);
      hosts.add(host);
    }
    assertThat(hosts).hasSize(3);
  }

  @Test
  void callsWithoutAHashUseReadyEndpointsAndConnectOneMore() {
    resolves("a", "b", "c");
    assertThat(picked("")).isEqualTo("wait");
    assertThat(channel.connected).hasSize(1);
    assertThat(picked("")).isEqualTo("wait");
    assertThat(channel.connected).hasSize(1);
    channel.connected.getFirst().becomesReady();
    String ready = FakeChannel.textOf(Pick.use(channel.connected.getFirst()));
    for (int i = 0; i < 50; i++) {
      assertThat(picked("")).isEqualTo(ready);
    }
    assertThat(channel.connected).hasSize(2); // one at a time
  }

  @Test
  void callsWithoutAHashAreDistributedByTheRandomNumbersOfTheChannel() {
    List<String> first = pickedWithoutHash();
    assertThat(first).contains("a", "b", "c");
    assertThat(pickedWithoutHash()).isEqualTo(first);
  }

  private static List<String> pickedWithoutHash() {
    FakeChannel channel = new FakeChannel();
    LoadBalancer policy = LoadBalancerProvider.ringHash(RingHashSettings.DEFAULT).create(channel);
    policy.onResolved(FakeChannel.endpoints("a", "b", "c"));
    for (int i = 0; i < 3; i++) {
      channel.picked(20);
      channel.connected.forEach(it -> it.is(SubchannelState.READY));
    }
    return channel.picked(50);
  }

  @Test
  void theShareOfAnEndpointIsItsWeight() {
    Endpoint heavy = Endpoint.of(FakeChannel.at("a"));
    heavy = heavy.withAttributes(Attributes.EMPTY.with(RingHashSettings.WEIGHT, 3));
    HashRing ring =
        HashRing.of(List.of(heavy, Endpoint.of(FakeChannel.at("b"))), RingHashSettings.DEFAULT);
    assertThat(ring.size()).isEqualTo(1024);
    int[] places = new int[2];
    for (int i = 0; i < ring.size(); i++) {
      places[ring.endpointAt(i)]++;
    }
    assertThat(places).containsExactly(768, 256);
    assertThat(ring.find(-1)).isZero(); // behind the largest hash, unsigned, comes the first place
  }

  private static Endpoint weighted(String host, int weight) {
    return Endpoint.of(FakeChannel.at(host))
        .withAttributes(Attributes.EMPTY.with(RingHashSettings.WEIGHT, weight));
  }

  /** The endpoints of many keys. */
  private List<String> servedKeys() {
    return IntStream.range(0, 300).mapToObj(it -> served("key" + it)).toList();
  }

  @Test
  void anEndpointThatIsListedSeveralTimesHasTheSumOfItsWeights() {
    policy.onResolved(Resolution.of(List.of(weighted("a", 1), weighted("b", 2), weighted("a", 4))));
    List<String> listedTwice = servedKeys();
    assertThat(channel.connected).hasSize(2);
    assertThat(Collections.frequency(listedTwice, "a")).isGreaterThan(180); // five sevenths
    policy.onResolved(Resolution.of(List.of(weighted("a", 5), weighted("b", 2))));
    assertThat(servedKeys()).isEqualTo(listedTwice);
  }

  @Test
  void theSumOfWeightsHasNoOverflow() {
    int most = Integer.MAX_VALUE;
    List<Endpoint> merged = HashRing.merged(List.of(weighted("a", most), weighted("a", most)));
    assertThat(merged)
        .singleElement()
        .extracting(it -> it.attributes().get(RingHashSettings.WEIGHT))
        .isEqualTo(Optional.of(most));
  }

  @Test
  void settingsAreChecked() {
    RingHashSettings settings = RingHashSettings.DEFAULT.withRingSizes(1, 8_388_608);
    assertThat(settings.maxRingSize()).isEqualTo(4096);
    assertThat(settings.withRequestHashHeader("user").requestHashHeader()).hasValue("user");
    for (int[] bad : List.of(new int[] {0, 1}, new int[] {2, 1}, new int[] {1, 8_388_609})) {
      assertThatThrownBy(() -> settings.withRingSizes(bad[0], bad[1]))
          .hasMessageContaining("ring sizes");
    }
    assertThatThrownBy(() -> settings.withRequestHashHeader("user-bin"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aFailureToResolveFailsCallsOnlyIfNoEndpointsAreKnown() {
    policy.onResolutionFailed(Status.UNAVAILABLE.withDescription("unknown host"));
    assertThat(picked("key")).endsWith("unknown host");
    policy.onResolved(Resolution.of(List.of(Endpoint.of(FakeChannel.at("a")))));
    assertThat(served("key")).isEqualTo("a");
    policy.onResolutionFailed(Status.UNAVAILABLE);
    policy.exitIdle();
    assertThat(picked("key")).isEqualTo("a");
    policy.shutdown();
    assertThat(channel.of("a").shutDown).isTrue();
  }

  private static Endpoint keyed(String key, Endpoint endpoint) {
    return endpoint.withAttributes(endpoint.attributes().with(RingHashSettings.ENDPOINT_KEY, key));
  }

  /** Where the second of two endpoints first stands in the ring of both. */
  private static int placeOf(Endpoint endpoint) {
    Endpoint other = keyed("another", Endpoint.of(FakeChannel.at("other")));
    HashRing ring = HashRing.of(List.of(other, endpoint), RingHashSettings.DEFAULT);
    int place = 0;
    while (ring.endpointAt(place) != 1) {
      place++;
    }
    return place;
  }

  @Test
  void endpointsAreHashedByTheTextOfTheirFirstAddressOrByTheirKey() throws Exception {
    var ipv6 = new InetSocketAddress(InetAddress.getByName("2001:db8::1"), 80);
    var ipv4 = new InetSocketAddress(InetAddress.getByName("192.0.2.1"), 80);
    Map<String, SocketAddress> texts =
        Map.of(
            "[2001:db8::1]:80",
            ipv6,
            "192.0.2.1:80",
            ipv4,
            "name:80",
            InetSocketAddress.createUnresolved("name", 80),
            "/run/service.sock",
            UnixDomainSocketAddress.of("/run/service.sock"));
    texts.forEach((text, address) -> {
      Endpoint byAddress = Endpoint.of(address);
      Endpoint byText = keyed(text, Endpoint.of(FakeChannel.at("whatever")));
      assertThat(placeOf(byAddress)).as(text).isEqualTo(placeOf(byText));
      assertThat(placeOf(keyed("", byAddress))).as("empty key").isEqualTo(placeOf(byText));
    });
  }
}
