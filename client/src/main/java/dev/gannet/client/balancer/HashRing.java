package dev.gannet.client.balancer;

import dev.gannet.client.resolver.Endpoint;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Endpoints by index, several entries each, ordered by hash (gRFC A42). Immutable. */
final class HashRing {
  /** An entry of the ring. */
  private record Entry(long hash, int endpoint) {}

  private final List<Entry> entries;

  private HashRing(List<Entry> entries) {
    this.entries = entries;
  }

  /** The ring of these endpoints, at least one. */
  static HashRing of(List<Endpoint> endpoints, RingHashSettings settings) {
    double[] shares = sharesOf(endpoints);
    double least = Arrays.stream(shares).min().orElse(1);
    double scale =
        Math.min(Math.ceil(least * settings.minRingSize()) / least, settings.maxRingSize());
    List<Entry> entries = new ArrayList<>();
    double target = 0;
    for (int i = 0; i < endpoints.size(); i++) {
      target += scale * shares[i];
      String key = keyOf(endpoints.get(i));
      for (int copy = 0; entries.size() < target; copy++) {
        entries.add(new Entry(XxHash64.of(key + "_" + copy), i));
      }
    }
    entries.sort(Comparator.comparing(Entry::hash, Long::compareUnsigned));
    return new HashRing(List.copyOf(entries));
  }

  /**
   * Computed before they are scaled, as in other gRPC libraries: rounded differently, an entry
   * could belong to another endpoint than theirs.
   */
  private static double[] sharesOf(List<Endpoint> endpoints) {
    double[] weights = endpoints.stream().mapToDouble(HashRing::weightOf).toArray();
    double sum = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(it -> it / sum).toArray();
  }

  /** An endpoint that is listed several times has the sum of its weights (gRFC A42). */
  static List<Endpoint> merged(List<Endpoint> endpoints) {
    Map<EndpointKey, Endpoint> merged = new LinkedHashMap<>();
    for (Endpoint endpoint : endpoints) {
      merged.merge(EndpointKey.of(endpoint), endpoint, HashRing::withBothWeights);
    }
    return List.copyOf(merged.values());
  }

  private static Endpoint withBothWeights(Endpoint first, Endpoint same) {
    int sum = (int) (weightOf(first) + weightOf(same)); // at most the largest integer
    return first.withAttributes(first.attributes().with(RingHashSettings.WEIGHT, sum));
  }

  private static double weightOf(Endpoint endpoint) {
    return Math.max(1, endpoint.attributes().get(RingHashSettings.WEIGHT).orElse(1));
  }

  private static String keyOf(Endpoint endpoint) {
    return endpoint
        .attributes()
        .get(RingHashSettings.ENDPOINT_KEY)
        .filter(it -> !it.isEmpty())
        .orElseGet(() -> textOf(endpoint.addresses().getFirst()));
  }

  private static String textOf(SocketAddress address) {
    if (!(address instanceof InetSocketAddress inet)) {
      return address.toString();
    }
    String host = hostOf(inet);
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + inet.getPort();
  }

  private static String hostOf(InetSocketAddress address) {
    if (address.isUnresolved()) {
      return address.getHostString();
    }
    return address.getAddress() instanceof Inet6Address ipv6
        ? Ipv6Text.of(ipv6)
        : address.getAddress().getHostAddress();
  }

  /** The first entry with at least this hash; after the last entry follows the first. */
  int find(long hash) {
    int low = 0;
    int high = entries.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(entries.get(middle).hash(), hash) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low % entries.size();
  }

  /** The endpoint of an entry; indexes after the last one continue with the first. */
  int endpointAt(int place) {
    return entries.get(place % entries.size()).endpoint();
  }

  int size() {
    return entries.size();
  }
}
