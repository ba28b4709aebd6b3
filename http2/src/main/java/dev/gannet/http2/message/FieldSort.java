package dev.gannet.http2.message;

/** A kind of fields that the grammar treats alike. */
enum FieldSort implements FieldValidation {
  METHOD(0x01),
  SCHEME(0x02),
  PATH(0x04),
  AUTHORITY(0x08),
  STATUS(0x10),
  CONTENT_LENGTH(0x20),

  /** A regular field, but with a space or tab at the start or end of its value. */
  SPACED(0x40),
  REGULAR(0x80),

  /** A {@code host} that is not valid. */
  NO_HOST(0x100);

  /** Its bit in a set of kinds. */
  final int bit;

  FieldSort(int bit) {
    this.bit = bit;
  }
}
