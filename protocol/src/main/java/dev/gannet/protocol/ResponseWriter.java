package dev.gannet.protocol;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.hpack.HeaderList;
import java.nio.ByteBuffer;

/**
 * The way of one response to its peer: headers once, data, and an end, which may be that of the
 * headers, of the data, or trailers.
 */
public interface ResponseWriter {
  /** The encodings that the server knows. */
  MessageEncodings encodings();

  /** Whether headers were written. */
  boolean hasBegun();

  /**
   * Writes the headers.
   *
   * @param shared what other responses have, too: the same object each time
   * @param own what this response adds
   */
  void headers(HeaderList shared, HeaderList own, EndStream end);

  /** Queues content; the buffer is the writer's from now on. */
  void data(ByteBuffer bytes, EndStream end);

  /** Ends the response. */
  void trailers(HeaderList fields);
}
