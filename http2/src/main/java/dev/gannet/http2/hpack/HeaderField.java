package dev.gannet.http2.hpack;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One header field: a name and a value, octets held as the characters U+0000 to U+00FF.
 *
 * <p>Two fields are equal when name and value are; {@link #indexing()} does not count. Names are in
 * lower case on the wire (RFC 9113 §8.2), which is the caller's duty and not checked here.
 *
 * <p>Name, value and indexing never change, so a field may be shared. {@link #attachment} is
 * confined to one thread: a decoder never gives its fields to another connection, and a field made
 * by {@link #of} should not be asked for its meaning on two of them.
 */
public final class HeaderField {
  /** What RFC 7541 §4.1 adds to the octets of each field. */
  static final int OVERHEAD_BYTES = 32;

  private static final int MAX_OCTET = 0xff;

  private final String name;
  private final String value;
  private final Indexing indexing;
  private @Nullable Object attachment;
  private @Nullable Object validation;

  /** Makes a field of strings already known to be Latin-1. */
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
   * A field to be compressed as told.
   *
   * @throws IllegalArgumentException if name or value has a character above U+00FF
   */
  public static HeaderField of(String name, String value, Indexing indexing) {
    requireOctets(name);
    requireOctets(value);
    return new HeaderField(name, value, Objects.requireNonNull(indexing));
  }

  /** Refuses what cannot be sent: its low octets would be a different, perhaps hostile, text. */
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

  /** How to compress it; for a decoded field, how it arrived. */
  public Indexing indexing() {
    return indexing;
  }

  /** Octets of name and value, and 32 (RFC 7541 §4.1). */
  public int sizeBytes() {
    return name.length() + value.length() + OVERHEAD_BYTES;
  }

  /**
   * What a higher module made of this field: made on the first ask and kept with it, so once for
   * each table entry and not once for each message. A field keeps one, the last: who asks for
   * another type makes it anew each time that somebody else has asked in between.
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
   * What the grammar of HTTP says of this field ({@code http2.message}), kept as {@link
   * #attachment} is and beside it.
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
    return hash(name, value); // strings keep theirs
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
