package dev.gannet.http2.hpack;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An immutable, ordered list of header fields.
 *
 * <p>A list may be encoded by any number of connections. {@link #meaning} is confined to one
 * thread, as {@link HeaderField#meaning} is.
 */
public final class HeaderList implements Decoded, Iterable<HeaderField> {
  /** The list without fields. */
  public static final HeaderList EMPTY = new HeaderList(new HeaderField[0], 0);

  private final HeaderField[] fields;
  private final int sizeBytes;
  private @Nullable Object meaning;
  private @Nullable Object verdict;

  /** Keeps the array: the caller gives it away. */
  HeaderList(HeaderField[] fields, int sizeBytes) {
    this.fields = fields;
    this.sizeBytes = sizeBytes;
  }

  /** The list of these fields, in this order. */
  public static HeaderList of(HeaderField... fields) {
    return of(List.of(fields));
  }

  /** The list of these fields, in this order; the list passed in may change afterwards. */
  public static HeaderList of(List<HeaderField> fields) {
    if (fields.isEmpty()) {
      return EMPTY;
    }
    HeaderField[] copy = fields.toArray(HeaderField[]::new);
    long sizeBytes = 0;
    for (HeaderField field : copy) {
      sizeBytes += field.sizeBytes();
    }
    return new HeaderList(copy, Math.toIntExact(sizeBytes));
  }

  /** How many fields it has. */
  public int size() {
    return fields.length;
  }

  /**
   * The field at a place, counted from 0.
   *
   * @throws IndexOutOfBoundsException if there is no such place
   */
  public HeaderField field(int index) {
    return fields[index];
  }

  /** The sum of its fields' sizes, each with 32 octets added (RFC 9113 §6.5.2). */
  public int sizeBytes() {
    return sizeBytes;
  }

  /**
   * What a higher room made of this list: made on the first ask and kept with it. A decoder returns
   * the same list for a block it has seen before, so this is once for each distinct block while the
   * peer's table stands still. A list keeps one meaning: only one room may use it. A list without
   * fields keeps none.
   */
  public Object meaning(Function<HeaderList, Object> make) {
    Object known = meaning;
    if (known == null) {
      known = Objects.requireNonNull(make.apply(this));
      if (fields.length > 0) { // everybody shares the empty list
        meaning = known;
      }
    }
    return known;
  }

  /**
   * What the grammar of HTTP says of this list ({@code http2.message}), kept as {@link #meaning} is
   * and beside it.
   */
  public Object verdict(Function<HeaderList, Object> judge) {
    Object known = verdict;
    if (known == null) {
      known = Objects.requireNonNull(judge.apply(this));
      if (fields.length > 0) {
        verdict = known;
      }
    }
    return known;
  }

  @Override
  public Iterator<HeaderField> iterator() {
    return Arrays.asList(fields).iterator();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof HeaderList list && Arrays.equals(fields, list.fields));
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(fields);
  }

  @Override
  public String toString() {
    return Arrays.toString(fields);
  }
}
