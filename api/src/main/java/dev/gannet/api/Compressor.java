package dev.gannet.api;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Compresses messages, each on its own (PROTOCOL-HTTP2, Message-Encoding). For a {@link
 * CompressorRegistry}. Must be safe for all threads. For applications to implement; new methods
 * will have a default.
 */
public interface Compressor {
  /** The name of the encoding in {@code grpc-encoding}, such as {@code zstd}. */
  String messageEncoding();

  /**
   * Writes the compressed form of a message.
   *
   * @param message between position and limit, of any kind of buffer; it must not be changed or
   *     kept
   * @param to must not be closed
   * @throws IOException if it cannot be compressed; the call ends with {@code INTERNAL}
   */
  void compress(ByteBuffer message, OutputStream to) throws IOException;
}
