package dev.gannet.http2.hpack;

/** How a field may be indexed, or how it was when it arrived (RFC 7541 §6.2). */
public enum Indexing {
  /** The field may enter the dynamic table: for fields that will be sent again. */
  ALLOWED,

  /** The field does not enter the table: for fields that change with every message. */
  SKIPPED,

  /** The field must not enter any table on its way, not even in intermediaries: a secret. */
  NEVER
}
