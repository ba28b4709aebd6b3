package dev.gannet.http2.hpack;

/** Where an encoder uses the Huffman code (RFC 7541 §5.2), if it makes a string shorter. */
public enum HuffmanUse {
  /**
   * For strings that enter the table: they are coded and read once. Others are coded by us and read
   * by the peer in each block, which costs both more time than the octets do that are saved.
   */
  FOR_THE_TABLE,

  /** For all strings: right only where the wire is slow. */
  ALWAYS
}
