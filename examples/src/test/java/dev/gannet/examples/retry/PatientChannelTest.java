package dev.gannet.examples.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.examples.greeter.Greeter;
import dev.gannet.examples.greeter.GreeterAsyncClient;
import dev.gannet.examples.greeter.GreeterMethods;
import dev.gannet.examples.greeter.HelloReply;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.testing.FakeServer;
import dev.gannet.testing.GannetExtension;
import dev.gannet.testing.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls are tried again by the policy; the backoff between them takes no time in a test. */
final class PatientChannelTest {
  private static final HelloRequest ADA = HelloRequest.newBuilder().setName("Ada").build();
  private static final HelloReply HELLO = HelloReply.newBuilder().setMessage("Hello Ada").build();

  @RegisterExtension final GannetExtension gannet = GannetExtension.inVirtualTime();

  private FakeServer fake;
  private GreeterAsyncClient greeter;

  @BeforeEach
  void serve() {
    fake = gannet.fake(new Greeter() {});
    greeter = GreeterAsyncClient.of(gannet.channelTo(fake.address(), PatientChannel::retrying));
  }

  @Test
  void aCallIsTriedAgainUntilItIsAnswered() {
    fake.on(
        GreeterMethods.SAY_HELLO,
        Reply.failure(Status.UNAVAILABLE),
        Reply.failure(Status.UNAVAILABLE),
        Reply.of(HELLO));
    CompletableFuture<HelloReply> reply = greeter.sayHello(ADA);
    gannet.clock().advance(Duration.ofSeconds(1));
    assertThat(reply).isCompletedWithValue(HELLO);
    assertThat(fake.calls(GreeterMethods.SAY_HELLO)).hasSize(3);
  }

  @Test
  void aServerThatKeepsFailingIsTriedAFewTimes() {
    fake.on(GreeterMethods.SAY_HELLO, Reply.failure(Status.UNAVAILABLE));
    CompletableFuture<HelloReply> reply = greeter.sayHello(ADA);
    gannet.clock().advance(Duration.ofSeconds(9));
    assertThat(fake.calls(GreeterMethods.SAY_HELLO)).hasSize(PatientChannel.MOST_ATTEMPTS);
    assertFailsWith(Status.Code.UNAVAILABLE, reply);
  }

  @Test
  void aMistakeOfTheCallerIsNotRepeated() {
    fake.on(GreeterMethods.SAY_HELLO, Reply.failure(Status.INVALID_ARGUMENT));
    assertFailsWith(Status.Code.INVALID_ARGUMENT, greeter.sayHello(ADA));
    assertThat(fake.calls(GreeterMethods.SAY_HELLO)).hasSize(1);
  }

  private static void assertFailsWith(Status.Code code, CompletableFuture<?> reply) {
    assertThatThrownBy(reply::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            StatusException.class, e -> assertThat(e.status().code()).isEqualTo(code));
  }
}
