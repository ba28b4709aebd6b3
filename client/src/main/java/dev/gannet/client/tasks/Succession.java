package dev.gannet.client.tasks;

import java.util.List;
import java.util.function.Consumer;

/**
 * The policy that calls use, and the next one, which takes over once that costs no call: the
 * graceful switch of gRPC.
 *
 * <pre>
 *   None ──add──► One ──add, and this one is READY──► Two
 *    ▲             ▲ └──add, and it is not──► One      │
 *    │             ├──the next one is dropped──────────┤
 *    │             └──the next one is not CONNECTING───┘
 *    └──end           any more, or the current one not READY,
 *                     or has failed
 * </pre>
 *
 * <p>Its methods return those that calls do not use any more, which the caller shuts down: calls
 * have moved before connections close. Confined to the channel's {@link SerialTasks}.
 *
 * @param <T> a policy, and what it has published last
 */
public final class Succession<T extends Succession.Member> {
  /** In the state that it has published last; CONNECTING before it has published one. */
  public interface Member {
    /** Whether this is READY. */
    boolean isReady();

    /** Whether this is CONNECTING. */
    boolean isConnecting();
  }

  private sealed interface State<T> {
    record None<T>() implements State<T> {}

    record One<T>(T current) implements State<T> {}

    record Two<T>(T current, T next) implements State<T> {}
  }

  private final Consumer<T> publisher;
  private State<T> state = new State.None<>();

  /** None yet; the publisher passes on what the current one has published. */
  public Succession(Consumer<T> publisher) {
    this.publisher = publisher;
  }

  /** The current one and the next one, as far as there are any. */
  public List<T> members() {
    if (state instanceof State.Two<T>(T current, T next)) {
      return List.of(current, next);
    }
    return state instanceof State.One<T>(T current) ? List.of(current) : List.of();
  }

  /** Another one is wanted: it is the next one, or replaces one that is not READY at once. */
  public List<T> add(T made) {
    List<T> before = members();
    if (!before.isEmpty() && before.getFirst().isReady()) {
      state = new State.Two<>(before.getFirst(), made);
      return before.subList(1, before.size());
    }
    state = new State.One<>(made);
    if (!before.isEmpty()) {
      publisher.accept(made);
    }
    return before;
  }

  /** This one is wanted: if it is the current one, the next one is dropped. */
  public List<T> keep(T wanted) {
    if (state instanceof State.Two<T>(T current, T next) && wanted.equals(current)) {
      state = new State.One<>(current);
      return List.of(next);
    }
    return List.of();
  }

  /** One has published, which may be the one that is replaced; ignored if it is not a member. */
  public List<T> onPublished(T member) {
    if (state instanceof State.Two<T>(T current, T next)
        && !(current.isReady() && next.isConnecting())) {
      return takeOver();
    }
    if (members().indexOf(member) == 0) {
      publisher.accept(member);
    }
    return List.of();
  }

  /** The next one, if any, is used from now on, whatever its state. */
  public List<T> takeOver() {
    if (state instanceof State.Two<T>(T current, T next)) {
      state = new State.One<>(next);
      publisher.accept(next);
      return List.of(current);
    }
    return List.of();
  }

  /** None is needed any more. */
  public void end() {
    state = new State.None<>();
  }
}
