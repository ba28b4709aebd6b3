package dev.gannet.http2.hpack;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the header lists of one decoder have in common that have the same names in the same order
 * and the same pseudo-header fields: the fields that were always the same, and the places where
 * they were not, which are open.
 *
 * <p>The peer's calls of a method differ in one or two fields, a timeout or an id: what a room
 * makes of the rest is made once. Confined to its decoder's thread.
 */
public final class HeaderPattern {
  /** As many as {@link #openPlaces} has bits, but for one: {@link #MISFIT} has all. */
  static final int MAX_FIELDS = Long.SIZE - 1;

  /** A peer that changes more from list to list gains nothing from a pattern. */
  static final int MAX_OPEN = 8;

  /** What {@link #difference} answers for a list of another pattern. */
  static final long MISFIT = -1;

  /** After so many lists one with open places is learnt anew. */
  private static final int MAX_USES = 4096;

  private final long hash;
  private final HeaderField[] fields;
  private final long openPlaces;
  private final int[] bytesBefore;
  private final HeaderList closed; // all there is, if nothing is open
  private final Optional<HeaderPattern> itself = Optional.of(this);
  private @Nullable Object attachment;
  private @Nullable Object validation;
  private int uses;
  private boolean used;

  /**
   * Keeps the array: the caller gives it away.
   *
   * @param openPlaces a bit for each place that is open, the lowest for the first
   */
  HeaderPattern(long hash, HeaderField[] fields, long openPlaces) {
    this.hash = hash;
    this.fields = fields;
    this.openPlaces = openPlaces;
    this.bytesBefore = new int[fields.length + 1];
    for (int i = 0; i < fields.length; i++) {
      bytesBefore[i + 1] = bytesBefore[i] + (isOpen(i) ? 0 : fields[i].sizeBytes());
      if (isOpen(i)) { // the value is not ours to keep
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

  /** Which of a list's own fields stands at an open place. */
  public int orderOf(int index) {
    return Long.bitCount(openPlaces & ((1L << index) - 1));
  }

  /** The field at a place; at an open one only its name counts. */
  public HeaderField field(int index) {
    return fields[index];
  }

  /**
   * What a higher module made of this pattern: made on the first ask and kept with it, as with a
   * {@link HeaderField#attachment field}.
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
   * What the grammar of HTTP says of this pattern ({@code http2.message}), kept as {@link
   * #attachment} is and beside it.
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

  /** The size of those of them that stand before a place. */
  int bytesBefore(int index) {
    return bytesBefore[index];
  }

  /**
   * Compares indexes in a block with what is expected.
   *
   * @return how many octets from {@code from} on each are the index of the field that stands at the
   *     next place from {@code index} on
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
  @SuppressWarnings("ReferenceEquality") // an equal field may have come in another way
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

  /** Whether lists should be made of it: else they are left whole, or it is learnt anew. */
  boolean isUseful() {
    return openCount() <= MAX_OPEN && !isWornOut();
  }

  /** Whether it is to be learnt anew, for what has differed long ago may be the same since. */
  boolean isWornOut() {
    return uses >= MAX_USES;
  }

  /** A list of it has come. */
  void use() {
    uses++;
  }

  /** It has been of use since the last {@link #takeUsed}. */
  void markUsed() {
    if (!used) {
      used = true;
    }
  }

  /** Whether it has been of use since this was asked last. */
  boolean takeUsed() {
    boolean was = used;
    if (was) { // the one without fields is everybody's, and never written to
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
   * The places that are not open where a list has another field, a bit for each, or {@link
   * #MISFIT}.
   */
  @SuppressWarnings("ReferenceEquality") // most are the same object, and the rest is compared
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
          if (given.name().startsWith(":")) { // of the same hash by chance
            return MISFIT;
          }
          different |= 1L << i;
        }
      }
    }
    return different;
  }

  /** An equal field came as a new object, which is the one to come again. */
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

  /** Lets go of the fields at open places among the first {@code size}. */
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
