package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.Limits;
import dev.gannet.http2.Violation;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.pipe.PipeListener;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records as they come, cut anyhow, with a TLS in their place that takes the seal for the text. */
final class TlsRecordsTest {
  private static final InetSocketAddress NOWHERE = InetSocketAddress.createUnresolved("nowhere", 1);
  private static final String TOO_MANY_EMPTY =
      "ENHANCE_YOUR_CALM too many EMPTY_TLS_RECORD: the limit is 30 at once and 600 per minute"
          + " (withOffenceRate)";
  private static final int AT_ONCE = 30;
  private static final int BEFORE_RUNS = 1024;
  private static final int IN_RUN = 32;
  private static final int KIB = 1 << 10;

  // RFC 8446 §5.1
  private static final int HEADER_BYTES = 5;
  private static final int ALERT = 21;
  private static final int HANDSHAKE = 22;
  private static final int APPLICATION_DATA = 23;

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final Promise<Void> handshake = ImmediateEventExecutor.INSTANCE.newPromise();
  private long nowNanos;
  private final TlsRecords records =
      new TlsRecords(
          handshake, () -> new TlsRecordFormat(0, false), Limits.DEFAULT, () -> nowNanos);
  private final Driver driver = new Driver();

  TlsRecordsTest() {
    NettyPipe pipe =
        new NettyPipe(channel, NettyEventLoops.Kind.nio(), new ConnectionInfo(NOWHERE, NOWHERE), 0);
    PipeHandler handler = new PipeHandler(pipe);
    channel.pipeline().addLast(records, new PlainTls(), records.plaintext(), handler);
    handler.drivenBy(driver);
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  /** Notes what comes and which rules were broken. */
  private static final class Driver implements PipeListener {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<String> faults = new ArrayList<>();

    @Override
    public void onBytes(ByteBuffer some) {
      while (some.hasRemaining()) {
        bytes.write(some.get());
      }
    }

    @Override
    public void onWireFault(Violation violation) {
      faults.add(violation.code() + " " + violation.detail());
    }

    @Override
    public void onBatchEnd() {}

    @Override
    public void onWritable() {}

    @Override
    public void onWake() {}

    @Override
    public void onClosed(String why) {}
  }

  /**
   * Keeps incomplete records as they arrived; of complete records, only application data is passed
   * on.
   */
  private static final class PlainTls extends InboundHandler {
    private final CompositeByteBuf held = Unpooled.compositeBuffer(Integer.MAX_VALUE);

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      held.addComponent(true, (ByteBuf) message);
      while (held.readableBytes() >= HEADER_BYTES
          && held.readableBytes() >= HEADER_BYTES + length()) {
        int type = held.getUnsignedByte(held.readerIndex());
        int length = length();
        held.skipBytes(HEADER_BYTES);
        ByteBuf content = held.readRetainedSlice(length);
        if (type == APPLICATION_DATA && length > 0) {
          context.fireChannelRead(content);
        } else {
          content.release();
        }
      }
      held.discardReadBytes();
    }

    private int length() {
      return held.getUnsignedShort(held.readerIndex() + HEADER_BYTES - 2);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
      held.release();
    }
  }

  private static ByteBuf record(int type, byte... content) {
    return Unpooled.buffer()
        .writeByte(type)
        .writeShort(0x0303)
        .writeShort(content.length)
        .writeBytes(content);
  }

  private void receive(ByteBuf... some) {
    channel.writeInbound((Object[]) some);
  }

  @Test
  void anEmptyRecordCountsForEachKibOfIt() {
    handshake.setSuccess(null);
    receive(record(ALERT, new byte[15 * KIB - 1]), record(ALERT, new byte[14 * KIB]));
    assertThat(driver.faults).isEmpty();
    receive(record(ALERT, new byte[1]));
    assertThat(driver.faults).containsExactly(TOO_MANY_EMPTY);
  }

  @Test
  void tenEmptyRecordsPerSecondAreAlwaysAllowed() {
    handshake.setSuccess(null);
    for (int i = 0; i < 10 * AT_ONCE; i++) {
      nowNanos += 100_000_000;
      receive(record(ALERT, new byte[2]));
    }
    assertThat(driver.faults).isEmpty();
  }

  @Test
  void bytesAfterARefusalAreDiscarded() {
    handshake.setSuccess(null);
    for (int i = 0; i <= AT_ONCE; i++) {
      receive(record(APPLICATION_DATA));
    }
    receive(record(APPLICATION_DATA), record(APPLICATION_DATA, new byte[100]));
    assertThat(driver.faults).containsExactly(TOO_MANY_EMPTY);
    assertThat(driver.bytes.size()).isZero();
  }

  @Test
  void aPassReadsAtMostAThousandRecords() {
    handshake.setSuccess(null);
    for (int i = 0; i < 1024; i++) {
      assertThat(records.mayReadOn()).isTrue();
      channel.writeOneInbound(record(APPLICATION_DATA, new byte[9]));
    }
    assertThat(records.mayReadOn()).isFalse();
    channel.flushInbound();
    assertThat(records.mayReadOn()).isTrue();
  }

  @Test
  void aHandshakeMayHaveAtMostAHundredRecords() {
    for (int i = 0; i < 100; i++) {
      receive(record(HANDSHAKE, new byte[100]));
    }
    assertThat(channel.isOpen()).isTrue();
    receive(record(HANDSHAKE, new byte[100]));
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void recordsOfTheHandshakeDoNotCountAfterIt() {
    for (int i = 0; i < 100; i++) {
      receive(record(HANDSHAKE, new byte[100]));
    }
    handshake.setSuccess(null);
    for (int i = 0; i < AT_ONCE; i++) {
      receive(record(ALERT, new byte[2]));
    }
    assertThat(driver.faults).isEmpty();
  }

  private void behaveWell() {
    for (int i = 0; i < BEFORE_RUNS; i++) {
      receive(record(APPLICATION_DATA, new byte[100]));
    }
  }

  /** Such a run counts as one; behind it each record counts again. */
  @Test
  void anHonestPeerMaySendOneRunOfEmptyRecords() {
    handshake.setSuccess(null);
    behaveWell();
    ByteBuf run = Unpooled.buffer();
    for (int i = 0; i < IN_RUN; i++) {
      run.writeByte(ALERT).writeInt(0x0303_0002).writeShort(0);
    }
    receive(run);
    for (int i = 1; i < AT_ONCE; i++) {
      receive(record(ALERT, new byte[2]));
    }
    assertThat(driver.faults).isEmpty();
    receive(record(ALERT, new byte[2]));
    assertThat(driver.faults).containsExactly(TOO_MANY_EMPTY);
  }

  @Test
  void recordsOfLengthZeroInOneReadAreEachCounted() {
    handshake.setSuccess(null);
    behaveWell();
    receive(record(APPLICATION_DATA));
    ByteBuf run = Unpooled.buffer();
    for (int i = 0; i < AT_ONCE; i++) {
      run.writeByte(APPLICATION_DATA).writeInt(0x0303_0000);
    }
    receive(run);
    assertThat(driver.faults).containsExactly(TOO_MANY_EMPTY);
  }

  @Test
  void tinyRecordsAreBoundedAndPaidBackByOthers() {
    handshake.setSuccess(null);
    for (int i = 0; i < 1000; i++) {
      receive(record(APPLICATION_DATA, new byte[8]));
    }
    receive(record(APPLICATION_DATA, new byte[9]));
    receive(record(APPLICATION_DATA, new byte[1]), record(APPLICATION_DATA, new byte[1]));
    assertThat(driver.faults).isEmpty();
    while (driver.faults.isEmpty()) {
      receive(record(APPLICATION_DATA, new byte[8]));
    }
    assertThat(driver.faults)
        .containsExactly(
            "ENHANCE_YOUR_CALM too many TINY_TLS_RECORD: the limit is 1000 at once and 6000 per"
                + " minute (withOffenceRate)");
  }

  /** As many empty ones as there may be, and others, wherever the network cuts them. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void recordsAreTheSameHoweverTheyAreCut(long seed) {
    handshake.setSuccess(null);
    Random random = new Random(seed);
    ByteBuf stream = Unpooled.buffer();
    ByteArrayOutputStream wanted = new ByteArrayOutputStream();
    for (int i = 0; i < BEFORE_RUNS + AT_ONCE; i++) {
      byte[] content = new byte[9 + random.nextInt(300)];
      random.nextBytes(content);
      wanted.writeBytes(content);
      stream.writeByte(APPLICATION_DATA).writeShort(0x0303).writeShort(content.length);
      stream.writeBytes(content);
      if (i >= BEFORE_RUNS) {
        stream.writeByte(APPLICATION_DATA).writeInt(0x0303_0000);
      }
    }
    while (stream.isReadable()) {
      int bytes = Math.min(stream.readableBytes(), 1 + random.nextInt(5000));
      receive(Unpooled.copiedBuffer(stream.readSlice(random.nextInt(4) == 0 ? 1 : bytes)));
    }
    stream.release();
    assertThat(driver.faults).as("seed %s", seed).isEmpty();
    assertThat(driver.bytes.toByteArray()).as("seed %s", seed).isEqualTo(wanted.toByteArray());
    receive(record(APPLICATION_DATA));
    assertThat(driver.faults).as("seed %s", seed).containsExactly(TOO_MANY_EMPTY);
  }
}
