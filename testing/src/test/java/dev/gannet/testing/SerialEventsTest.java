package dev.gannet.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events run one at a time, and none runs after the close. */
final class SerialEventsTest {
  private final SerialEvents events = new SerialEvents();
  private final List<String> ran = new ArrayList<>();

  private void add(String name) {
    events.run(() -> ran.add(name));
  }

  @Test
  void whatAnEventCausesRunsAfterThatEvent() {
    events.run(() -> {
      add("inner");
      ran.add("outer");
    });
    assertThat(ran).containsExactly("outer", "inner");
  }

  @Test
  void nothingRunsAfterTheClose() {
    events.schedule(() -> ran.add("timer"), Duration.ofSeconds(1));
    events.close(() -> ran.add("last"));
    add("late");
    events.clock().advance(Duration.ofSeconds(2));
    assertThat(ran).containsExactly("last");
    assertThat(events.isClosed()).isTrue();
  }

  @Test
  void aCloseWithinAnEventIsFinalToo() {
    events.run(() -> {
      add("before");
      events.close(() -> ran.add("last"));
      add("late");
      ran.add("outer");
    });
    add("later");
    events.close(() -> ran.add("once more"));
    assertThat(ran).containsExactly("outer", "before", "last");
    assertThat(events.isClosed()).isTrue();
  }
}
