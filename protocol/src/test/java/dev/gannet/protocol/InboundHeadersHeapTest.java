package dev.gannet.protocol;

import static dev.gannet.http2.hpack.Indexing.ALLOWED;
import static dev.gannet.http2.hpack.Indexing.SKIPPED;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.gannet.http2.hpack.HeaderBlock;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.HpackDecoder;
import dev.gannet.http2.hpack.HpackEncoder;
import dev.gannet.http2.hpack.Indexing;
import dev.gannet.http2.message.MessageFields;
import dev.gannet.http2.message.MessagePart;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * What a request's header list costs on a warm connection, in bytes of heap: at most 160 if it has
 * a new timeout, from its octets to the metadata in the call's hands, the text of its own fields
 * included. A new trace id is longer, and metadata.
 */
final class InboundHeadersHeapTest {
  private static final int WARMING = 500;
  private static final int MEASURED = 10_000;
  private static final long MAX_BYTES = 160;

  /** 96 of them are the text of a trace id, 56 the call's metadata. */
  private static final long MAX_BYTES_WITH_TRACE_ID = 240;

  /** One object: the metadata that the call may change. */
  private static final long MAX_BYTES_OF_REPEATED = 40;

  /** Two: the list and the metadata. The field is known. */
  private static final long MAX_BYTES_OF_REPEATED_TIMEOUT = 72;

  private final HpackEncoder encoder = new HpackEncoder(4096);
  private int callsRead;

  @Test
  void aRepeatedListAllocatesOnlyItsMetadata() {
    assertThat(bytesEach(blocks(call -> writes(ALLOWED, "1S"))))
        .isLessThanOrEqualTo(MAX_BYTES_OF_REPEATED);
  }

  @Test
  void repeatedLiteralsAllocateNoMoreThanRepeatedListsDo() {
    String path = "049a626b2b22e92a126aa65f79509dc5b3b9885630535a7d5e1d147f";
    String type = "0f1010" + HexFormat.of().formatHex("application/grpc".getBytes(US_ASCII));
    byte[] block = HexFormat.of().parseHex(path + "8386" + type + "0f0d0135");

    assertThat(bytesEach(blocks(call -> block))).isLessThanOrEqualTo(MAX_BYTES_OF_REPEATED);
  }

  @Test
  void aTimeoutThatMovesTheTableEachTimeIsWithinTheBound() {
    assertThat(bytesEach(blocks(call -> writes(ALLOWED, nanos(call)))))
        .isLessThanOrEqualTo(MAX_BYTES);
  }

  @Test
  void aTimeoutThatStaysOutOfTheTableIsWithinTheBound() {
    assertThat(bytesEach(blocks(call -> writes(SKIPPED, nanos(call)))))
        .isLessThanOrEqualTo(MAX_BYTES);
  }

  @Test
  void aNewTraceIdInEachCallIsWithinItsOwnBound() {
    ByteBuffer[] blocks =
        blocks(call -> {
          HeaderBlock out = new HeaderBlock();
          encoder.begin(out);
          writesCall(out);
          encoder.encode("traceparent", "00-" + "%051x".formatted(call) + "-", ALLOWED, out);
          return Arrays.copyOf(out.array(), out.length());
        });
    assertThat(bytesEach(blocks)).isLessThanOrEqualTo(MAX_BYTES_WITH_TRACE_ID);
  }

  @Test
  void repeatedTimeoutsAllocateLess() {
    assertThat(bytesEach(blocks(call -> writes(ALLOWED, 999_950 + call % 7 + "u"))))
        .isLessThanOrEqualTo(MAX_BYTES_OF_REPEATED_TIMEOUT);
  }

  @Test
  void theFirstListOfAConnectionAllocatesMore() {
    ByteBuffer[] first = blocks(call -> new InboundHeadersHeapTest().writes(ALLOWED, "1S"));

    assertThat(bytesEach(first, this::newDecoder)).isGreaterThan(10 * MAX_BYTES);
  }

  private static String nanos(int call) {
    return 49_000_000 + call + "n";
  }

  private static ByteBuffer[] blocks(IntFunction<byte[]> written) {
    ByteBuffer[] blocks = new ByteBuffer[WARMING + MEASURED];
    Arrays.setAll(blocks, call -> ByteBuffer.wrap(written.apply(call)));
    return blocks;
  }

  private byte[] writes(Indexing ofTimeout, String timeout) {
    HeaderBlock out = new HeaderBlock();
    encoder.begin(out);
    writesCall(out);
    writesEntries(out);
    encoder.encode("grpc-timeout", timeout, ofTimeout, out);
    return Arrays.copyOf(out.array(), out.length());
  }

  private void writesCall(HeaderBlock out) {
    encoder.encode(":authority", "localhost:50051", ALLOWED, out);
    encoder.encode(":path", "/a.Service/Method", ALLOWED, out);
    encoder.encode(":method", "POST", ALLOWED, out);
    encoder.encode(":scheme", "http", ALLOWED, out);
    encoder.encode("content-type", "application/grpc", ALLOWED, out);
    encoder.encode("te", "trailers", ALLOWED, out);
    encoder.encode("user-agent", "a peer/1.0", ALLOWED, out);
  }

  private void writesEntries(HeaderBlock out) {
    for (int i = 0; i < 10; i++) {
      encoder.encode("entry-" + i, "the value of entry " + i, ALLOWED, out);
    }
    encoder.encode("id-bin", "AAECAwQFBgc", ALLOWED, out);
  }

  private HpackDecoder newDecoder() {
    return new HpackDecoder(4096, 8192, 100);
  }

  private long bytesEach(ByteBuffer[] blocks) {
    HpackDecoder decoder = newDecoder();
    return bytesEach(blocks, () -> decoder);
  }

  private long bytesEach(ByteBuffer[] blocks, Supplier<HpackDecoder> decoders) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < WARMING; i++) {
      read(decoders.get(), blocks[i]);
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = WARMING; i < blocks.length; i++) {
      read(decoders.get(), blocks[i]);
    }
    long after = threads.getCurrentThreadAllocatedBytes();
    assertThat(callsRead).isEqualTo(blocks.length);
    return (after - before) / MEASURED;
  }

  private void read(HpackDecoder decoder, ByteBuffer block) {
    if (decoder.decode(block) instanceof HeaderList list
        && MessageFields.of(list).flawAs(MessagePart.REQUEST).isEmpty()
        && RequestProtocols.GRPC.headOf(list) instanceof RequestHead.Call call
        && !call.metadata(list).isEmpty()) {
      callsRead++;
    }
  }
}
