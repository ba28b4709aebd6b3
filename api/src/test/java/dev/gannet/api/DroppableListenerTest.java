package dev.gannet.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A listener gets one end: that of its call, or what takes the place of that call. */
final class DroppableListenerTest {
  private final List<String> heard = new ArrayList<>();
  private Runnable during = () -> {};
  private final DroppableListener<String> listener =
      new DroppableListener<>(
          new ClientCall.Listener<>() {
            @Override
            public void onHeaders(Metadata headers) {
              hear("headers");
            }

            @Override
            public void onMessage(String message) {
              hear(message);
            }

            @Override
            public void onReady() {
              hear("ready");
            }

            @Override
            public void onClose(Status status, Metadata trailers) {
              hear(status.code().toString());
            }
          });

  private void hear(String event) {
    heard.add(event + " begins");
    Runnable now = during;
    during = () -> {};
    now.run();
    heard.add(event + " ends");
  }

  private void drop() {
    listener.drop(() -> heard.add("replaced"));
  }

  private void allEvents() {
    listener.onReady();
    listener.onHeaders(new Metadata());
    listener.onMessage("message");
    listener.onClose(Status.OK, new Metadata());
  }

  @Test
  void allEventsAreForwarded() {
    allEvents();
    assertThat(heard.stream().filter(it -> it.endsWith("begins")))
        .containsExactly("ready begins", "headers begins", "message begins", "OK begins");
  }

  @Test
  void nothingIsForwardedAfterTheCallIsDropped() {
    drop();
    allEvents();
    assertThat(heard).containsExactly("replaced");
  }

  @Test
  void theReplacementComesAfterTheEventThatIsUnderWay() {
    during = this::drop;
    allEvents();
    assertThat(heard).containsExactly("ready begins", "ready ends", "replaced");
  }

  @Test
  void theReplacementComesAlsoIfThatEventThrows() {
    during =
        () -> {
          drop();
          throw new IllegalStateException("a mistake");
        };
    try {
      listener.onMessage("message");
    } catch (IllegalStateException e) {
      heard.add(e.getMessage());
    }
    assertThat(heard).containsExactly("message begins", "replaced", "a mistake");
  }

  @Test
  void aCallIsDroppedOnce() {
    during =
        () -> {
          drop();
          drop();
        };
    allEvents();
    drop();
    assertThat(heard).containsExactly("ready begins", "ready ends", "replaced");
  }

  @Test
  void aCallThatHasEndedIsNotReplaced() {
    during = this::drop;
    listener.onClose(Status.OK, new Metadata());
    drop();
    assertThat(heard).containsExactly("OK begins", "OK ends");
  }

  @Test
  void anEventInsideAnotherOneIsForwarded() {
    during = () -> listener.onClose(Status.OK, new Metadata());
    listener.onMessage("message");
    drop();
    assertThat(heard).containsExactly("message begins", "OK begins", "OK ends", "message ends");
  }
}
