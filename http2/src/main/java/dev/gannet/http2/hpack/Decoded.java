package dev.gannet.http2.hpack;

/** The result of decoding one header block: the list, or the reason why there is none. */
public sealed interface Decoded permits HeaderList, Decoded.TooLarge, Decoded.Broken {

  /**
   * The list exceeded one of this side's limits. Its block was decoded to its end, so the table is
   * correct and the next block can be decoded; only the stream is lost.
   *
   * @param sizeBytes the size of the whole list with 32 bytes added for each field (RFC 7541 §4.1),
   *     at most {@link Integer#MAX_VALUE}
   * @param fields how many fields the whole list had
   */
  record TooLarge(int sizeBytes, int fields) implements Decoded {}

  /**
   * The block breaks a rule of RFC 7541: COMPRESSION_ERROR for the connection (RFC 9113 §4.3).
   *
   * @param detail the broken rule, as a text that contains nothing from the peer
   */
  record Broken(String detail) implements Decoded {}
}
