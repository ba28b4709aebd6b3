package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.Status;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.protocol.MessageDeframer;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageFrame;
import dev.gannet.protocol.MessageSizeLimit;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.http2.HeldMessages.Memory;
import dev.gannet.transport.http2.HeldMessages.Progress;
import dev.gannet.transport.memory.MemoryLimiter;
import dev.gannet.transport.memory.ParsingTurns;
import dev.gannet.transport.memory.SpareArrays;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** The phases of the messages that one call receives, and what is counted in each. */
final class IncomingMessagesTest {
  private static final int MIB = 1 << 20;
  private static final int PREFIX = MessageFrame.PREFIX_BYTES;

  private PlayedConnection connection = new PlayedConnection();
  private Http2Stream stream = connection.openStream();
  private final Call call = new Call();
  private IncomingMessages messages = newMessages();

  /** A call that writes down what it is told. */
  private static final class Call implements ReceivingCall {
    final List<CallEvent> events = new ArrayList<>();
    final List<Status> ends = new ArrayList<>();
    boolean requested;
    int maxInboundMessageBytes = 16 * MIB;

    @Override
    public void add(CallEvent event) {
      events.add(event);
    }

    @Override
    public void touch() {}

    @Override
    public boolean isMessageRequested() {
      return requested;
    }

    @Override
    public int maxInboundMessageBytes() {
      return maxInboundMessageBytes;
    }

    @Override
    public MessageSizeLimit inboundLimit() {
      return MessageSizeLimit.OF_RECEIVED_RESPONSES;
    }

    @Override
    public void giveUp(Status why) {
      ends.add(why);
    }
  }

  /** Reads the length of a message; one of 13 bytes is malformed. */
  private enum Lengths implements Marshaller<Integer> {
    LENGTHS;

    @Override
    public void write(Integer message, MessageSink sink) {
      sink.reserve(0);
    }

    @Override
    public Integer parse(ByteBuffer bytes) {
      if (bytes.remaining() == 13) {
        throw new IllegalArgumentException("malformed");
      }
      return bytes.remaining();
    }
  }

  private IncomingMessages newMessages() {
    return new IncomingMessages(Lengths.LENGTHS, call, connection.receiving());
  }

  private void useBudget(int bytes) {
    connection = new PlayedConnection(MemoryLimiter.ofBytes(bytes));
    stream = connection.openStream();
    messages = newMessages();
  }

  private void headersHaveCome() {
    messages.expect(
        new MessageDeframer(
            MessageEncoding.IDENTITY,
            call.maxInboundMessageBytes(),
            MessageSizeLimit.OF_RECEIVED_RESPONSES,
            SpareArrays.SHARED));
    connection.pass.begin(0);
  }

  /** The first bytes of a message of that size. */
  private Optional<IncomingMessages.Fault> receive(int messageBytes, int arrivedBytes) {
    ByteBuffer data = ByteBuffer.allocate(PREFIX + arrivedBytes).put((byte) 0).putInt(messageBytes);
    return messages.onData(stream, data.rewind());
  }

  private Optional<IncomingMessages.Fault> receive(int messageBytes) {
    return receive(messageBytes, messageBytes);
  }

  private Status.Code codeOf(Optional<IncomingMessages.Fault> fault) {
    return fault.orElseThrow().status().code();
  }

  @Test
  void dataBeforeTheHeadersBreaksTheCall() {
    assertThat(codeOf(receive(1))).isEqualTo(Status.Code.INTERNAL);
  }

  @Test
  void aMessageIsHeldUntilItsReaderTakesIt() {
    headersHaveCome();
    assertThat(receive(100)).isEmpty();
    assertThat(call.events).hasSize(1);
    assertThat(((CallEvent.Message) call.events.getFirst()).<Integer>take(Lengths.LENGTHS))
        .isEqualTo(100);
    assertThat(connection.held.bytes()).isEqualTo(PREFIX + 100);
    messages.onTaken(PREFIX + 100);
    messages.countAnew();
    assertThat(connection.held.memoryBytes()).isZero();
  }

  @Test
  void aPartOfAMessageIsHeldButNotPassedOn() {
    headersHaveCome();
    receive(100, 40);
    assertThat(call.events).isEmpty();
    assertThat(messages.partBytes()).isEqualTo(PREFIX + 40);
    assertThat(connection.held.bytes()).isEqualTo(PREFIX + 40);
  }

  @Test
  void aReaderTellsTheLoopWhenItHasTakenEnoughOfMuch() {
    headersHaveCome();
    receive(IncomingMessages.HIGH_BACKLOG_BYTES);
    receive(100);
    connection.pipe.onLoop = false;
    messages.onTaken(PREFIX + 100);
    assertThat(connection.pipe.tasks).isEmpty();
    messages.onTaken(PREFIX + IncomingMessages.HIGH_BACKLOG_BYTES);
    assertThat(connection.pipe.tasks).hasSize(1);
    connection.pipe.runTasks();
    assertThat(connection.held.bytes()).isZero();
  }

  @Test
  void aSecondMessageBreaksACallThatHasOne() {
    messages.expectOne();
    headersHaveCome();
    assertThat(receive(1)).isEmpty();
    assertThat(codeOf(receive(100, 1))).isEqualTo(Status.Code.UNIMPLEMENTED);
    assertThat(call.events).hasSize(1);
  }

  @Test
  void aMessageThatCannotBeParsedBreaksItsCall() {
    headersHaveCome();
    assertThat(codeOf(receive(13))).isEqualTo(Status.Code.INTERNAL);
    assertThat(call.events).isEmpty();
  }

  @Test
  void anEndInsideAMessageBreaksTheCall() {
    headersHaveCome();
    receive(100);
    assertThat(messages.onEnd()).isEmpty();
    receive(100, 40);
    assertThat(messages.onEnd()).isPresent();
  }

  @Test
  void anEndBeforeTheHeadersBreaksNothing() {
    assertThat(messages.onEnd()).isEmpty();
  }

  @Test
  void largeMessagesNeedMemoryFromTheirFirstBytesOn() {
    useBudget(MIB);
    messages.refuseWithoutRoom();
    headersHaveCome();
    assertThat(receive(100_000, 0)).isEmpty();
    useBudget(MIB);
    messages.refuseWithoutRoom();
    headersHaveCome();
    Optional<IncomingMessages.Fault> fault = receive(8 * MIB, 0);
    assertThat(codeOf(fault)).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(fault.orElseThrow().lacksMemory()).isTrue();
  }

  @Test
  void evenTheLargestMessagesNeedMemoryFromTheirFirstBytesOn() {
    long budgetBytes = 8L << 30;
    MemoryLimiter budget = MemoryLimiter.ofBytes(budgetBytes);
    connection = new PlayedConnection(budget);
    stream = connection.openStream();
    MemoryLimiter.Share other =
        budget.join(connection.pipe.info().remoteAddress(), 0, new PlayedConnection.Unmoved());
    other.onServed(1, 0);
    other.report(budgetBytes - MIB, 0, 0);
    messages = newMessages();
    messages.refuseWithoutRoom();
    call.maxInboundMessageBytes = Integer.MAX_VALUE;
    headersHaveCome();
    assertThat(codeOf(receive(1000 * MIB, 0))).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }

  @Test
  void whenTheCallEndsPartsAreDropped() {
    headersHaveCome();
    receive(8000, 4000);
    messages.end(Unread.LEFT_TO_READER);
    assertThat(connection.held.memoryBytes()).isZero();
    assertThat(messages.partBytes()).isZero();
  }

  @Test
  void whatAnEndedCallHasLeftCountsUnlessItIsLittle() {
    headersHaveCome();
    receive(100);
    messages.end(Unread.LEFT_TO_READER);
    assertThat(connection.held.memoryBytes()).isZero();
    messages = newMessages();
    headersHaveCome();
    receive(4000);
    messages.end(Unread.LEFT_TO_READER);
    assertThat(connection.held.bytes()).isEqualTo(PREFIX + 4000);
  }

  @Test
  void unreadMessagesOfAnEndedCallTakeMemoryButBlockNobody() {
    headersHaveCome();
    receive(4000);
    messages.end(Unread.HELD_BY_HANDLER);
    assertThat(connection.held.bytes()).isZero();
    assertThat(connection.held.spareBytes()).isGreaterThanOrEqualTo(PREFIX + 4000);
    messages.end(Unread.DROPPED);
    assertThat(connection.held.memoryBytes()).isZero();
  }

  @Test
  void whatWasDroppedIsNotHeldByAHandlerAgain() {
    headersHaveCome();
    receive(4000);
    messages.end(Unread.DROPPED);
    messages.end(Unread.HELD_BY_HANDLER);
    assertThat(connection.held.memoryBytes()).isZero();
  }

  @Test
  void muchThatAHandlerHoldsBlocksOthers() {
    headersHaveCome();
    receive(5 * MIB);
    messages.end(Unread.HELD_BY_HANDLER);
    assertThat(connection.held.bytes()).isEqualTo(PREFIX + 5 * MIB);
  }

  /** What is missing of a message takes memory, too, until its call ends. */
  @Test
  void aPartThatIsDroppedDoesNotMakeTheRestMuch() {
    headersHaveCome();
    receive(4000);
    receive(15 * MIB, 9 * MIB);
    assertThat(connection.held.spareBytes()).isGreaterThan(4 * MIB);
    messages.end(Unread.HELD_BY_HANDLER);
    assertThat(connection.held.bytes()).isZero();
  }

  @Test
  void whatNobodyReadsCountsNoMore() {
    headersHaveCome();
    receive(4000);
    messages.end(Unread.DROPPED);
    assertThat(connection.held.memoryBytes()).isZero();
  }

  @Test
  void messagesThatNobodyTakesBetweenTwoChecksAreAbandoned() {
    headersHaveCome();
    receive(200_000);
    receive(100);
    messages.end(Unread.LEFT_TO_READER);
    assertThat(bytesAfterACheck()).isPositive();
    messages.onTaken(PREFIX + 100);
    assertThat(bytesAfterACheck()).isEqualTo(PREFIX + 200_000);
    assertThat(bytesAfterACheck()).isPositive();
    assertThat(bytesAfterACheck()).isZero();
    messages.end(Unread.DROPPED);
    assertThat(connection.held.memoryBytes()).isZero();
  }

  private long bytesAfterACheck() {
    connection.held.left().check(connection.pipe.info());
    return connection.held.bytes();
  }

  /** As a reader on a virtual thread, which takes turns with others. */
  private static int takenOnAVirtualThread(CallEvent event) throws Exception {
    FutureTask<Integer> taking =
        new FutureTask<>(() -> ((CallEvent.Message) event).<Integer>take(Lengths.LENGTHS));
    Thread.startVirtualThread(taking);
    return taking.get();
  }

  @Test
  void aLateReaderStillGetsMessagesThatDoNotCountAnyMore() throws Exception {
    headersHaveCome();
    receive(2_000_000);
    messages.end(Unread.LEFT_TO_READER);
    messages.countNoMore();
    assertThat(connection.held.memoryBytes()).isZero();
    assertThat(takenOnAVirtualThread(call.events.getFirst())).isEqualTo(2_000_000);
    messages.onTaken(PREFIX + 2_000_000);
    messages.end(Unread.DROPPED);
    assertThat(connection.held.memoryBytes()).isZero();
  }

  @Test
  void aReaderDoesNotGetMessagesThatItHasGivenUp() {
    headersHaveCome();
    receive(2_000_000);
    messages.end(Unread.LEFT_TO_READER);
    messages.end(Unread.DROPPED);
    assertThatThrownBy(() -> takenOnAVirtualThread(call.events.getFirst()))
        .hasRootCauseMessage(ParsingTurns.NOT_WANTED.toString());
  }

  @Test
  void anUnfinishedMessageStandsStillIfTwoChecksFindNothingNew() {
    headersHaveCome();
    receive(MIB, 4000);
    assertThat(check(Memory.ENOUGH)).isEqualTo(Progress.GOES_ON); // something has arrived before
    assertThat(check(Memory.ENOUGH)).isEqualTo(Progress.STOPPED);
    assertThat(check(Memory.ENOUGH)).isEqualTo(Progress.STANDS_STILL);
    assertThat(check(Memory.ENOUGH)).isEqualTo(Progress.STANDS_STILL);
    receiveMore(2000);
    assertThat(check(Memory.ENOUGH)).isEqualTo(Progress.GOES_ON);
    assertThat(check(Memory.ENOUGH)).isEqualTo(Progress.STOPPED);
  }

  private Progress check(Memory memory) {
    return messages.checkProgress(true, memory);
  }

  private void receiveMore(int bytes) {
    assertThat(messages.onData(stream, ByteBuffer.allocate(bytes))).isEmpty();
  }

  @Test
  void aPeerThatMayNotSendDoesNotStandStill() {
    headersHaveCome();
    receive(MIB, 4000);
    for (int check = 0; check < 4; check++) {
      assertThat(messages.checkProgress(false, Memory.ENOUGH)).isEqualTo(Progress.GOES_ON);
    }
  }

  @Test
  void whileMemoryIsScarceEvenASmallPartMustProgress() {
    headersHaveCome();
    receive(100, 1);
    for (int check = 0; check < 2; check++) {
      assertThat(check(Memory.ENOUGH)).isEqualTo(Progress.GOES_ON);
    }
    assertThat(check(Memory.SCARCE)).isEqualTo(Progress.STOPPED);
  }

  @Test
  void afterALongPassReadersParse() {
    headersHaveCome();
    connection.pipe.nowNanos = LoopPass.LONG_PASS_NANOS + 1;
    for (int i = 0; i < 3; i++) {
      assertThat(receive(16_000)).isEmpty();
    }
    assertThat(receive(13 << 5)).isEmpty();
    assertThat(call.events).hasSize(4);
    CallEvent.Message last = (CallEvent.Message) call.events.getLast();
    assertThat(last.<Integer>take(Lengths.LENGTHS)).isEqualTo(13 << 5);
  }

  @Test
  void whatTheAccountingDecidesReachesTheCall() {
    messages.giveUp(Status.RESOURCE_EXHAUSTED);
    assertThat(call.ends).containsExactly(Status.RESOURCE_EXHAUSTED);
  }
}
