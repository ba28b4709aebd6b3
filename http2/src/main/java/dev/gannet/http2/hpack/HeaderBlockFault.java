package dev.gannet.http2.hpack;

/** The rules a header block can break. */
enum HeaderBlockFault {
  NONE("nothing is broken"),
  TRUNCATED("header block ends inside a field (RFC 7541 §5)"),
  INTEGER_TOO_LONG("integer of more than 5 octets (RFC 7541 §5.1)"),
  INTEGER_TOO_LARGE("integer above 2^28 (RFC 7541 §5.1)"),
  STRING_PAST_END("string runs past the end of its header block (RFC 7541 §5.2)"),
  HUFFMAN_EOS("EOS inside a Huffman string (RFC 7541 §5.2)"),
  HUFFMAN_PADDING_LONG("Huffman padding of more than 7 bits (RFC 7541 §5.2)"),
  HUFFMAN_PADDING_BITS("Huffman padding that is not all ones (RFC 7541 §5.2)"),
  INDEX_ZERO("index 0 (RFC 7541 §6.1)"),
  INDEX_PAST_TABLE("index past the end of the table (RFC 7541 §2.3.3)"),
  SIZE_UPDATE_LATE("table size update after a field (RFC 7541 §4.2)"),
  SIZE_UPDATE_MISSING("missing table size update after our smaller setting (RFC 9113 §4.3.1)"),
  SIZE_UPDATE_REPEATED("more than two table size updates in one block (RFC 7541 §4.2)"),
  SIZE_UPDATE_TOO_LARGE("table size update above our setting (RFC 7541 §6.3)");

  private final String detail;

  HeaderBlockFault(String detail) {
    this.detail = detail;
  }

  Decoded.Broken broken() {
    return new Decoded.Broken(detail);
  }
}
