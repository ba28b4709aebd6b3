package dev.gannet.protocol;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.hpack.HeaderList;
import java.nio.ByteBuffer;

/**
 * Writes one response to its peer: headers once, data, and an end, which may be part of the
 * headers, part of the data, or trailers.
 */
public interface ResponseWriter {
  /** The encodings that the server knows. */
  MessageEncodings encodings();

  /** Whether headers were written. */
  boolean hasBegun();

  /**
   * Writes the headers.
   *
   * @param shared fields that other responses have, too: always the same object
   * @param own fields of this response only
   */
  void headers(HeaderList shared, HeaderList own, EndStream end);

  /** Queues content; the buffer belongs to the writer from now on. */
  void data(ByteBuffer bytes, EndStream end);

  /** Ends the response. */
  void trailers(HeaderList fields);
}
