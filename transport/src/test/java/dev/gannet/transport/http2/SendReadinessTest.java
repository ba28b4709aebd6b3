package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.Status;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.protocol.MessageSizeLimit;
import dev.gannet.transport.CallEventListener;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Calls that wait to send learn when others have sent enough. */
final class SendReadinessTest {
  private static final int MUCH = 256 << 10;

  private final PlayedConnection connection = new PlayedConnection();
  private final SendReadiness readiness = new SendReadiness(connection.sendQuota, connection.http2);

  /** A call that counts how often it may send again. */
  private static final class Call extends CallStream<Integer, CallEventListener> {
    int ready;

    Call(PlayedConnection connection) {
      super(connection.parts(), Nothing.AT_ALL, Nothing.AT_ALL);
      Http2Stream stream = connection.openStream();
      stream.attach(this);
      outgoing.standingBytes(stream);
    }

    @Override
    void onReady() {
      ready++;
    }

    @Override
    public int maxInboundMessageBytes() {
      return 0;
    }

    @Override
    public MessageSizeLimit inboundLimit() {
      return MessageSizeLimit.OF_RECEIVED_RESPONSES;
    }

    @Override
    public void giveUp(Status why) {}

    @Override
    public long deadlineNanos() {
      return DeadlineHeap.NEVER;
    }

    @Override
    public void onDeadline() {}
  }

  /** Of messages that there are none of. */
  private enum Nothing implements Marshaller<Integer> {
    AT_ALL;

    @Override
    public void write(Integer message, MessageSink sink) {
      sink.reserve(0);
    }

    @Override
    public Integer parse(ByteBuffer bytes) {
      return 0;
    }
  }

  @Test
  void aCallThatWaitedIsToldOnceWhenOthersHaveSent() {
    Call sending = new Call(connection);
    Call waiting = new Call(connection);
    sending.outgoing.add(ByteBuffer.allocate(MUCH));
    assertThat(waiting.outgoing.isReady()).isFalse();
    readiness.settle();
    assertThat(waiting.ready).isZero();
    sending.outgoing.onSent(MUCH);
    readiness.settle();
    readiness.settle();
    assertThat(waiting.ready).isEqualTo(1);
    assertThat(waiting.outgoing.isReady()).isTrue();
  }

  @Test
  void aCallThatDoesNotWaitIsNotTold() {
    Call sending = new Call(connection);
    Call idle = new Call(connection);
    sending.outgoing.add(ByteBuffer.allocate(MUCH));
    sending.outgoing.onSent(MUCH);
    readiness.settle();
    assertThat(idle.ready).isZero();
  }

  @Test
  void theEndOfACallMakesRoomAsWell() {
    Call ending = new Call(connection);
    Call waiting = new Call(connection);
    ending.outgoing.add(ByteBuffer.allocate(MUCH));
    assertThat(waiting.outgoing.isReady()).isFalse();
    ending.outgoing.stop();
    readiness.settle();
    assertThat(waiting.ready).isEqualTo(1);
  }
}
