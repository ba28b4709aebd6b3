package dev.gannet.api;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Details about a call that ended with {@code UNAVAILABLE} or {@code DEADLINE_EXCEEDED}, or because
 * its stream was reset: the servers that were tried, the result of each attempt, and where the time
 * was spent. Returned by {@link Status#failure} and {@link StatusException#failure}; the message of
 * the exception ends with {@link #toString}.
 *
 * <p>Each moment of the call counts in one of the times. If attempts run in parallel, a moment in
 * which one of them waits for a connection, a stream or credentials counts as that, although
 * another one may be waiting for its server.
 *
 * <p>It is never sent: if a server passes the status on to its client, this object, and so the
 * addresses in it, are omitted.
 *
 * <p>Immutable. Only Gannet needs to create one; applications can, for tests.
 */
public final class CallFailure {
  /** The values of one instance; only written during construction. */
  private static final class Values {
    private String target = "";
    private List<AddressFailure> addresses = List.of();
    private int omittedAddresses;
    private List<Attempt> attempts = List.of();
    private int omittedAttempts;
    private Duration inResolver = Duration.ZERO;
    private Duration inQueue = Duration.ZERO;
    private Duration inCredentials = Duration.ZERO;
    private Duration inBackoff = Duration.ZERO;
    private Optional<Duration> onWire = Optional.empty();

    Values() {}

    Values(Values other) {
      target = other.target;
      addresses = other.addresses;
      omittedAddresses = other.omittedAddresses;
      attempts = other.attempts;
      omittedAttempts = other.omittedAttempts;
      inResolver = other.inResolver;
      inQueue = other.inQueue;
      inCredentials = other.inCredentials;
      inBackoff = other.inBackoff;
      onWire = other.onWire;
    }
  }

  private final Values values;

  private CallFailure(Values values) {
    this.values = values;
  }

  /** A failure with a single attempt and no other details. */
  public static CallFailure of(Attempt attempt) {
    Values values = new Values();
    values.attempts = List.of(attempt);
    return new CallFailure(values);
  }

  /** The same with another {@link #target}. */
  public CallFailure withTarget(String target) {
    Values changed = new Values(values);
    changed.target = Objects.requireNonNull(target, "target");
    return new CallFailure(changed);
  }

  /** The same with other {@link #addresses}; the list is copied. */
  public CallFailure withAddresses(List<AddressFailure> failures) {
    Values changed = new Values(values);
    changed.addresses = List.copyOf(Objects.requireNonNull(failures, "addresses"));
    return new CallFailure(changed);
  }

  /**
   * The same with another number of {@link #omittedAddresses}.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public CallFailure withOmittedAddresses(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("omittedAddresses must not be negative: " + count);
    }
    Values changed = new Values(values);
    changed.omittedAddresses = count;
    return new CallFailure(changed);
  }

  /** The same with other {@link #attempts}; the list is copied. */
  public CallFailure withAttempts(List<Attempt> all) {
    Values changed = new Values(values);
    changed.attempts = List.copyOf(Objects.requireNonNull(all, "attempts"));
    return new CallFailure(changed);
  }

  /**
   * The same with another number of {@link #omittedAttempts}.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public CallFailure withOmittedAttempts(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("omittedAttempts must not be negative: " + count);
    }
    Values changed = new Values(values);
    changed.omittedAttempts = count;
    return new CallFailure(changed);
  }

  /** The same with another time {@link #inResolver}. */
  public CallFailure withInResolver(Duration time) {
    Values changed = new Values(values);
    changed.inResolver = Objects.requireNonNull(time, "inResolver");
    return new CallFailure(changed);
  }

  /** The same with another time {@link #inQueue}. */
  public CallFailure withInQueue(Duration time) {
    Values changed = new Values(values);
    changed.inQueue = Objects.requireNonNull(time, "inQueue");
    return new CallFailure(changed);
  }

  /** The same with another time {@link #inCredentials}. */
  public CallFailure withInCredentials(Duration time) {
    Values changed = new Values(values);
    changed.inCredentials = Objects.requireNonNull(time, "inCredentials");
    return new CallFailure(changed);
  }

  /** The same with another time {@link #inBackoff}. */
  public CallFailure withInBackoff(Duration time) {
    Values changed = new Values(values);
    changed.inBackoff = Objects.requireNonNull(time, "inBackoff");
    return new CallFailure(changed);
  }

  /** The same with a time {@link #onWire}. */
  public CallFailure withOnWire(Duration time) {
    Values changed = new Values(values);
    changed.onWire = Optional.of(Objects.requireNonNull(time, "onWire"));
    return new CallFailure(changed);
  }

  /** The target of the channel. */
  public String target() {
    return values.target;
  }

  /**
   * The addresses to which no connection could be made, with the last error of each: the 16 that
   * failed last, if there are more; {@link #omittedAddresses} counts the others.
   */
  public List<AddressFailure> addresses() {
    return values.addresses;
  }

  /** To how many addresses no connection could be made that {@link #addresses} omits. */
  public int omittedAddresses() {
    return values.omittedAddresses;
  }

  /**
   * The failed attempts of the call, in their order. The last one ended the call, unless the call
   * ended between two attempts. If more than 32 have failed, the list contains the first 31 and the
   * last; {@link #attemptCount} counts all.
   */
  public List<Attempt> attempts() {
    return values.attempts;
  }

  /** How many failed attempts {@link #attempts} omits, before the last one. */
  public int omittedAttempts() {
    return values.omittedAttempts;
  }

  /** How many attempts of the call have failed, with {@link #omittedAttempts}. */
  public int attemptCount() {
    return attempts().size() + omittedAttempts();
  }

  /** How long the call waited for the target's addresses. */
  public Duration inResolver() {
    return values.inResolver;
  }

  /** How long it waited for a connection or a free stream in addition to {@link #inResolver}. */
  public Duration inQueue() {
    return values.inQueue;
  }

  /**
   * How long it had a connection and waited for its call credentials. Not counted if they answer at
   * once.
   */
  public Duration inCredentials() {
    return values.inCredentials;
  }

  /**
   * How long no attempt was under way, because the next one had to wait: for the backoff of the
   * retry policy, or for the time that the server had asked for. The delay of hedging does not
   * count, because an attempt is under way meanwhile.
   */
  public Duration inBackoff() {
    return values.inBackoff;
  }

  /** The rest of its time, in which it waited for its servers. Empty if no attempt had a server. */
  public Optional<Duration> onWire() {
    return values.onWire;
  }

  /** An address to which no connection could be made, and the last error. Immutable. */
  public static final class AddressFailure {
    private final SocketAddress address;
    private final String error;

    private AddressFailure(SocketAddress address, String error) {
      this.address = address;
      this.error = error;
    }

    /** The failure of an address. */
    public static AddressFailure of(SocketAddress address, String error) {
      return new AddressFailure(address, error);
    }

    /** The address that was tried. */
    public SocketAddress address() {
      return address;
    }

    /** Why the last attempt to connect to it failed. */
    public String error() {
      return error;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof AddressFailure that
          && address.equals(that.address)
          && error.equals(that.error);
    }

    @Override
    public int hashCode() {
      return Objects.hash(address, error);
    }

    @Override
    public String toString() {
      return address + ": " + error;
    }
  }

  /**
   * One attempt of a call. Immutable. Two are equal although their statuses differ in cause or
   * details: code and description count.
   */
  public static final class Attempt {
    private final Optional<SocketAddress> server;
    private final Status status;
    private final Optional<String> resetCode;
    private final Optional<String> goAway;

    private Attempt(
        Optional<SocketAddress> server,
        Status status,
        Optional<String> resetCode,
        Optional<String> goAway) {
      this.server = server;
      this.status = status;
      this.resetCode = resetCode;
      this.goAway = goAway;
    }

    /** An attempt that had no connection. */
    public static Attempt of(Status status) {
      return new Attempt(Optional.empty(), status, Optional.empty(), Optional.empty());
    }

    /** The same on a connection to this server. */
    public Attempt withServer(SocketAddress address) {
      return new Attempt(Optional.of(address), status, resetCode, goAway);
    }

    /** The same with a {@link #resetCode}. */
    public Attempt withResetCode(String code) {
      return new Attempt(server, status, Optional.of(code), goAway);
    }

    /** The same with a {@link #goAway}. */
    public Attempt withGoAway(String text) {
      return new Attempt(server, status, resetCode, Optional.of(text));
    }

    /** The server's address; empty if it had no connection. */
    public Optional<SocketAddress> server() {
      return server;
    }

    /** How it ended. */
    public Status status() {
      return status;
    }

    /**
     * The code of the RST_STREAM that ended it, such as {@code REFUSED_STREAM}; empty if none did.
     */
    public Optional<String> resetCode() {
      return resetCode;
    }

    /** The code and debug text of the server's GOAWAY; empty if it sent none. */
    public Optional<String> goAway() {
      return goAway;
    }

    /** What the server sent, as a continuation of a text. */
    private String codes() {
      return resetCode.map(it -> ", RST_STREAM " + it).orElse("")
          + goAway.map(it -> ", GOAWAY " + it).orElse("");
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Attempt that
          && server.equals(that.server)
          && isSame(status, that.status)
          && resetCode.equals(that.resetCode)
          && goAway.equals(that.goAway);
    }

    @Override
    public int hashCode() {
      return Objects.hash(server, status.code(), status.description(), resetCode, goAway);
    }

    @Override
    public String toString() {
      return server.map(it -> "on " + it).orElse("without a connection") + ": " + status + codes();
    }
  }

  private List<Object> all() {
    return List.of(
        target(),
        addresses(),
        omittedAddresses(),
        attempts(),
        omittedAttempts(),
        inResolver(),
        inQueue(),
        inCredentials(),
        inBackoff(),
        onWire());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CallFailure that && all().equals(that.all());
  }

  @Override
  public int hashCode() {
    return all().hashCode();
  }

  /** Everything on one line. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    parts.add("target " + target());
    addresses().forEach(it -> parts.add("no connection to " + it));
    omittedAddressesText().ifPresent(parts::add);
    addAttempts(parts);
    parts.add("resolver " + inResolver().toMillis() + " ms");
    parts.add("queue " + inQueue().toMillis() + " ms");
    addTime(parts, "credentials", Optional.of(inCredentials()));
    addTime(parts, "backoff", Optional.of(inBackoff()));
    onWire().ifPresent(it -> parts.add("wire " + it.toMillis() + " ms"));
    return OneLine.of(String.join("; ", parts));
  }

  /** The details that the call's status does not contain, on one line; empty if there are none. */
  Optional<String> beside(Status status) {
    String said = status.description().orElse("");
    List<String> parts = new ArrayList<>();
    if (!target().isEmpty() && !said.contains(target())) {
      parts.add("target " + target());
    }
    addresses().stream()
        .filter(it -> !said.contains(it.error()))
        .forEach(it -> parts.add("no connection to " + it));
    omittedAddressesText().filter(it -> !said.contains(it)).ifPresent(parts::add);
    boolean single = attempts().size() == 1 && isSame(attempts().getFirst().status(), status);
    if (single) {
      Attempt only = attempts().getFirst();
      only.server().ifPresent(it -> parts.add("on " + it + only.codes()));
    } else {
      addAttempts(parts);
    }
    addTime(parts, "resolver", Optional.of(inResolver()));
    addTime(parts, "queue", Optional.of(inQueue()));
    addTime(parts, "credentials", Optional.of(inCredentials()));
    addTime(parts, "backoff", Optional.of(inBackoff()));
    addTime(parts, "wire", onWire());
    return parts.isEmpty() ? Optional.empty() : Optional.of(OneLine.of(String.join("; ", parts)));
  }

  private Optional<String> omittedAddressesText() {
    int count = omittedAddresses();
    return count == 0
        ? Optional.empty()
        : Optional.of(
            "no connection to " + count + (count == 1 ? " other address" : " other addresses"));
  }

  /** Describes consecutive attempts that failed in the same way only once. */
  private void addAttempts(List<String> parts) {
    List<String> texts = attempts().stream().map(Attempt::toString).toList();
    if (omittedAttempts() == 0) {
      addAttempts(parts, texts, 1);
      return;
    }
    int first = Math.max(0, texts.size() - 1);
    int last = first + omittedAttempts() + 1;
    addAttempts(parts, texts.subList(0, first), 1);
    parts.add(numbers(first + 1, last - 1) + " omitted");
    addAttempts(parts, texts.subList(first, texts.size()), last);
  }

  /** Adds attempts of which the first has this number. */
  private static void addAttempts(List<String> parts, List<String> texts, int number) {
    int first = 0;
    for (int i = 0; i < texts.size(); i++) {
      if (i + 1 == texts.size() || !texts.get(i + 1).equals(texts.get(i))) {
        parts.add(numbers(number + first, number + i) + " " + texts.get(i));
        first = i + 1;
      }
    }
  }

  private static String numbers(int first, int last) {
    return first == last ? "attempt " + first : "attempts " + first + " to " + last;
  }

  private static boolean isSame(Status one, Status other) {
    return one.code() == other.code() && one.description().equals(other.description());
  }

  private static void addTime(List<String> parts, String where, Optional<Duration> time) {
    time.map(Duration::toMillis)
        .filter(millis -> millis > 0)
        .ifPresent(millis -> parts.add(where + " " + millis + " ms"));
  }
}
