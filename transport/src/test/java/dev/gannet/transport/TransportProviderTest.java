package dev.gannet.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.transport.EventLoops;
import org.junit.jupiter.api.Test;

/** Which transport channels and servers use that are given none, and what one does by default. */
final class TransportProviderTest {
  @Test
  void theUsableTransportWithTheHighestPriorityIsFound() {
    assertThat(TransportProvider.find()).isEqualTo(new FoundTransports.Chosen(2_000));
  }

  @Test
  void aTransportWithoutThreadsIgnoresEventLoops() {
    TransportProvider found = TransportProvider.find();
    assertThat(found.on(EventLoops.ofThreads(1))).isSameAs(found);
  }

  /** Credentials of a type that no transport knows. */
  private record Unknown() implements ChannelCredentials {}

  @Test
  void onlyTlsHasASecurityLevel() {
    TransportProvider found = TransportProvider.find();
    assertThat(found.securityLevel(ChannelCredentials.tls()))
        .isEqualTo(SecurityLevel.PRIVACY_AND_INTEGRITY);
    assertThat(found.securityLevel(ChannelCredentials.insecure())).isEqualTo(SecurityLevel.NONE);
    assertThat(found.securityLevel(new Unknown())).isEqualTo(SecurityLevel.NONE);
  }
}
