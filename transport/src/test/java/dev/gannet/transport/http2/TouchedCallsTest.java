package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Calls are woken at the end of a batch, whatever happens to others. */
final class TouchedCallsTest {
  private final TouchedCalls calls = new TouchedCalls();
  private final List<String> woken = new ArrayList<>();

  /** A call that does that when it is woken, and that when it is given up. */
  private record Call(Runnable onFlush, Runnable onEnd, List<Status> ends)
      implements TouchedCalls.Touched {
    Call(Runnable onFlush, Runnable onEnd) {
      this(onFlush, onEnd, new ArrayList<>());
    }

    @Override
    public void flushEvents() {
      onFlush.run();
    }

    @Override
    public void giveUp(Status why) {
      ends.add(why);
      onEnd.run();
    }
  }

  private Call named(String name) {
    return new Call(() -> woken.add(name), () -> woken.add(name + " ended"));
  }

  private static void fail() {
    throw new IllegalStateException("as the test wants it");
  }

  @Test
  void eachCallIsWokenOnce() {
    calls.add(named("a"));
    calls.add(named("b"));
    calls.flush();
    assertThat(woken).containsExactly("a", "b");
    assertThat(calls.isEmpty()).isTrue();
    calls.flush();
    assertThat(woken).containsExactly("a", "b");
  }

  @Test
  void callsThatAreTouchedMeanwhileAreWokenInTheNextRound() {
    calls.add(new Call(() -> calls.add(named("b")), () -> {}));
    calls.flush();
    assertThat(woken).isEmpty();
    assertThat(calls.isEmpty()).isFalse();
    calls.flush();
    assertThat(woken).containsExactly("b");
  }

  @Test
  void aCallThatCannotBeWokenEndsAndTheOthersDoNot() {
    Call broken = new Call(TouchedCallsTest::fail, () -> {});
    calls.add(broken);
    calls.add(named("b"));
    calls.flush();
    assertThat(woken).containsExactly("b");
    assertThat(broken.ends).hasSize(1);
    assertThat(broken.ends.getFirst().code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(broken.ends.getFirst().cause()).containsInstanceOf(IllegalStateException.class);
  }

  @Test
  void ifOneCannotEvenEndTheOthersAreStillWokenLater() {
    calls.add(new Call(TouchedCallsTest::fail, TouchedCallsTest::fail));
    calls.add(named("b"));
    assertThatThrownBy(calls::flush).isInstanceOf(IllegalStateException.class);
    assertThat(woken).isEmpty();
    calls.flush();
    assertThat(woken).containsExactly("b");
  }
}
