package dev.gannet.http2.hpack;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What those header lists of one decoder have in common that have the same names in the same order
 * and the same pseudo-header fields: the fields that were always the same, and the open places,
 * where they were not.
 *
 * <p>A peer's calls of a method differ in one or two fields, a timeout or an id: objects derived
 * from the rest are created once. Confined to its decoder's thread.
 */
public final class HeaderPattern {
  /** As many as {@link #openPlaces} has bits, less one: {@link #MISFIT} has all bits set. */
  static final int MAX_FIELDS = Long.SIZE - 1;

  /** If a peer changes more fields from list to list, a pattern is of no use. */
  static final int MAX_OPEN = 8;

  /** Returned by {@link #difference} for a list of another pattern. */
  static final long MISFIT = -1;

  /** After this many lists, a pattern with open places is learnt again. */
  private static final int MAX_USES = 4096;

  private final long hash;
  private final HeaderField[] fields;
  private final long openPlaces;
  private final int[] bytesBefore;
  private final HeaderList closed; // all fields, if no place is open
  private final Optional<HeaderPattern> itself = Optional.of(this);
  private @Nullable Object attachment;
  private @Nullable Object validation;
  private int uses;
  private boolean used;

  /**
   * Keeps the array, which the caller must not use any more.
   *
   * @param openPlaces a bit for each open place, the lowest for the first
   */
  HeaderPattern(long hash, HeaderField[] fields, long openPlaces) {
    this.hash = hash;
    this.fields = fields;
    this.openPlaces = openPlaces;
    this.bytesBefore = new int[fields.length + 1];
    for (int i = 0; i < fields.length; i++) {
      bytesBefore[i + 1] = bytesBefore[i] + (isOpen(i) ? 0 : fields[i].sizeBytes());
      if (isOpen(i)) { // the value must not be kept
        fields[i] = new HeaderField(fields[i].name(), "", Indexing.SKIPPED);
      }
    }
    this.closed =
        openPlaces == 0 && fields.length > 0 ? HeaderList.whole(fields) : HeaderList.EMPTY;
  }

  /** How many fields the lists have. */
  public int size() {
    return fields.length;
  }

  /** Whether each list has a field of its own at that place. */
  public boolean isOpen(int index) {
    return (openPlaces >>> index & 1) != 0;
  }

  /** How many places are open, at most 8. */
  public int openCount() {
    return Long.bitCount(openPlaces);
  }

  /** Which of a list's own fields is at an open place. */
  public int orderOf(int index) {
    return Long.bitCount(openPlaces & ((1L << index) - 1));
  }

  /** The field at a place; at an open one only its name counts. */
  public HeaderField field(int index) {
    return fields[index];
  }

  /**
   * An object that a higher module derives from this pattern: created at the first call and cached
   * in the pattern, as for a {@link HeaderField#attachment field}.
   */
  public <T> T attachment(Class<T> type, Function<HeaderPattern, T> make) {
    Object known = attachment;
    if (type.isInstance(known)) {
      return type.cast(known);
    }
    T made = Objects.requireNonNull(make.apply(this));
    attachment = made;
    return made;
  }

  /**
   * The result of checking this pattern against HTTP's grammar ({@code http2.message}), cached like
   * {@link #attachment} but separately.
   */
  public <T> T validation(Class<T> type, Function<HeaderPattern, T> validate) {
    Object known = validation;
    if (type.isInstance(known)) {
      return type.cast(known);
    }
    T made = Objects.requireNonNull(validate.apply(this));
    validation = made;
    return made;
  }

  /** The size of the fields that all lists share. */
  int sizeBytes() {
    return bytesBefore[fields.length];
  }

  /** The size of the shared fields that precede a place. */
  int bytesBefore(int index) {
    return bytesBefore[index];
  }

  /**
   * Compares indexes in a block with what is expected.
   *
   * @return how many bytes from {@code from} on are the indexes of the fields at the places from
   *     {@code index} on
   */
  int matching(int index, byte[] octets, int from, int end, FieldTable table) {
    int most = Math.min(fields.length - index, end - from);
    int matching = 0;
    while (matching < most && table.isIndexOf(octets[from + matching], fields[index + matching])) {
      matching++;
    }
    return matching;
  }

  /** Whether a field may stand at an open place. */
  boolean isOpenFor(int index, HeaderField field) {
    return index < fields.length && isOpen(index) && fields[index].name().equals(field.name());
  }

  /**
   * Whether it has no open place before {@code size}, nor has the other, and the fields there are
   * theirs.
   */
  @SuppressWarnings("ReferenceEquality") // an equal field may have been added in another way
  boolean goesOn(HeaderPattern other, int size, HeaderField then) {
    if (size >= fields.length || fields[size] != then) {
      return false;
    }
    long before = (1L << size) - 1;
    boolean same = ((openPlaces | other.openPlaces) & before) == 0;
    for (int i = 0; i < size && same; i++) {
      same = fields[i] == other.fields[i];
    }
    return same;
  }

  /**
   * Whether lists should use this pattern; otherwise they have no pattern, or it is learnt again.
   */
  boolean isUseful() {
    return openCount() <= MAX_OPEN && !isWornOut();
  }

  /**
   * Whether it must be learnt again, because what differed long ago may have been the same since.
   */
  boolean isWornOut() {
    return uses >= MAX_USES;
  }

  /** A list with this pattern has arrived. */
  void use() {
    uses++;
  }

  /** This pattern has been used since the last {@link #takeUsed}. */
  void markUsed() {
    if (!used) {
      used = true;
    }
  }

  /** Whether it has been used since the last call of this. */
  boolean takeUsed() {
    boolean was = used;
    if (was) { // the empty pattern is shared, and never written to
      used = false;
    }
    return was;
  }

  Optional<HeaderPattern> itself() {
    return itself;
  }

  long hash() {
    return hash;
  }

  long openPlaces() {
    return openPlaces;
  }

  /**
   * The places that are not open and at which a list has another field, a bit for each; or {@link
   * #MISFIT}.
   */
  @SuppressWarnings("ReferenceEquality") // most are the same object; the others are compared
  long difference(HeaderField[] list, int size) {
    if (size != fields.length) {
      return MISFIT;
    }
    long different = 0;
    for (int i = 0; i < size; i++) {
      HeaderField known = fields[i];
      HeaderField given = list[i];
      if (known != given) {
        if (!known.name().equals(given.name())) {
          return MISFIT;
        }
        if (!isOpen(i) && !replace(i, given)) {
          if (given.name().startsWith(":")) { // the same hash by chance
            return MISFIT;
          }
          different |= 1L << i;
        }
      }
    }
    return different;
  }

  /** An equal field arrived as a new object, which is the one that will be used again. */
  private boolean replace(int index, HeaderField given) {
    HeaderField known = fields[index];
    boolean equal = known.value().equals(given.value()) && known.indexing() == given.indexing();
    if (equal) {
      fields[index] = given;
    }
    return equal;
  }

  /** The list of this pattern with these fields. */
  HeaderList list(HeaderField[] from) {
    if (openPlaces == 0) {
      return closed;
    }
    use();
    return switch (openCount()) {
      case 1 -> HeaderList.of(this, from[firstOpen()]);
      case 2 -> HeaderList.of(this, from[firstOpen()], from[lastOpen()]);
      default -> HeaderList.of(this, ownOf(from));
    };
  }

  private int firstOpen() {
    return Long.numberOfTrailingZeros(openPlaces);
  }

  private int lastOpen() {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(openPlaces);
  }

  /** Releases the fields at open places among the first {@code size}. */
  void releaseOpen(HeaderField[] list, int size) {
    for (long open = openPlaces; open != 0; open &= open - 1) {
      int place = Long.numberOfTrailingZeros(open);
      if (place < size) {
        list[place] = HeaderList.VACANT;
      }
    }
  }

  private HeaderField[] ownOf(HeaderField[] from) {
    HeaderField[] own = new HeaderField[openCount()];
    long open = openPlaces;
    for (int i = 0; i < own.length; i++) {
      own[i] = from[Long.numberOfTrailingZeros(open)];
      open &= open - 1;
    }
    return own;
  }
}
