package dev.gannet.http2.hpack;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One header field: a name and a value, bytes held as the characters U+0000 to U+00FF.
 *
 * <p>Two fields are equal if their names and values are; {@link #indexing()} does not count. Names
 * are in lower case on the wire (RFC 9113 §8.2), which the caller must ensure and which is not
 * checked here.
 *
 * <p>Name, value and indexing never change, so a field may be shared. {@link #attachment} is
 * confined to one thread: a decoder never passes its fields to another connection, and a field made
 * by {@link #of} should not be asked for its attachment on two threads.
 */
public final class HeaderField {
  /** What RFC 7541 §4.1 adds to the bytes of each field. */
  static final int OVERHEAD_BYTES = 32;

  private static final int MAX_OCTET = 0xff;

  private final String name;
  private final String value;
  private final Indexing indexing;
  private @Nullable Object attachment;
  private @Nullable Object validation;

  /** Creates a field of strings already known to be Latin-1. */
  HeaderField(String name, String value, Indexing indexing) {
    this.name = name;
    this.value = value;
    this.indexing = indexing;
  }

  /** A field that may be indexed. */
  public static HeaderField of(String name, String value) {
    return of(name, value, Indexing.ALLOWED);
  }

  /**
   * A field with that indexing.
   *
   * @throws IllegalArgumentException if name or value has a character above U+00FF
   */
  public static HeaderField of(String name, String value, Indexing indexing) {
    requireOctets(name);
    requireOctets(value);
    return new HeaderField(name, value, Objects.requireNonNull(indexing));
  }

  /** Rejects what cannot be sent: its low bytes would be a different, perhaps hostile, text. */
  static void requireOctets(String text) {
    int all = 0;
    for (int i = 0; i < text.length(); i++) {
      all |= text.charAt(i);
    }
    if (all > MAX_OCTET) {
      throw new IllegalArgumentException("a header field holds only characters up to U+00FF");
    }
  }

  static int hash(String name, String value) {
    return 31 * name.hashCode() + value.hashCode();
  }

  public String name() {
    return name;
  }

  public String value() {
    return value;
  }

  /** How to index it; for a decoded field, how it arrived. */
  public Indexing indexing() {
    return indexing;
  }

  /** Bytes of name and value, plus 32 (RFC 7541 §4.1). */
  public int sizeBytes() {
    return name.length() + value.length() + OVERHEAD_BYTES;
  }

  /**
   * An object that a higher module derives from this field: created at the first call and cached in
   * the field, so once for each table entry and not once for each message. A field caches one such
   * object: a caller that asks for another type replaces it, and the next caller of the first type
   * creates it again.
   */
  public <T> T attachment(Class<T> type, Function<HeaderField, T> make) {
    Object known = attachment;
    if (type.isInstance(known)) {
      return type.cast(known);
    }
    T made = Objects.requireNonNull(make.apply(this));
    attachment = made;
    return made;
  }

  /**
   * The result of checking this field against HTTP's grammar ({@code http2.message}), cached like
   * {@link #attachment} but separately.
   */
  public <T> T validation(Class<T> type, Function<HeaderField, T> validate) {
    Object known = validation;
    if (type.isInstance(known)) {
      return type.cast(known);
    }
    T made = Objects.requireNonNull(validate.apply(this));
    validation = made;
    return made;
  }

  boolean is(String otherName, String otherValue) {
    return name.equals(otherName) && value.equals(otherValue);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof HeaderField field && is(field.name, field.value));
  }

  @Override
  public int hashCode() {
    return hash(name, value); // strings cache theirs
  }

  /** {@code name: value}, control characters escaped; secrets are not hidden. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(name.length() + value.length() + 2);
    escape(name, text);
    text.append(": ");
    escape(value, text);
    return text.toString();
  }

  private static void escape(String from, StringBuilder to) {
    for (int i = 0; i < from.length(); i++) {
      char c = from.charAt(i);
      if (Character.isISOControl(c)) {
        to.append("\\x").append(Character.forDigit(c >> 4, 16));
        to.append(Character.forDigit(c & 0xf, 16));
      } else {
        to.append(c);
      }
    }
  }
}
