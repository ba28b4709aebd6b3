package dev.gannet.examples.routeguide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.testing.GannetExtension;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A walk with the guide, with calls of all four kinds. */
final class WalkTest {
  @RegisterExtension final GannetExtension gannet = GannetExtension.inProcess();

  private Walk walk;

  @BeforeEach
  void begin() {
    walk =
        new Walk(
            gannet.channelTo(
                new MyRouteGuide(List.of(place("Mill", 0, 0), place("Bridge", 30, 40)))));
  }

  private static Place place(String name, int east, int north) {
    return Place.newBuilder().setName(name).setPoint(point(east, north)).build();
  }

  private static Point point(int east, int north) {
    return Point.newBuilder().setEast(east).setNorth(north).build();
  }

  private static Note note(String text) {
    return Note.newBuilder().setPoint(point(1, 1)).setText(text).build();
  }

  @Test
  void aPlaceHasAName() {
    assertThat(walk.nameOf(point(30, 40))).isEqualTo("Bridge");
    assertThatThrownBy(() -> walk.nameOf(point(1, 2)))
        .hasMessage("NOT_FOUND: no place 1 m east, 2 m north");
  }

  @Test
  void placesWithinARectangleAreListed() {
    Rectangle all =
        Rectangle.newBuilder().setSouthWest(point(-9, -9)).setNorthEast(point(99, 99)).build();
    Rectangle few =
        Rectangle.newBuilder().setSouthWest(point(1, 1)).setNorthEast(point(99, 99)).build();
    assertThat(walk.namesWithin(all)).containsExactly("Mill", "Bridge");
    assertThat(walk.namesWithin(few)).containsExactly("Bridge");
  }

  @Test
  void aRouteIsMeasured() {
    RouteSummary summary = walk.along(List.of(point(0, 0), point(30, 40), point(30, 50)));
    assertThat(summary.getPoints()).isEqualTo(3);
    assertThat(summary.getPlaces()).isEqualTo(2);
    assertThat(summary.getMetres()).isEqualTo(60);
  }

  @Test
  void earlierNotesOfAPointAreReturned() {
    assertThat(walk.leave(List.of(note("first")))).isEmpty();
    assertThat(walk.leave(List.of(note("second"), note("third"))))
        .containsExactly("first", "first", "second");
  }

  @Test
  void aPointHasRoomForALimitedNumberOfNotes() {
    AtomicInteger left = new AtomicInteger();
    try (ExecutorService walkers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 150; i++) {
        walkers.execute(() -> {
          walk.leave(List.of(note("again")));
          left.incrementAndGet();
        });
      }
    }
    assertThat(left).hasValue(100);
    assertThatThrownBy(() -> walk.leave(List.of(note("one more"))))
        .hasMessage("RESOURCE_EXHAUSTED: a point has room for 100 notes");
  }

  @Test
  void theGuideHasRoomForNotesOfALimitedNumberOfPoints() {
    List<Note> all =
        IntStream.range(0, 1_000)
            .mapToObj(it -> Note.newBuilder().setPoint(point(it, 0)).setText("here").build())
            .toList();
    assertThat(walk.leave(all)).isEmpty();
    assertThatThrownBy(() -> walk.leave(List.of(note("one more"))))
        .hasMessage("RESOURCE_EXHAUSTED: there is room for notes of 1000 points");
    assertThat(walk.leave(all.subList(0, 1))).containsExactly("here");
  }
}
