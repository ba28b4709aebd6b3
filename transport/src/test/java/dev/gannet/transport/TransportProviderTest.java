package dev.gannet.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.transport.EventLoops;
import org.junit.jupiter.api.Test;

/** Which transport channels and servers use that are given none. */
final class TransportProviderTest {
  @Test
  void ofThoseThatCanWorkTheOneWithTheHighestPriorityIsFound() {
    assertThat(TransportProvider.find()).isEqualTo(new FoundTransports.Chosen(2_000));
  }

  @Test
  void aTransportWithoutThreadsStaysAsItIs() {
    TransportProvider found = TransportProvider.find();
    assertThat(found.on(EventLoops.ofThreads(1))).isSameAs(found);
  }
}
