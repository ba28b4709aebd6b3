package dev.gannet.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.hpack.HeaderBlock;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.HpackDecoder;
import dev.gannet.http2.hpack.HpackEncoder;
import dev.gannet.http2.hpack.Indexing;
import dev.gannet.http2.message.MessageFields;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a hostile peer can make a connection remember of its header lists. */
final class InboundHeadersRetainedTest {
  private static final int CONNECTIONS = 32;
  private static final int PATHS = 16;
  private static final int LISTS = 64;
  private static final long MAX_BYTES = 512 << 10;

  /** The peer makes each list mean something of its own, as much as it can. */
  @Test
  void memoryForParsedHeaderListsIsBounded() {
    assertThat(retainedBy(listsOfPatterns())).isLessThan(MAX_BYTES);
  }

  /** The same by blocks that are remembered, with lists that are too long for a pattern. */
  @Test
  void longListsAreNotKeptWithTheirBlocks() {
    assertThat(retainedBy(repeatedBlocks())).isLessThan(MAX_BYTES / 8);
  }

  /** The budget of all connections counts it, or a thousand idle ones would hide half a GiB. */
  @Test
  void retainedMemoryIsCounted() {
    for (List<ByteBuffer> blocks : List.of(listsOfPatterns(), repeatedBlocks())) {
      HpackDecoder decoder = decoder(blocks);
      assertThat((long) decoder.keptBytes()).isBetween(retainedBy(blocks) / 3, MAX_BYTES);
    }
  }

  private static long retainedBy(List<ByteBuffer> blocks) {
    List<HpackDecoder> decoders = new ArrayList<>();
    long before = usedBytes();
    for (int i = 0; i < CONNECTIONS; i++) {
      decoders.add(decoder(blocks));
    }
    long each = (usedBytes() - before) / CONNECTIONS;
    assertThat(decoders).hasSize(CONNECTIONS);
    return each;
  }

  private static HpackDecoder decoder(List<ByteBuffer> blocks) {
    HpackDecoder decoder = new HpackDecoder(4096, 8192, 100);
    blocks.forEach(block -> read(decoder, block.rewind()));
    return decoder;
  }

  /** Octet by octet, for no encoder of ours fills a table so. */
  private static List<ByteBuffer> repeatedBlocks() {
    List<ByteBuffer> blocks = new ArrayList<>();
    for (int i = 0; i < 3 * LISTS; i++) {
      ByteBuffer block = ByteBuffer.allocate(8192);
      block.put((byte) 0x83).put((byte) 0x86); // :method POST, :scheme http
      block.put((byte) 0x04); // :path, not indexed
      text(block, "/" + i / 3);
      if (i == 0) {
        block.put((byte) 0x5f); // content-type, indexed from now on
        text(block, "application/grpc+" + "f".repeat(3600));
        block.put((byte) 0x40);
        text(block, "x-bin");
        text(block, ",".repeat(254));
      } else {
        block.put((byte) 0xbf).put((byte) 0xbe);
      }
      for (int field = 0; field < 80; field++) {
        block.put((byte) 0x95); // age
      }
      blocks.add(block.flip());
    }
    return blocks;
  }

  private static void text(ByteBuffer block, String text) {
    int length = text.length();
    if (length < 0x7f) {
      block.put((byte) length);
    } else {
      block.put((byte) 0x7f);
      for (length -= 0x7f; length >= 0x80; length >>= 7) {
        block.put((byte) ((length & 0x7f) | 0x80));
      }
      block.put((byte) length);
    }
    block.put(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static List<ByteBuffer> listsOfPatterns() {
    HpackEncoder encoder = new HpackEncoder(4096);
    List<ByteBuffer> blocks = new ArrayList<>();
    for (int path = 0; path < PATHS; path++) {
      for (int list = 0; list < 2 * LISTS; list++) {
        HeaderBlock out = new HeaderBlock();
        encoder.begin(out);
        encoder.encode(":method", "POST", Indexing.ALLOWED, out);
        encoder.encode(":scheme", "http", Indexing.ALLOWED, out);
        encoder.encode(":path", "/" + path, Indexing.SKIPPED, out);
        encoder.encode(
            "content-type", "application/grpc+" + "f".repeat(1200), Indexing.ALLOWED, out);
        encoder.encode("x-bin", ",".repeat(254), Indexing.ALLOWED, out);
        encoder.encode("grpc-encoding", "e" + list % LISTS, Indexing.SKIPPED, out);
        blocks.add(ByteBuffer.wrap(out.array().clone(), 0, out.length()));
      }
    }
    return blocks;
  }

  private static void read(HpackDecoder decoder, ByteBuffer block) {
    HeaderList list = (HeaderList) decoder.decode(block);
    MessageFields.of(list);
    assertThat(RequestProtocols.GRPC.headOf(list)).isInstanceOf(RequestHead.Call.class);
  }

  private static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
