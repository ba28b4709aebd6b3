package dev.gannet.api;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * Decompresses messages (PROTOCOL-HTTP2, Message-Encoding). For a {@link DecompressorRegistry}.
 * Must be safe for all threads.
 *
 * <p>Messages come from peers that may be hostile. How much is made of one is bounded by whoever
 * reads the stream; what the decompressor itself allocates it must bound.
 */
public interface Decompressor {
  /** No length is said. */
  long UNKNOWN = -1;

  /** The name of what it reads, as {@code grpc-encoding} says it: {@code zstd}, say. */
  String messageEncoding();

  /**
   * The message as it was before it was compressed. Its reader stops at the call's limit, and
   * closes the stream in any case.
   *
   * @param message between position and limit, of any kind of buffer; to be read only, and not to
   *     be used once the stream is closed
   * @throws IOException if it is malformed, here or from the stream; the call ends with {@code
   *     INTERNAL}
   */
  InputStream decompress(ByteBuffer message) throws IOException;

  /**
   * How long the message says that it will be, in bytes, as far as that is seen without work; or
   * {@link #UNKNOWN}. One that says it may not be longer. One that does not may become 64 times as
   * long as it came, or 4 KiB, whichever is more: who does not say what a message will cost cannot
   * make it cost much.
   */
  default long decompressedBytes(ByteBuffer message) {
    return UNKNOWN;
  }
}
