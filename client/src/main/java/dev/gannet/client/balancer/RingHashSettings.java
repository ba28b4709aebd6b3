package dev.gannet.client.balancer;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.Preview;
import dev.gannet.client.resolver.Attributes;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The settings of {@code ring_hash} (gRFC A42 and A76). Immutable. */
@Preview(until = "0.3")
public final class RingHashSettings {
  /** Rings of 1,024 to 4,096 entries; calls are hashed by {@link #HASH_KEY}. */
  public static final RingHashSettings DEFAULT = new RingHashSettings(1024, 4096, Optional.empty());

  /**
   * Calls with the same text in this option go to the same endpoint; with an empty text, to any
   * endpoint.
   */
  public static final CallOptions.Key<String> HASH_KEY =
      CallOptions.Key.of("dev.gannet.ring-hash-key", "");

  /**
   * The weight of an endpoint, which determines its share of the ring; 1 by default. An endpoint
   * that is listed several times has the sum of its weights.
   */
  public static final Attributes.Key<Integer> WEIGHT = Attributes.Key.of("weight");

  /** The text by which an endpoint is hashed, instead of its first address (gRFC A61). */
  public static final Attributes.Key<String> ENDPOINT_KEY = Attributes.Key.of("hash_key");

  /** The maximum number of entries in a ring, because each costs memory. */
  private static final int LARGEST_RING = 4096;

  private static final int LARGEST_SETTING = 8_388_608;

  private final int minRingSize;
  private final int maxRingSize;
  private final Optional<Metadata.Key<String>> requestHashHeader;

  private RingHashSettings(
      int minRingSize, int maxRingSize, Optional<Metadata.Key<String>> requestHashHeader) {
    if (minRingSize < 1 || minRingSize > maxRingSize || maxRingSize > LARGEST_SETTING) {
      throw new IllegalArgumentException(
          "ring sizes must be 1 to %d, the smallest first: %d, %d"
              .formatted(LARGEST_SETTING, minRingSize, maxRingSize));
    }
    this.minRingSize = minRingSize;
    this.maxRingSize = maxRingSize;
    this.requestHashHeader = requestHashHeader;
  }

  /**
   * The minimum and maximum number of entries in a ring. More than 4,096 are reduced to 4,096.
   *
   * @throws IllegalArgumentException if one is below 1 or above 8,388,608, or the first above the
   *     second
   */
  public RingHashSettings withRingSizes(int min, int max) {
    return new RingHashSettings(min, max, requestHashHeader);
  }

  /**
   * Calls are hashed by this header; calls without it go to any endpoint.
   *
   * @throws IllegalArgumentException if it is not the name of a header, or ends with {@code -bin}
   */
  public RingHashSettings withRequestHashHeader(String name) {
    Metadata.Key<String> header = Metadata.Key.ascii(Objects.requireNonNull(name, "name"));
    return new RingHashSettings(minRingSize, maxRingSize, Optional.of(header));
  }

  /** These settings with those of a service config. */
  RingHashSettings with(ConfigFields config) {
    int min = config.integer("minRingSize", minRingSize, it -> it);
    int max = config.integer("maxRingSize", maxRingSize, it -> it);
    RingHashSettings read = withRingSizes(min, max);
    return config.text(
        "requestHashHeader",
        read,
        name -> name.isEmpty() ? read : read.withRequestHashHeader(name)); // "" is the default
  }

  /** The first size of {@link #withRingSizes}, 1 to 4,096 entries; 1,024 by default. */
  public int minRingSize() {
    return Math.min(minRingSize, LARGEST_RING);
  }

  /** The second size of {@link #withRingSizes}, 1 to 4,096 entries; 4,096 by default. */
  public int maxRingSize() {
    return Math.min(maxRingSize, LARGEST_RING);
  }

  /** The header by which calls are hashed; empty if it is {@link #HASH_KEY}. */
  public Optional<String> requestHashHeader() {
    return requestHashHeader.map(Metadata.Key::name);
  }

  /** The hash of a call; empty if it goes to any endpoint. */
  Optional<Long> hashOf(PickArgs call) {
    if (requestHashHeader.isPresent()) {
      var values = call.headers().getAll(requestHashHeader.get());
      return values.isEmpty()
          ? Optional.empty()
          : Optional.of(XxHash64.of(String.join(",", values)));
    }
    String key = call.options().option(HASH_KEY);
    return key.isEmpty() ? Optional.empty() : Optional.of(XxHash64.of(key));
  }

  private List<Object> values() {
    return List.of(minRingSize, maxRingSize, requestHashHeader.map(Metadata.Key::name));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RingHashSettings that && values().equals(that.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  @Override
  public String toString() {
    return "RingHashSettings[minRingSize=%d, maxRingSize=%d, requestHashHeader=%s]"
        .formatted(minRingSize, maxRingSize, requestHashHeader().orElse("unset"));
  }
}
