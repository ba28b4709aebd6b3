package dev.gannet.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.transport.Offence;
import dev.gannet.api.transport.PeerFault;
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
    faults.report(PeerFault.PROTOCOL_VIOLATION, PEER, "PROTOCOL_ERROR, PING on a stream");
    assertThat(lines.said)
        .singleElement()
        .asString()
        .contains("peer", "7", "PROTOCOL_ERROR, PING on a stream");
  }

  @Test
  void textOfThePeerIsEscapedAndDoesNotSplitTheCount() {
    faults.report(PeerFault.HANDSHAKE_FAILED, PEER, "the handshake did not complete", "a\nb");
    faults.report(PeerFault.HANDSHAKE_FAILED, PEER, "the handshake did not complete", "c");
    assertThat(lines.said.getFirst()).contains("the handshake did not complete: a?b");
    assertThat(faults.counts()).isEqualTo(Map.of(PeerFault.HANDSHAKE_FAILED, 2L));
  }

  @Test
  void eachFaultIsCounted() {
    reportTimes(3, PeerFault.TOO_SLOW);
    reportTimes(2000, PeerFault.ABUSE);
    faults.reportOfStream(PeerFault.STREAM_VIOLATION, PEER, "a rule");
    assertThat(faults.counts())
        .isEqualTo(
            Map.of(PeerFault.TOO_SLOW, 3L, PeerFault.ABUSE, 2000L, PeerFault.STREAM_VIOLATION, 1L));
  }

  @Test
  void abuseIsCountedByItsOffenceToo() {
    faults.reportAbuse(Offence.PING, PEER, "too many PING");
    faults.reportAbuse(Offence.PING, PEER, "too many PING");
    faults.reportAbuse(Offence.GOAWAY, PEER, "too many GOAWAY");
    faults.report(PeerFault.TOO_SLOW, PEER, "a rule");
    assertThat(faults.offences()).isEqualTo(Map.of(Offence.PING, 2L, Offence.GOAWAY, 1L));
    assertThat(faults.counts()).isEqualTo(Map.of(PeerFault.ABUSE, 3L, PeerFault.TOO_SLOW, 1L));
    assertThat(lines.said).hasSize(4).first().asString().contains("too many PING");
  }

  @Test
  void tenLinesAtOnceAreTheMost() {
    reportTimes(2000, PeerFault.ABUSE);
    assertThat(lines.said).hasSize(10);
  }

  @Test
  void laterOneLinePerSecondSaysHowManyWereOmitted() {
    reportTimes(110, PeerFault.ABUSE);
    nowNanos += SECOND_NANOS;
    reportTimes(5, PeerFault.ABUSE);
    assertThat(lines.said).hasSize(11);
    assertThat(lines.said.getLast()).contains("100 more");
  }

  @Test
  void afterAQuietTimeThereAreTenLinesAgain() {
    reportTimes(11, PeerFault.ABUSE);
    nowNanos += 1000 * SECOND_NANOS;
    reportTimes(2000, PeerFault.ABUSE);
    assertThat(lines.said).hasSize(20);
  }

  private void reportTimes(int times, PeerFault fault) {
    for (int i = 0; i < times; i++) {
      faults.report(fault, PEER, "a rule");
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
