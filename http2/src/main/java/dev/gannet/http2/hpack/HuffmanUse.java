package dev.gannet.http2.hpack;

/** Where an encoder uses the Huffman code (RFC 7541 §5.2), if it makes a string shorter. */
public enum HuffmanUse {
  /**
   * For strings that enter the table: they are coded and decoded once. Other strings would be coded
   * by this side and decoded by the peer in each block, which costs more time than the saved bytes
   * are worth.
   */
  FOR_THE_TABLE,

  /** For all strings: only useful on a slow network. */
  ALWAYS
}
