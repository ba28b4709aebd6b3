package dev.gannet.client.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.TestResolver;
import org.junit.jupiter.api.Test;

/** What a channel remembers of the addresses that it cannot reach. */
final class ChannelJournalTest {
  @Test
  void onlySomeAddressesAreKept() {
    ChannelJournal journal = new ChannelJournal();
    for (int i = 0; i < 20; i++) {
      journal.onConnectFailed(TestResolver.address(i), "refused");
    }
    assertThat(journal.connectFailures()).hasSize(16);
    assertThat(journal.connectFailures().getFirst().address()).isEqualTo(TestResolver.address(4));
  }
}
