package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.Endpoint;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A ring is that of gRFC A42, computed here a second time and in the order of Envoy's steps:
 * clients of all languages must send a key to the same endpoint.
 */
final class HashRingTest {
  private static final int SEEDS = 500;
  private static final int RING_CAP = 4096;
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_3 = 0x165667B19E3779F9L;
  private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME_5 = 0x27D4EB2F165667C5L;

  /** An endpoint by the text that A42 hashes. */
  private record Host(String key, int weight, Endpoint endpoint) {}

  private record Entry(long hash, int endpoint) {}

  @Test
  void aRingIsThatOfA42() throws UnknownHostException {
    for (long seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<Host> hosts = hosts(random);
      int min = 1 + random.nextInt(random.nextBoolean() ? 5_000 : 100);
      int max = min + random.nextInt(random.nextBoolean() ? 5_000 : 100);
      HashRing ring =
          HashRing.of(
              hosts.stream().map(Host::endpoint).toList(),
              RingHashSettings.DEFAULT.withRingSizes(min, max));
      List<Entry> expected = expected(hosts, Math.min(min, RING_CAP), Math.min(max, RING_CAP));
      assertThat(ring.size()).as("seed %d: size", seed).isEqualTo(expected.size());
      assertThat(IntStream.range(0, ring.size()).map(ring::endpointAt).boxed().toList())
          .as("seed %d: endpoints by place", seed)
          .isEqualTo(expected.stream().map(Entry::endpoint).toList());
      assertHashes(ring, expected, seed);
    }
  }

  /** Each entry's hash is the last one that finds it. */
  private static void assertHashes(HashRing ring, List<Entry> expected, long seed) {
    int size = expected.size();
    List<Long> hashes = expected.stream().map(Entry::hash).toList();
    assertThat(hashes.stream().map(ring::find).toList())
        .as("seed %d: places by hash", seed)
        .isEqualTo(IntStream.range(0, size).boxed().toList());
    assertThat(hashes.stream().map(it -> ring.find(it + 1)).toList())
        .as("seed %d: places behind each hash", seed)
        .isEqualTo(IntStream.range(0, size).map(it -> (it + 1) % size).boxed().toList());
  }

  /** Some with keys of their own, some without; their weights are alike or far apart. */
  private static List<Host> hosts(SplittableRandom random) throws UnknownHostException {
    int heaviest = List.of(1, 5, 1_000, 1_000_000).get(random.nextInt(4));
    int count = 1 + random.nextInt(random.nextBoolean() ? 10 : 100);
    List<Host> hosts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int weight = 1 + random.nextInt(heaviest);
      byte[] ip = {10, (byte) random.nextInt(256), (byte) random.nextInt(256), (byte) i};
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getByAddress(ip), 1 + random.nextInt(65_535));
      Attributes attributes = Attributes.EMPTY;
      if (weight > 1 || random.nextBoolean()) {
        attributes = attributes.with(RingHashSettings.WEIGHT, weight);
      }
      String key = address.getAddress().getHostAddress() + ":" + address.getPort();
      if (random.nextBoolean()) {
        key = "é".repeat(random.nextInt(30)) + i;
        attributes = attributes.with(RingHashSettings.ENDPOINT_KEY, key);
      }
      hosts.add(new Host(key, weight, Endpoint.of(address).withAttributes(attributes)));
    }
    return hosts;
  }

  private static List<Entry> expected(List<Host> hosts, int minRingSize, int maxRingSize) {
    long sum = hosts.stream().mapToLong(Host::weight).sum();
    List<Double> shares = hosts.stream().map(it -> (double) it.weight() / sum).toList();
    double least = shares.stream().min(Comparator.naturalOrder()).orElseThrow();
    double scale = Math.min(Math.ceil(least * minRingSize) / least, maxRingSize);
    List<Entry> entries = new ArrayList<>();
    double target = 0;
    for (int i = 0; i < hosts.size(); i++) {
      target += scale * shares.get(i);
      for (int index = 0; entries.size() < target; index++) {
        entries.add(new Entry(xxh64(hosts.get(i).key() + "_" + index), i));
      }
    }
    entries.sort((one, other) -> Long.compareUnsigned(one.hash(), other.hash()));
    return entries;
  }

  /** XXH64 with seed 0, in the steps of its specification. */
  private static long xxh64(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long hash = PRIME_5;
    if (bytes.length >= 32) {
      long b = PRIME_2;
      long a = b + PRIME_1;
      long c = 0;
      long d = -PRIME_1;
      while (in.remaining() >= 32) {
        a = round(a, in.getLong());
        b = round(b, in.getLong());
        c = round(c, in.getLong());
        d = round(d, in.getLong());
      }
      hash = rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18);
      hash = merged(merged(merged(merged(hash, a), b), c), d);
    }
    return mixed(withRest(hash + bytes.length, in));
  }

  private static long withRest(long begun, ByteBuffer in) {
    long hash = begun;
    while (in.remaining() >= 8) {
      hash ^= round(0, in.getLong());
      hash = rotated(hash, 27) * PRIME_1 + PRIME_4;
    }
    if (in.remaining() >= 4) {
      hash ^= Integer.toUnsignedLong(in.getInt()) * PRIME_1;
      hash = rotated(hash, 23) * PRIME_2 + PRIME_3;
    }
    while (in.hasRemaining()) {
      hash ^= Byte.toUnsignedLong(in.get()) * PRIME_5;
      hash = rotated(hash, 11) * PRIME_1;
    }
    return hash;
  }

  private static long mixed(long begun) {
    long hash = begun;
    hash ^= hash >>> 33;
    hash *= PRIME_2;
    hash ^= hash >>> 29;
    hash *= PRIME_3;
    return hash ^ (hash >>> 32);
  }

  private static long round(long lane, long input) {
    return rotated(lane + input * PRIME_2, 31) * PRIME_1;
  }

  private static long merged(long hash, long lane) {
    return (hash ^ round(0, lane)) * PRIME_1 + PRIME_4;
  }

  private static long rotated(long value, int bits) {
    return (value << bits) | (value >>> (64 - bits));
  }
}
