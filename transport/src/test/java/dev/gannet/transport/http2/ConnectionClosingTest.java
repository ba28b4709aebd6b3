package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.ErrorCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The states of closing: one GOAWAY, then the pipe, patiently or soon. */
final class ConnectionClosingTest {
  private final PlayedConnection connection = new PlayedConnection();
  private final PlayedPipe pipe = connection.pipe;
  private final ConnectionClosing closing = new ConnectionClosing(connection.http2, pipe);

  @BeforeEach
  void thePrefaceIsWritten() {
    pipe.takeWritten();
  }

  private void close() {
    closing.close(ErrorCode.NO_ERROR, "done");
  }

  private void closeSoon() {
    closing.closeSoon(ErrorCode.NO_ERROR, "done");
  }

  @Test
  void closingSendsAGoAwayAndClosesThePipe() {
    assertThat(closing.isOpen()).isTrue();
    close();
    assertThat(pipe.takeWritten()).isTrue();
    assertThat(pipe.orders).containsExactly("flush", "close");
    assertThat(closing.isOpen()).isFalse();
  }

  @Test
  void closingTwiceDoesNothingMore() {
    close();
    pipe.takeWritten();
    close();
    assertThat(pipe.takeWritten()).isFalse();
    assertThat(pipe.orders).containsExactly("flush", "close");
  }

  @Test
  void closingSoonOvertakesClosingWithPatience() {
    close();
    pipe.takeWritten();
    closeSoon();
    closeSoon();
    assertThat(pipe.takeWritten()).isFalse();
    assertThat(pipe.orders).containsExactly("flush", "close", "close soon");
  }

  @Test
  void nothingFollowsClosingSoon() {
    closeSoon();
    close();
    closing.closeAfterFailure();
    assertThat(pipe.orders).containsExactly("flush", "close soon");
  }

  @Test
  void aFailureSendsNoFrame() {
    closing.closeAfterFailure();
    assertThat(pipe.takeWritten()).isFalse();
    assertThat(pipe.orders).containsExactly("flush", "close soon");
    assertThat(closing.isOpen()).isFalse();
  }

  @Test
  void aGoAwayAloneLeavesThePipeOpen() {
    assertThat(closing.sendGoAway(ErrorCode.PROTOCOL_ERROR, "broken")).isTrue();
    assertThat(closing.sendGoAway(ErrorCode.PROTOCOL_ERROR, "broken")).isFalse();
    assertThat(pipe.orders).containsExactly("flush");
    closing.closeAfterFailure();
    assertThat(pipe.orders).containsExactly("flush", "close soon");
  }
}
