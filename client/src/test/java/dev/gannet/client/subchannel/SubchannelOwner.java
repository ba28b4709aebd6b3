package dev.gannet.client.subchannel;

import dev.gannet.api.Status;
import dev.gannet.client.TestChannel;
import dev.gannet.client.journal.ChannelJournal;
import dev.gannet.client.tasks.SerialTasks;
import java.util.ArrayList;
import java.util.List;

/** What a channel is to its subchannels, and how often they have told it something. */
final class SubchannelOwner implements ManagedSubchannel.Owner {
  final SerialTasks tasks = new SerialTasks("test:///name");
  final ConnectionHealth health;
  private final ChannelJournal journal = new ChannelJournal();
  private final PendingCalls pending;
  final List<Status> withoutBackoff = new ArrayList<>();
  int readies;
  int overs;

  SubchannelOwner(TestChannel test) {
    this(test, new PendingCalls());
  }

  /** A channel whose calls wait there. */
  SubchannelOwner(TestChannel test, PendingCalls pending) {
    this.pending = pending;
    this.health = new ConnectionHealth(test.settings());
  }

  @Override
  public SerialTasks tasks() {
    return tasks;
  }

  @Override
  public ConnectionHealth health() {
    return health;
  }

  @Override
  public int maxConnectionsPerSubchannel() {
    return 1;
  }

  @Override
  public ChannelJournal journal() {
    return journal;
  }

  @Override
  public PendingCalls pending() {
    return pending;
  }

  @Override
  public void onCannotBackOff(Status why) {
    withoutBackoff.add(why);
  }

  @Override
  public void onTransportReady() {
    readies++;
  }

  @Override
  public void onShutdown(ManagedSubchannel subchannel) {}

  @Override
  public void onOver(ManagedSubchannel subchannel) {
    overs++;
  }
}
