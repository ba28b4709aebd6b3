package dev.gannet.services;

import dev.gannet.client.ChannelConnectionSnapshot;
import dev.gannet.client.ChannelObserver;
import dev.gannet.client.ChannelSnapshot;
import dev.gannet.client.ObservedChannel;
import dev.gannet.client.SubchannelSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.stream.Stream;

/** The channels that channelz shows: those that it observes. Safe for all threads. */
final class ShownChannels implements ChannelObserver {
  private final Set<ObservedChannel> channels = new CopyOnWriteArraySet<>();

  ShownChannels() {}

  @Override
  public void onBuilt(ObservedChannel channel) {
    channels.add(channel);
  }

  @Override
  public void onTerminated(ObservedChannel channel) {
    channels.remove(channel);
  }

  List<ChannelSnapshot> all() {
    return channels.stream().map(ObservedChannel::snapshot).toList();
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
