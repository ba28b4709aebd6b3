package dev.gannet.http2.hpack;

/** How a field may be compressed, or how it was when it arrived (RFC 7541 §6.2). */
public enum Indexing {
  /** The field may enter the dynamic table: right for what will be sent again. */
  ALLOWED,

  /** The field stays out of the table: right for what changes with every message. */
  SKIPPED,

  /** The field stays out of every table on its way, also behind intermediaries: a secret. */
  NEVER
}
