package dev.gannet.http2.connection;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.Excess;
import dev.gannet.http2.HeaderLimits;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Violation;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * A header block that is not complete yet: HEADERS came without END_HEADERS, and CONTINUATION
 * frames follow (RFC 9113 §6.10).
 *
 * <p>Limited in frames and in bytes. Reused for each block of a connection.
 */
final class HeaderAssembly {
  private static final byte[] NOTHING = {};

  private final Limits limits;
  private int streamId;
  private EndStream end = EndStream.NO;
  private byte[] block = NOTHING;
  private int blockBytes;
  private int continuations;

  HeaderAssembly(Limits limits) {
    this.limits = limits;
  }

  /** Whether a block has begun and not ended: no other frame is allowed now. */
  boolean isOpen() {
    return streamId != 0;
  }

  int streamId() {
    return streamId;
  }

  EndStream end() {
    return end;
  }

  Optional<Violation> begin(int streamId, EndStream end, ByteBuffer fragment) {
    this.streamId = streamId;
    this.end = end;
    return append(fragment);
  }

  Optional<Violation> add(ByteBuffer fragment) {
    continuations++;
    if (continuations > limits.headers().maxContinuations()) {
      return overLimit(
          Excess.CONTINUATIONS,
          "a header block has more than "
              + limits.headers().maxContinuations()
              + " CONTINUATIONs (maxContinuationFrames)");
    }
    if (!fragment.hasRemaining()) {
      return overLimit(Excess.CONTINUATIONS, "a CONTINUATION is empty");
    }
    return append(fragment);
  }

  /** The complete block; the assembly is free for the next one. */
  ByteBuffer take() {
    ByteBuffer whole = ByteBuffer.wrap(block, 0, blockBytes);
    streamId = 0;
    block = NOTHING;
    blockBytes = 0;
    continuations = 0;
    return whole;
  }

  private Optional<Violation> append(ByteBuffer fragment) {
    int bytes = fragment.remaining();
    if (isFarTooLong(blockBytes + bytes)) {
      return farTooLong();
    }
    block = Arrays.copyOf(block, blockBytes + bytes);
    fragment.get(block, blockBytes, bytes);
    blockBytes += bytes;
    return Optional.empty();
  }

  /** Whether a block of this many bytes closes the connection, whatever it contains. */
  boolean isFarTooLong(int bytes) {
    return bytes > HeaderLimits.FAR_OVER * limits.headers().maxListBytes();
  }

  Optional<Violation> farTooLong() {
    return overLimit(
        Excess.HEADERS,
        "a header block exceeds "
            + HeaderLimits.FAR_OVER
            + " times maxInboundMetadataBytes ("
            + limits.headers().maxListBytes()
            + ")");
  }

  /** The bytes that are kept of an incomplete block. */
  int keptBytes() {
    return blockBytes;
  }

  private static Optional<Violation> overLimit(Excess excess, String detail) {
    return Optional.of(new Violation.OverLimit(excess, detail));
  }
}
