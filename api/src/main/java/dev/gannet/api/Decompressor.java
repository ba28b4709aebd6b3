package dev.gannet.api;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * Decompresses messages (PROTOCOL-HTTP2, Message-Encoding). For a {@link DecompressorRegistry}.
 * Must be safe for all threads.
 *
 * <p>Messages come from peers that may be hostile. The reader of the stream limits its length; a
 * decompressor has to limit the memory that it allocates itself. For applications to implement; new
 * methods will have a default.
 */
public interface Decompressor {
  /** The message does not state its length. */
  long UNKNOWN = -1;

  /** The name of the encoding in {@code grpc-encoding}, such as {@code zstd}. */
  String messageEncoding();

  /**
   * Decompresses the message. The reader stops at the limit of the call, and always closes the
   * stream.
   *
   * @param message between position and limit, of any kind of buffer; it must not be changed, and
   *     not be used after the stream was closed
   * @throws IOException if it is malformed, here or from the stream; the call ends with {@code
   *     INTERNAL}
   */
  InputStream decompress(ByteBuffer message) throws IOException;

  /**
   * The decompressed length in bytes that the message states, if it can be read without
   * decompressing; otherwise {@link #UNKNOWN}. A message that states its length must not be longer.
   * A message that does not may become 64 times its compressed size, or 4 KiB, whichever is more,
   * because its cost is not known in advance.
   */
  default long decompressedBytes(ByteBuffer message) {
    return UNKNOWN;
  }
}
