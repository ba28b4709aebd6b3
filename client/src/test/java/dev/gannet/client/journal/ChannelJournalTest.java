package dev.gannet.client.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallFailure;
import dev.gannet.api.Status;
import dev.gannet.client.TestResolver;
import org.junit.jupiter.api.Test;

/** What a channel remembers of the addresses that it cannot reach. */
final class ChannelJournalTest {
  private final ChannelJournal journal = new ChannelJournal();

  private CallFailure failure() {
    return journal.addTo(CallFailure.of(CallFailure.Attempt.of(Status.UNAVAILABLE)));
  }

  @Test
  void onlySomeAddressesAreNamedAndTheOthersAreCounted() {
    for (int i = 0; i < 20; i++) {
      journal.onConnectFailed(TestResolver.address(i), "refused");
    }
    assertThat(failure().addresses()).hasSize(16);
    assertThat(failure().addresses().getFirst().address()).isEqualTo(TestResolver.address(4));
    assertThat(failure().addresses().getLast().address()).isEqualTo(TestResolver.address(19));
    assertThat(failure().omittedAddresses()).isEqualTo(4);
  }

  @Test
  void anAddressThatFailsAgainIsCountedOnce() {
    for (int i = 0; i < 100; i++) {
      journal.onConnectFailed(TestResolver.address(i % 20), "refused");
    }
    assertThat(failure().omittedAddresses()).isEqualTo(4);
    journal.onConnectFailed(TestResolver.address(0), "timed out");
    assertThat(failure().addresses().getLast())
        .isEqualTo(CallFailure.AddressFailure.of(TestResolver.address(0), "timed out"));
    assertThat(failure().omittedAddresses()).isEqualTo(4);
  }

  @Test
  void anAddressThatIsForgottenIsNeitherNamedNorCounted() {
    for (int i = 0; i < 20; i++) {
      journal.onConnectFailed(TestResolver.address(i), "refused");
    }
    for (int i = 0; i < 4; i++) {
      journal.forgetFailures(TestResolver.address(i));
    }
    assertThat(failure().omittedAddresses()).isZero();
    journal.forgetFailures(TestResolver.address(19));
    assertThat(failure().addresses()).hasSize(15);
  }
}
