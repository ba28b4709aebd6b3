package dev.gannet.http2.hpack;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An immutable, ordered list of header fields: either all its own, or a few of its own and the rest
 * from a {@link HeaderPattern}.
 *
 * <p>A list may be encoded by any number of connections. {@link #attachment} is confined to one
 * thread, as {@link HeaderField#attachment} is.
 */
public abstract sealed class HeaderList implements Decoded, Iterable<HeaderField> {
  /** Marks a place without a field. */
  static final HeaderField VACANT = new HeaderField("", "", Indexing.ALLOWED);

  /** The list without fields. */
  public static final HeaderList EMPTY = whole(new HeaderField[0]);

  private final @Nullable HeaderPattern pattern;
  private @Nullable Object attachment;
  private @Nullable Object validation;

  private HeaderList(@Nullable HeaderPattern pattern) {
    this.pattern = pattern;
  }

  /** A list without a pattern. Keeps the array, which the caller must not use any more. */
  static HeaderList whole(HeaderField[] fields) {
    return new Many(null, fields);
  }

  /** A list of a pattern with as many open places. Keeps the array. */
  static HeaderList of(HeaderPattern pattern, HeaderField[] own) {
    return new Many(pattern, own);
  }

  /** A list of a pattern with two open places. */
  static HeaderList of(HeaderPattern pattern, HeaderField first, HeaderField second) {
    return new Few(pattern, first, second);
  }

  /** A list of a pattern with one open place. */
  static HeaderList of(HeaderPattern pattern, HeaderField own) {
    return new Few(pattern, own, VACANT);
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
    return whole(fields.toArray(HeaderField[]::new));
  }

  /** How many fields it has. */
  public int size() {
    return pattern == null ? ownCount() : pattern.size();
  }

  /**
   * The field at an index, counted from 0.
   *
   * @throws IndexOutOfBoundsException if there is no such index
   */
  public HeaderField field(int index) {
    if (pattern == null) {
      return own(index);
    }
    return pattern.isOpen(index) ? own(pattern.orderOf(index)) : pattern.field(index);
  }

  /** What it has in common with other lists, if it was decoded with a pattern. */
  public Optional<HeaderPattern> pattern() {
    return pattern == null ? Optional.empty() : pattern.itself();
  }

  /**
   * The field at the n-th open place of its pattern, counted from 0; without a pattern all places
   * are open.
   */
  public abstract HeaderField own(int order);

  /** How many fields are its own. */
  abstract int ownCount();

  /**
   * The sum of its fields' sizes, each with 32 bytes added (RFC 9113 §6.5.2).
   *
   * @throws ArithmeticException if it is more than 2^31-1
   */
  public int sizeBytes() {
    return pattern == null ? ownBytes() : Math.addExact(pattern.sizeBytes(), ownBytes());
  }

  int ownBytes() {
    int sum = 0;
    for (int i = 0; i < ownCount(); i++) {
      sum = Math.addExact(sum, own(i).sizeBytes());
    }
    return sum;
  }

  /**
   * An object that a higher module derives from this list: created at the first call and cached in
   * the list, as for a {@link HeaderField#attachment field}. A decoder returns the same list for a
   * block that it has seen before, so this is once for each distinct block while the peer's table
   * does not change. The empty list caches none.
   */
  public <T> T attachment(Class<T> type, Function<HeaderList, T> make) {
    Object known = attachment;
    if (type.isInstance(known)) {
      return type.cast(known);
    }
    T made = Objects.requireNonNull(make.apply(this));
    if (size() > 0) { // the empty list is shared by all threads
      attachment = made;
    }
    return made;
  }

  /**
   * The result of checking this list against HTTP's grammar ({@code http2.message}), cached like
   * {@link #attachment} but separately.
   */
  public <T> T validation(Class<T> type, Function<HeaderList, T> validate) {
    Object known = validation;
    if (type.isInstance(known)) {
      return type.cast(known);
    }
    T made = Objects.requireNonNull(validate.apply(this));
    if (size() > 0) { // the empty list is shared by all threads
      validation = made;
    }
    return made;
  }

  @Override
  public Iterator<HeaderField> iterator() {
    return fields().iterator();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof HeaderList list && fields().equals(list.fields()));
  }

  @Override
  public int hashCode() {
    return fields().hashCode();
  }

  @Override
  public String toString() {
    return fields().toString();
  }

  private List<HeaderField> fields() {
    List<HeaderField> fields = new ArrayList<>(size());
    for (int i = 0; i < size(); i++) {
      fields.add(field(i));
    }
    return Collections.unmodifiableList(fields);
  }

  /** A list with any number of own fields, in an array. */
  private static final class Many extends HeaderList {
    private final HeaderField[] own;
    private int ownBytes; // 0 until it is computed

    Many(@Nullable HeaderPattern pattern, HeaderField[] own) {
      super(pattern);
      this.own = own;
    }

    @Override
    int ownCount() {
      return own.length;
    }

    @Override
    int ownBytes() {
      int known = ownBytes;
      if (known == 0) {
        known = super.ownBytes();
        ownBytes = known;
      }
      return known;
    }

    @Override
    public HeaderField own(int order) {
      return own[order];
    }
  }

  /**
   * One or two own fields without an array: most lists of patterns have no more, and are not seen
   * again.
   */
  private static final class Few extends HeaderList {
    private final HeaderField first;
    private final HeaderField second;

    Few(HeaderPattern pattern, HeaderField first, HeaderField second) {
      super(pattern);
      this.first = first;
      this.second = second;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a peer may send an equal one
    int ownCount() {
      return second == VACANT ? 1 : 2;
    }

    @Override
    public HeaderField own(int order) {
      return order == 0 ? first : second;
    }
  }
}
