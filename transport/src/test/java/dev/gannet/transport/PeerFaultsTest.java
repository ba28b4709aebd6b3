package dev.gannet.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every fault is counted, and few are logged. */
final class PeerFaultsTest {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final SocketAddress PEER = InetSocketAddress.createUnresolved("peer", 7);

  private final Logger logger = Logger.getLogger(PeerFaults.class.getName());
  private final Lines lines = new Lines();
  private long nowNanos = -5 * SECOND_NANOS;
  private final PeerFaults faults = new PeerFaults(() -> nowNanos);

  @BeforeEach
  void listen() {
    logger.addHandler(lines);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void listenNoMore() {
    logger.removeHandler(lines);
    logger.setUseParentHandlers(true);
  }

  @Test
  void aFaultIsOneLineThatNamesThePeerAndTheRule() {
    faults.report(PEER, "PROTOCOL_ERROR, PING on a stream");
    assertThat(lines.said)
        .singleElement()
        .asString()
        .contains("peer", "7", "PROTOCOL_ERROR, PING on a stream");
  }

  @Test
  void whatThePeerSaidIsEscapedAndNotCountedApart() {
    faults.report(PEER, "no handshake", "a\nb");
    faults.report(PEER, "no handshake", "c");
    assertThat(lines.said.getFirst()).contains("no handshake: a?b");
    assertThat(faults.counts()).isEqualTo(Map.of("no handshake", 2L));
  }

  @Test
  void eachFaultIsCounted() {
    reportTimes(3, "a");
    reportTimes(2000, "b");
    assertThat(faults.counts()).isEqualTo(Map.of("a", 3L, "b", 2000L));
  }

  @Test
  void tenLinesAtOnceAreTheMost() {
    reportTimes(2000, "a");
    assertThat(lines.said).hasSize(10);
  }

  @Test
  void laterALineASecondTellsWhatWasLeftOut() {
    reportTimes(110, "a");
    nowNanos += SECOND_NANOS;
    reportTimes(5, "a");
    assertThat(lines.said).hasSize(11);
    assertThat(lines.said.getLast()).contains("100 more");
  }

  @Test
  void afterAQuietTimeThereAreTenLinesAgain() {
    reportTimes(11, "a");
    nowNanos += 1000 * SECOND_NANOS;
    reportTimes(2000, "a");
    assertThat(lines.said).hasSize(20);
  }

  @Test
  void kindsOfFaultsAreBoundedToo() {
    for (int i = 0; i < 2000; i++) {
      faults.report(PEER, "fault " + i);
    }
    assertThat(faults.counts()).hasSizeLessThan(300);
    assertThat(faults.counts().values().stream().mapToLong(Long::longValue).sum()).isEqualTo(2000);
  }

  private void reportTimes(int times, String fault) {
    for (int i = 0; i < times; i++) {
      faults.report(PEER, fault);
    }
  }

  private static final class Lines extends Handler {
    private final List<String> said = new ArrayList<>();

    @Override
    public void publish(LogRecord line) {
      said.add(line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
