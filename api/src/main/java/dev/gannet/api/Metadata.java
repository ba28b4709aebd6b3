package dev.gannet.api;

import dev.gannet.api.engine.EngineAccess;
import dev.gannet.api.engine.MetadataAccess;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The fields that are sent in addition to the messages of a call: headers in both directions, and
 * trailers.
 *
 * <p>Names are lower case and may be repeated; the order of fields is kept. Values are printable
 * ASCII text, or any bytes if the name ends in {@code -bin}. Mutable, and not safe for concurrent
 * use. It belongs to the code that receives it, which may add to it, also if it is empty; only
 * where a tracer is told not to change it, it may not be changed.
 *
 * <p>The fields that gRPC and HTTP/2 write themselves can be added, but are left out when metadata
 * is sent: {@code host}, {@code te}, {@code content-type}, {@code content-length}, {@code
 * user-agent}, {@code grpc-timeout}, {@code grpc-encoding}, {@code grpc-accept-encoding}, {@code
 * grpc-status}, {@code grpc-message}, {@code connection}, {@code keep-alive}, {@code
 * proxy-connection}, {@code transfer-encoding} and {@code upgrade}. Some of them have options:
 * {@code userAgent} of the channel's builder, and {@link CallOptions#withAuthority}, {@link
 * CallOptions#withDeadline(java.time.Duration) withDeadline} and {@link
 * CallOptions#withCompression}.
 */
public final class Metadata {
  /** The suffix of the names of binary fields. */
  public static final String BINARY_SUFFIX = "-bin";

  private static final Object[] NO_FIELDS = {};
  private static final Metadata SHARED_EMPTY = new Metadata(NO_FIELDS, 0, true);
  private static final int FIRST_CAPACITY = 8;

  /** Names with this prefix are reserved for gRPC, and their values are no secrets. */
  private static final String GRPC_PREFIX = "grpc-";

  static {
    // No lambda: the first call waits for it.
    EngineAccess.provide(MetadataAccess.class, new Access());
  }

  private Object[] namesAndValues;
  private int used;
  private boolean shared;

  /** Metadata without fields, which can be added. */
  public Metadata() {
    this(NO_FIELDS, 0, true);
  }

  private Metadata(Object[] namesAndValues, int used, boolean shared) {
    this.namesAndValues = namesAndValues;
    this.used = used;
    this.shared = shared;
  }

  private static final class Access implements MetadataAccess {
    @Override
    public Metadata received(Object[] namesAndValues) {
      return new Metadata(namesAndValues, namesAndValues.length, true);
    }

    @Override
    public Metadata sharedEmpty() {
      return SHARED_EMPTY;
    }
  }

  /**
   * Converts values of a type to text fields and back. Stateless and safe for all threads. For
   * applications to implement; new methods will have a default.
   */
  public interface AsciiMarshaller<T> {
    /** The value as printable ASCII. */
    String toAsciiString(T value);

    /**
     * Parses the result of {@link #toAsciiString}. The text may come from a peer. An exception that
     * this method throws reaches the caller of {@link Metadata#get}.
     */
    T parseAsciiString(String text);
  }

  /**
   * Converts values of a type to binary fields and back. Stateless and safe for all threads. For
   * applications to implement; new methods will have a default.
   */
  public interface BinaryMarshaller<T> {
    /** The value as bytes, in an array that is not modified afterwards. */
    byte[] toBytes(T value);

    /**
     * Parses the result of {@link #toBytes}. The array belongs to this method and may come from a
     * peer. An exception that this method throws reaches the caller of {@link Metadata#get}.
     */
    T parseBytes(byte[] bytes);
  }

  /**
   * The name of a field together with the type of its values. Immutable; create a key once and keep
   * it.
   */
  public static final class Key<T> {
    private final String name;
    private final Function<T, Object> written;
    private final Function<Object, T> read;

    private Key(String name, Function<T, Object> written, Function<Object, T> read) {
      this.name = name;
      this.written = written;
      this.read = read;
    }

    /**
     * A field of printable ASCII text.
     *
     * @throws IllegalArgumentException if the name is empty, ends in {@code -bin}, or has other
     *     characters than {@code 0-9 a-z _ - .} (upper case is converted to lower case)
     */
    public static Key<String> ascii(String name) {
      String lower = textName(name);
      return new Key<>(lower, text -> checkedText(lower, text), String.class::cast);
    }

    /**
     * A field whose values are converted to printable ASCII text.
     *
     * @throws IllegalArgumentException as {@link #ascii(String)}
     */
    public static <T> Key<T> ascii(String name, AsciiMarshaller<T> marshaller) {
      String lower = textName(name);
      return new Key<>(
          lower,
          value -> checkedText(lower, marshaller.toAsciiString(value)),
          text -> marshaller.parseAsciiString((String) text));
    }

    /**
     * A field of any bytes.
     *
     * @throws IllegalArgumentException as {@link #ascii}, but for a name that does not end in
     *     {@code -bin}
     */
    public static Key<byte[]> binary(String name) {
      return new Key<>(binaryName(name), byte[]::clone, bytes -> ((byte[]) bytes).clone());
    }

    /**
     * A field whose values are converted to bytes.
     *
     * @throws IllegalArgumentException as {@link #binary(String)}
     */
    public static <T> Key<T> binary(String name, BinaryMarshaller<T> marshaller) {
      return new Key<>(
          binaryName(name),
          marshaller::toBytes,
          bytes -> marshaller.parseBytes(((byte[]) bytes).clone()));
    }

    /** The name of the field, in lower case. */
    public String name() {
      return name;
    }

    @Override
    public String toString() {
      return name;
    }

    private static String textName(String name) {
      String lower = checked(name);
      if (lower.endsWith(BINARY_SUFFIX)) {
        throw new IllegalArgumentException("a text field's name must not end in -bin: " + name);
      }
      return lower;
    }

    private static String binaryName(String name) {
      String lower = checked(name);
      if (!lower.endsWith(BINARY_SUFFIX)) {
        throw new IllegalArgumentException("a binary field's name must end in -bin: " + name);
      }
      return lower;
    }

    private static String checked(String name) {
      String lower = name.toLowerCase(Locale.ROOT);
      if (lower.isEmpty() || !lower.chars().allMatch(Key::isNameCharacter)) {
        throw new IllegalArgumentException("not a metadata name (0-9 a-z _ - .): " + name);
      }
      return lower;
    }

    private static boolean isNameCharacter(int c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    }
  }

  /** Receives fields one by one. For applications to implement; new methods will have a default. */
  public interface Visitor {
    /** A text field: printable ASCII. */
    void text(String name, String value);

    /** A field whose name ends in {@code -bin}; the bytes belong to the visitor. */
    void binary(String name, byte[] value);
  }

  /**
   * Adds a field at the end; earlier values of the name stay ({@link #set} replaces them). Bytes
   * are copied.
   *
   * @throws IllegalArgumentException if a text value has other characters than printable ASCII, or
   *     begins or ends with a space, which is not allowed in HTTP (RFC 9113 §8.2.1)
   */
  public <T> void add(Key<T> key, T value) {
    addWritten(key.name, written(key, value));
  }

  /**
   * Makes this the only value of the name: earlier ones are removed. Bytes are copied.
   *
   * @throws IllegalArgumentException as {@link #add}; earlier values are then kept
   */
  public <T> void set(Key<T> key, T value) {
    Object written = written(key, value);
    discardAll(key);
    addWritten(key.name, written);
  }

  private static <T> Object written(Key<T> key, T value) {
    return Objects.requireNonNull(
        key.written.apply(Objects.requireNonNull(value, key.name)), key.name);
  }

  private void addWritten(String name, Object value) {
    own(Math.max(used + 2, FIRST_CAPACITY));
    namesAndValues[used++] = name;
    namesAndValues[used++] = value;
  }

  /** The last value of that name. */
  public <T> Optional<T> get(Key<T> key) {
    for (int i = used - 2; i >= 0; i -= 2) {
      if (namesAndValues[i].equals(key.name)) {
        return Optional.of(value(key, i));
      }
    }
    return Optional.empty();
  }

  /** All values of that name, in their order. */
  public <T> List<T> getAll(Key<T> key) {
    List<T> values = new ArrayList<>();
    for (int i = 0; i < used; i += 2) {
      if (namesAndValues[i].equals(key.name)) {
        values.add(value(key, i));
      }
    }
    return values;
  }

  /** Bytes are copied, because other calls may have received the same array. */
  private <T> T value(Key<T> key, int place) {
    return key.read.apply(namesAndValues[place + 1]);
  }

  /** Whether there is at least one field of that name; its value is not parsed. */
  public boolean containsKey(Key<?> key) {
    for (int i = 0; i < used; i += 2) {
      if (namesAndValues[i].equals(key.name)) {
        return true;
      }
    }
    return false;
  }

  /** Removes all fields of that name and returns their values, in their order. */
  public <T> List<T> removeAll(Key<T> key) {
    List<T> removed = getAll(key);
    discardAll(key);
    return removed;
  }

  /** Removes all fields of that name without creating a list of their values. */
  public void discardAll(Key<?> key) {
    if (!containsKey(key)) {
      return; // a shared array stays shared
    }
    discardIf(key.name::equals);
  }

  private void discardIf(Predicate<Object> name) {
    own(used);
    int kept = 0;
    for (int i = 0; i < used; i += 2) {
      if (!name.test(namesAndValues[i])) {
        namesAndValues[kept++] = namesAndValues[i];
        namesAndValues[kept++] = namesAndValues[i + 1];
      }
    }
    Arrays.fill(namesAndValues, kept, used, "");
    used = kept;
  }

  /** Adds all fields of the other object at the end. */
  public void merge(Metadata other) {
    if (other.used > 0) {
      own(used + other.used);
      System.arraycopy(other.namesAndValues, 0, namesAndValues, used, other.used);
      used += other.used;
    }
  }

  /**
   * Adds all fields of the other object at the end, and removes the earlier fields with the same
   * names.
   */
  public void mergeReplacing(Metadata other) {
    if (this == other) {
      return; // its fields would be removed before they are added
    }
    if (used > 0 && other.used > 0) {
      discardIf(other.names()::contains);
    }
    merge(other);
  }

  /** Adds the fields of the other object whose names are missing here; at the end. */
  public void mergeAbsent(Metadata other) {
    Set<String> present = names();
    for (int i = 0; i < other.used; i += 2) {
      if (!present.contains((String) other.namesAndValues[i])) {
        addWritten((String) other.namesAndValues[i], other.namesAndValues[i + 1]);
      }
    }
  }

  /** Whether the other object has the same fields in the same order. */
  boolean hasSameFields(Metadata other) {
    return Arrays.deepEquals(
        Arrays.copyOf(namesAndValues, used), Arrays.copyOf(other.namesAndValues, other.used));
  }

  /** A copy that can be changed independently. */
  public Metadata copy() {
    if (!shared) { // many threads may copy the same object: without a write they share its memory
      shared = true;
    }
    return new Metadata(namesAndValues, used, true);
  }

  /** Whether there are no fields. */
  public boolean isEmpty() {
    return used == 0;
  }

  /** How many fields there are. */
  public int size() {
    return used / 2;
  }

  /** The names, each once, sorted. */
  public Set<String> names() {
    Set<String> names = new TreeSet<>();
    for (int i = 0; i < used; i += 2) {
      names.add((String) namesAndValues[i]);
    }
    return Collections.unmodifiableSet(names);
  }

  /** Passes every field to the visitor, in their order; bytes are copies. */
  public void forEach(Visitor visitor) {
    for (int i = 0; i < used; i += 2) {
      String name = (String) namesAndValues[i];
      if (namesAndValues[i + 1] instanceof byte[] bytes) {
        visitor.binary(name, bytes.clone());
      } else {
        visitor.text(name, (String) namesAndValues[i + 1]);
      }
    }
  }

  /**
   * Names and lengths for log lines. Values may be secrets, such as tokens, so only those of gRPC's
   * own fields ({@code grpc-...}) are contained; {@link #toStringWithValues} contains all.
   */
  @Override
  public String toString() {
    return text(name -> name.startsWith(GRPC_PREFIX));
  }

  /**
   * Names and values, including credentials: for tests and debugging, not for logs. Of binary
   * fields only the lengths.
   */
  public String toStringWithValues() {
    return text(name -> true);
  }

  private String text(Predicate<String> showsValueOf) {
    StringBuilder text = new StringBuilder("Metadata(");
    for (int i = 0; i < used; i += 2) {
      String name = (String) namesAndValues[i];
      text.append(i == 0 ? "" : ", ").append(name).append('=');
      if (namesAndValues[i + 1] instanceof byte[] bytes) {
        text.append(bytes.length).append(" bytes");
      } else {
        String value = (String) namesAndValues[i + 1];
        text.append(showsValueOf.test(name) ? value : value.length() + " characters");
      }
    }
    return text.append(')').toString();
  }

  private static String checkedText(String name, String text) {
    if (!isPrintableWithoutSpacesAround(text)) {
      throw new IllegalArgumentException(
          "the value of "
              + name
              + " is not printable ASCII without spaces around it ("
              + text.getBytes(StandardCharsets.UTF_8).length
              + " bytes); use a -bin field for other data");
    }
    return text;
  }

  /**
   * A loop, since this is done for each value of a call: a stream costs a quarter of such calls.
   */
  private static boolean isPrintableWithoutSpacesAround(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~') {
        return false;
      }
    }
    return text.isEmpty() || (text.charAt(0) != ' ' && text.charAt(text.length() - 1) != ' ');
  }

  private void own(int capacity) {
    if (this == SHARED_EMPTY) {
      throw new UnsupportedOperationException(
          "calls share this empty metadata, so it cannot be changed");
    }
    if (shared || namesAndValues.length < capacity) {
      int length = Math.max(capacity, shared ? 0 : namesAndValues.length * 2);
      Object[] owned = new Object[length];
      System.arraycopy(namesAndValues, 0, owned, 0, used);
      namesAndValues = owned;
      shared = false;
    }
  }
}
