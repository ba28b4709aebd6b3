package dev.gannet.services;

import dev.gannet.client.ChannelConnectionSnapshot;
import dev.gannet.client.ChannelSnapshot;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.SubchannelSnapshot;
import java.lang.ref.WeakReference;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The channels that channelz shows: those that were added, until they have terminated or were
 * garbage-collected. Safe for all threads.
 */
final class ShownChannels {
  /**
   * Weak references, so that a channel that is never closed can be garbage-collected and logged.
   */
  private final List<WeakReference<ManagedChannel>> channels = new CopyOnWriteArrayList<>();

  ShownChannels() {}

  void add(ManagedChannel channel) {
    Objects.requireNonNull(channel, "channel");
    channels.removeIf(it -> isOver(it.get()));
    channels.add(new WeakReference<>(channel));
  }

  private static boolean isOver(@Nullable ManagedChannel channel) {
    return channel == null || channel.isTerminated();
  }

  List<ChannelSnapshot> all() {
    channels.removeIf(it -> isOver(it.get()));
    Set<ManagedChannel> open = new LinkedHashSet<>();
    for (WeakReference<ManagedChannel> each : channels) {
      ManagedChannel channel = each.get();
      if (channel != null) {
        open.add(channel);
      }
    }
    return open.stream().map(ManagedChannel::snapshot).toList();
  }

  Optional<ChannelSnapshot> channel(long id) {
    return all().stream().filter(it -> it.id() == id).findAny();
  }

  private Stream<SubchannelSnapshot> subchannels() {
    return all().stream().flatMap(it -> it.subchannels().stream());
  }

  Optional<SubchannelSnapshot> subchannel(long id) {
    return subchannels().filter(it -> it.id() == id).findAny();
  }

  Optional<ChannelConnectionSnapshot> connection(long id) {
    return subchannels()
        .flatMap(it -> it.connections().stream())
        .filter(it -> it.id() == id)
        .findAny();
  }
}
