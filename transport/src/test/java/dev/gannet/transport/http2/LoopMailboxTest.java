package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When mail wakes the loop of its connection. */
final class LoopMailboxTest {
  private final List<String> opened = new ArrayList<>();
  private final PlayedPipe pipe = new PlayedPipe();
  private final LoopPass pass = new LoopPass(pipe);
  private final LoopMailbox mailbox = new LoopMailbox(pipe, pass, this::openMail);

  private void openMail() {
    mailbox.openAll();
  }

  private void post(String text) {
    mailbox.post(new StreamMail(() -> opened.add(text)));
  }

  @BeforeEach
  void anotherThreadPosts() {
    pipe.onLoop = false;
  }

  @Test
  void theFirstMailAloneWakesTheLoop() {
    post("a");
    post("b");
    assertThat(pipe.tasks).hasSize(1);
    pipe.runTasks();
    assertThat(opened).containsExactly("a", "b");
    assertThat(mailbox.isEmpty()).isTrue();
    post("c");
    assertThat(pipe.tasks).hasSize(1);
  }

  @Test
  void mailOfTheLoopInABatchWakesNothing() {
    pipe.onLoop = true;
    pass.enter();
    post("a");
    assertThat(pipe.tasks).isEmpty();
    assertThat(mailbox.isEmpty()).isFalse();
  }

  @Test
  void mailOfTheLoopOutsideOfABatchWakesIt() {
    pipe.onLoop = true;
    post("a");
    assertThat(pipe.tasks).hasSize(1);
  }

  @Test
  void mailOfTheLoopOutsideOfABatchIsThatOfNeighbours() {
    pipe.onLoop = true;
    post("a");
    assertThat(mailbox.isFedByNeighbours()).isTrue();
  }

  @Test
  void mailOfOtherThreadsAndOfTheConnectionItselfIsNotThatOfNeighbours() {
    post("a");
    pipe.runTasks();
    pipe.onLoop = true;
    pass.enter();
    post("b");
    assertThat(mailbox.isFedByNeighbours()).isFalse();
  }

  @Test
  void mailOfOtherThreadsInABatchWakesTheLoop() {
    pass.enter();
    post("a");
    assertThat(pipe.tasks).hasSize(1);
  }

  @Test
  void theNextSenderWakesALoopThatCouldNotBeWoken() {
    pipe.ended = true;
    assertThatThrownBy(() -> post("a")).isInstanceOf(RejectedExecutionException.class);
    pipe.ended = false;
    post("b");
    assertThat(pipe.tasks).hasSize(1);
    post("c");
    assertThat(pipe.tasks).hasSize(1);
    pipe.runTasks();
    assertThat(opened).containsExactly("a", "b", "c");
  }
}
