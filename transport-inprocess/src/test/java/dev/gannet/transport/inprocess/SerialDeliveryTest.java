package dev.gannet.transport.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order of tasks, and what becomes of the others if one of them throws. */
final class SerialDeliveryTest {
  private final Side side = new Side();
  private final List<String> ran = new ArrayList<>();

  private static final class Side extends SerialDelivery {}

  private void adds(String name) {
    side.execute(() -> ran.add(name));
  }

  private void throwsAndAdds(String name) {
    side.execute(() -> {
      adds(name);
      throw new IllegalStateException("before " + name);
    });
  }

  @Test
  void tasksThatComeDuringATaskRunAfterItInTheirOrder() {
    side.execute(() -> {
      adds("b");
      adds("c");
      ran.add("a");
    });
    assertThat(ran).containsExactly("a", "b", "c");
  }

  @Test
  void aTaskThatThrowsPreventsNoOther() {
    assertThatThrownBy(() -> throwsAndAdds("a")).hasMessage("before a");
    adds("b");
    assertThat(ran).containsExactly("a", "b");
  }

  @Test
  void aTaskThatWaitedAndThrowsPreventsNoOther() {
    side.enterFirst();
    throwsAndAdds("b");
    adds("a");
    assertThatThrownBy(side::leave).hasMessage("before b");
    assertThat(ran).containsExactly("a", "b");
    adds("c");
    assertThat(ran).containsExactly("a", "b", "c");
  }

  @Test
  void tasksThatWaitedAndThrowPreventNoOther() {
    side.enterFirst();
    throwsAndAdds("b");
    throwsAndAdds("c");
    adds("a");
    throwsAndAdds("d");
    assertThatThrownBy(side::leave).isInstanceOf(IllegalStateException.class);
    assertThat(ran).containsExactly("a", "b", "c", "d");
    adds("e");
    assertThat(ran).endsWith("e");
  }
}
