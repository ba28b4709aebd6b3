package dev.gannet.fuzz.targets;

import dev.gannet.http2.HeaderLimits;
import dev.gannet.http2.frame.Flags;
import dev.gannet.http2.frame.FrameHeader;
import dev.gannet.http2.frame.FrameType;
import dev.gannet.http2.hpack.HeaderBlock;
import dev.gannet.http2.hpack.HpackEncoder;
import dev.gannet.http2.hpack.Indexing;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * What a peer does on a connection, from an input: either bytes as they were recorded, or chunks
 * that are made into frames whose lengths are right, so that the fuzzer need not find them.
 *
 * <pre>
 *   a chunk:  what (1) | flags (1) | stream (1) | payload
 *     0 to 9   a frame of that type
 *     10       HEADERS: a good head, which one (1), then more fields as HPACK
 *     11       DATA with a message: how it is made (1) and its bytes, see {@link Messages}
 *     12       bytes as they are
 *     13       time goes by: how much (1)
 *     14       a frame whose length is wrong: type (1), length (3), payload
 *     15       a frame of an unknown type: type (1), payload
 * </pre>
 */
final class Script {
  /** One action of the peer. */
  sealed interface Step {
    /** Sends these bytes. */
    final class Says implements Step {
      private final byte[] bytes;

      Says(byte[] bytes) {
        this.bytes = bytes;
      }

      byte[] bytes() {
        return bytes;
      }
    }

    record Waits(Duration time) implements Step {}
  }

  private static final int HEAD = 10;
  private static final int MESSAGE = 11;
  private static final int BYTES = 12;
  private static final int WAIT = 13;
  private static final int WRONG_LENGTH = 14;
  private static final int UNKNOWN_TYPE = 15;
  private static final int UNFINISHED = 0x80; // a flag that HTTP/2 does not have

  /** Stream ids that a peer has no reason to use, for the largest octets. */
  private static final int[] ODD_STREAMS = {
    Integer.MAX_VALUE, Integer.MAX_VALUE - 1, Integer.MIN_VALUE, Integer.MIN_VALUE | 1, 100_001
  };

  private static final int FIRST_ODD_STREAM = 0x100 - ODD_STREAMS.length;

  private static final Duration[] WAITS = {
    Duration.ofNanos(1),
    Duration.ofMillis(1),
    Duration.ofMillis(100),
    Duration.ofSeconds(1),
    Duration.ofSeconds(11),
    Duration.ofSeconds(30),
    Duration.ofMinutes(2),
    Duration.ofHours(3)
  };

  private final List<byte[]> heads;

  /** Scripts in which these are the valid heads. */
  Script(List<byte[]> heads) {
    this.heads = heads;
  }

  /** The steps of chunks. */
  List<Step> ofChunks(List<byte[]> chunks) {
    return chunks.stream().map(this::ofChunk).toList();
  }

  private Step ofChunk(byte[] chunk) {
    Input in = new Input(chunk);
    int what = in.octet() & 15;
    int flags = in.octet();
    int streamId = streamId(in.octet());
    return switch (what) {
      case HEAD -> new Step.Says(head(in, flags, streamId));
      case MESSAGE ->
          new Step.Says(
              frame(FrameType.DATA, flags & ~Flags.PADDED, streamId, Messages.of(in.rest())));
      case BYTES -> new Step.Says(in.rest());
      case WAIT -> new Step.Waits(WAITS[in.octet() % WAITS.length]);
      case WRONG_LENGTH -> {
        int type = in.octet();
        int length = in.octet() << 16 | in.octet() << 8 | in.octet();
        yield new Step.Says(frame(type, flags, streamId, length, in.rest()));
      }
      case UNKNOWN_TYPE -> new Step.Says(frame(in.octet(), flags, streamId, in.rest()));
      default -> new Step.Says(frame(what, flags, streamId, in.rest()));
    };
  }

  private byte[] head(Input in, int flags, int streamId) {
    byte[] head = heads.get(in.octet() % heads.size());
    int end = Flags.has(flags, UNFINISHED) ? Flags.NONE : Flags.END_HEADERS;
    int kept = flags & Flags.END_STREAM;
    return frame(FrameType.HEADERS, kept | end, streamId, Bytes.join(head, in.rest()));
  }

  private static int streamId(int octet) {
    return octet < FIRST_ODD_STREAM ? octet : ODD_STREAMS[octet - FIRST_ODD_STREAM];
  }

  static byte[] frame(int type, int flags, int streamId, byte[] payload) {
    return frame(type, flags, streamId, payload.length, payload);
  }

  private static byte[] frame(int type, int flags, int streamId, int length, byte[] payload) {
    return ByteBuffer.allocate(FrameHeader.BYTES + payload.length)
        .putInt(length << 8 | type)
        .put((byte) flags)
        .putInt(streamId)
        .put(payload)
        .array();
  }

  /** The header block of these names and values in turn, without a change of the table. */
  static byte[] block(String... namesAndValues) {
    HpackEncoder encoder = new HpackEncoder(HeaderLimits.DEFAULT.tableBytes());
    HeaderBlock block = new HeaderBlock();
    encoder.begin(block);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      encoder.encode(namesAndValues[i], namesAndValues[i + 1], Indexing.SKIPPED, block);
    }
    return Arrays.copyOf(block.array(), block.length());
  }
}
