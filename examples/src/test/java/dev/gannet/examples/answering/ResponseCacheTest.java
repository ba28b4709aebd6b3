package dev.gannet.examples.answering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.examples.routeguide.MyRouteGuide;
import dev.gannet.examples.routeguide.Note;
import dev.gannet.examples.routeguide.Place;
import dev.gannet.examples.routeguide.Point;
import dev.gannet.examples.routeguide.RouteGuideAsyncClient;
import dev.gannet.examples.routeguide.RouteGuideClient;
import dev.gannet.examples.routeguide.RouteGuideMethods;
import dev.gannet.testing.FakeServer;
import dev.gannet.testing.GannetExtension;
import dev.gannet.testing.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Equal requests are sent once, as long as the response is fresh. */
final class ResponseCacheTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Point HERE = Point.newBuilder().setEast(1).build();
  private static final Point THERE = Point.newBuilder().setEast(2).build();
  private static final Point ELSEWHERE = Point.newBuilder().setEast(3).build();
  private static final Place MILL = Place.newBuilder().setName("Mill").setPoint(HERE).build();

  @RegisterExtension final GannetExtension gannet = GannetExtension.onLoopback();

  private final AtomicLong nanos = new AtomicLong();
  private final ResponseCache cache = new ResponseCache(2, MINUTE, nanos::get);
  private FakeServer fake;
  private ManagedChannel channel;
  private RouteGuideClient guide;

  @BeforeEach
  void serve() {
    fake = gannet.fake(new MyRouteGuide(List.of()));
    fake.on(RouteGuideMethods.GET_PLACE, Reply.of(MILL));
    channel = gannet.channelTo(fake.address(), it -> it.intercept(cache));
    guide = RouteGuideClient.of(channel);
  }

  private int served() {
    return fake.calls(RouteGuideMethods.GET_PLACE).size();
  }

  @Test
  void anEqualRequestIsAnsweredWithoutTheServer() {
    assertThat(guide.getPlace(HERE)).isEqualTo(MILL);
    assertThat(guide.getPlace(HERE)).isEqualTo(MILL);
    assertThat(RouteGuideAsyncClient.of(channel).getPlace(HERE).join()).isEqualTo(MILL);
    assertThat(served()).isOne();
    guide.getPlace(THERE);
    assertThat(served()).isEqualTo(2);
  }

  @Test
  void anOldResponseIsNotUsed() {
    guide.getPlace(HERE);
    nanos.addAndGet(MINUTE.toNanos());
    guide.getPlace(HERE);
    assertThat(served()).isEqualTo(2);
  }

  @Test
  void theResponsesThatWereUsedLastAreKept() {
    guide.getPlace(HERE);
    guide.getPlace(THERE);
    guide.getPlace(HERE);
    guide.getPlace(ELSEWHERE); // in place of that from there
    guide.getPlace(HERE);
    assertThat(served()).isEqualTo(3);
    guide.getPlace(THERE);
    assertThat(served()).isEqualTo(4);
  }

  @Test
  void aFailureIsNotKept() {
    fake.on(RouteGuideMethods.GET_PLACE, Reply.failure(Status.UNAVAILABLE), Reply.of(MILL));
    assertThatThrownBy(() -> guide.getPlace(HERE)).hasMessageStartingWith("UNAVAILABLE");
    assertThat(guide.getPlace(HERE)).isEqualTo(MILL);
  }

  @Test
  void streamsAreNotKept() {
    try (var chat = guide.chat()) {
      chat.send(Note.newBuilder().setPoint(HERE).setText("hello").build());
      chat.halfClose();
      assertThat(chat.hasNext()).isFalse();
    }
  }
}
