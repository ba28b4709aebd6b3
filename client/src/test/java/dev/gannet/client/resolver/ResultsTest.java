package dev.gannet.client.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What resolvers give is immutable, compares by what it holds, and can be added to. */
final class ResultsTest {
  private static final Attributes.Key<Integer> WEIGHT = Attributes.Key.of("weight");
  private static final SocketAddress ADDRESS = InetSocketAddress.createUnresolved("host", 1);

  @Test
  void attributesKeepTheLastValueOfEachKey() {
    Attributes one = Attributes.EMPTY.with(WEIGHT, 1);
    assertThat(one.with(WEIGHT, 2).get(WEIGHT)).hasValue(2);
    assertThat(one.get(WEIGHT)).hasValue(1);
    assertThat(one.get(Attributes.Key.of("weight"))).isEmpty();
    assertThat(one).isEqualTo(Attributes.EMPTY.with(WEIGHT, 1)).isNotEqualTo(Attributes.EMPTY);
    assertThat(one).hasSameHashCodeAs(Attributes.EMPTY.with(WEIGHT, 1)).isNotEqualTo("weight");
    assertThat(one).hasToString("{weight=1}");
  }

  @Test
  void attributesAreShownInTheOrderInWhichTheyWereAdded() {
    Attributes many = Attributes.EMPTY;
    for (String name : List.of("zone", "weight", "rack", "host", "generation")) {
      many = many.with(Attributes.Key.of(name), name.length());
    }
    assertThat(many).hasToString("{zone=4, weight=6, rack=4, host=4, generation=10}");
  }

  @Test
  void anEndpointIsItsAddressesAndAttributes() {
    Endpoint endpoint = Endpoint.of(ADDRESS);
    Endpoint heavy = endpoint.withAttributes(Attributes.EMPTY.with(WEIGHT, 9));
    assertThat(heavy.attributes().get(WEIGHT)).hasValue(9);
    assertThat(heavy.addresses()).containsExactly(ADDRESS);
    assertThat(endpoint).isEqualTo(Endpoint.of(List.of(ADDRESS))).isNotEqualTo(heavy);
    assertThat(endpoint).hasSameHashCodeAs(Endpoint.of(ADDRESS)).isNotEqualTo(ADDRESS);
    assertThat(endpoint).isNotEqualTo(Endpoint.of(List.of(ADDRESS, ADDRESS)));
    assertThat(endpoint).hasToString("[host/<unresolved>:1]");
    assertThat(heavy).hasToString("[host/<unresolved>:1] {weight=9}");
    assertThatThrownBy(() -> Endpoint.of(List.of())).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsNotChangedIsKept() {
    SocketAddress other = InetSocketAddress.createUnresolved("host", 2);
    Attributes heavy = Attributes.EMPTY.with(WEIGHT, 9);
    Endpoint endpoint = Endpoint.of(ADDRESS).withAuthority("a.example").withAttributes(heavy);
    assertThat(endpoint.withAddresses(List.of(other)))
        .isEqualTo(Endpoint.of(other).withAuthority("a.example").withAttributes(heavy));
    assertThatThrownBy(() -> endpoint.withAddresses(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    Resolution.Resolved result = Resolution.of(List.of(endpoint)).withAttributes(heavy);
    assertThat(result.withEndpoints(List.of()))
        .isEqualTo(Resolution.of(List.of()).withAttributes(heavy));
  }

  @Test
  void anEndpointIsSplitIntoItsAddressesForSubchannels() {
    SocketAddress other = InetSocketAddress.createUnresolved("host", 2);
    Attributes heavy = Attributes.EMPTY.with(WEIGHT, 9);
    Endpoint both = Endpoint.of(List.of(ADDRESS, other)).withAttributes(heavy);
    assertThat(both.perAddress())
        .containsExactly(
            Endpoint.of(ADDRESS).withAttributes(heavy), Endpoint.of(other).withAttributes(heavy));
    assertThat(both.perAddress().getLast().onlyAddress()).isEqualTo(other);
    assertThatThrownBy(both::onlyAddress)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("several addresses: [host/<unresolved>:1, host/<unresolved>:2]");
  }

  @Test
  void aResultIsEndpointsOrAFailure() {
    Resolution.Resolved plain = Resolution.of(List.of(Endpoint.of(ADDRESS)));
    Resolution.Resolved resolved = plain.withAttributes(Attributes.EMPTY.with(WEIGHT, 3));
    assertThat(resolved.attributes().get(WEIGHT)).hasValue(3);
    assertThat(plain).hasToString("Resolved[[host/<unresolved>:1]]");
    assertThat(resolved).hasToString("Resolved[[host/<unresolved>:1]] {weight=3}");
    assertThat(Resolution.failed(Status.UNAVAILABLE)).hasToString("Failed[UNAVAILABLE]");
    assertThatThrownBy(() -> Resolution.failed(Status.OK))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void resultsWithTheSameEndpointsAndAttributesAreEqual() {
    Resolution.Resolved resolved = Resolution.of(List.of(Endpoint.of(ADDRESS)));
    Resolution.Resolved heavy = resolved.withAttributes(Attributes.EMPTY.with(WEIGHT, 3));
    assertThat(resolved).isEqualTo(Resolution.of(List.of(Endpoint.of(ADDRESS))));
    assertThat(resolved).hasSameHashCodeAs(Resolution.of(List.of(Endpoint.of(ADDRESS))));
    assertThat(heavy).isEqualTo(resolved.withAttributes(Attributes.EMPTY.with(WEIGHT, 3)));
    assertThat(resolved).isNotEqualTo(heavy).isNotEqualTo(Endpoint.of(ADDRESS));
    assertThat(resolved).isNotEqualTo(Resolution.of(List.of()));
  }
}
