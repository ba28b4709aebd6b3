package dev.gannet.examples.answering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.ManagedChannel;
import dev.gannet.examples.greeter.Greeter;
import dev.gannet.examples.greeter.GreeterAsyncClient;
import dev.gannet.examples.greeter.GreeterClient;
import dev.gannet.examples.greeter.GreeterMethods;
import dev.gannet.examples.greeter.HelloReply;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.testing.FakeServer;
import dev.gannet.testing.GannetExtension;
import dev.gannet.testing.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that fails again and again gets no calls for a while. */
final class CircuitBreakerTest {
  private static final Duration REST = Duration.ofSeconds(10);
  private static final HelloRequest ADA = HelloRequest.newBuilder().setName("Ada").build();
  private static final HelloReply HELLO = HelloReply.newBuilder().setMessage("Hello Ada").build();

  @RegisterExtension final GannetExtension gannet = GannetExtension.onLoopback();

  private final AtomicLong nanos = new AtomicLong();
  private FakeServer fake;
  private ManagedChannel channel;

  @BeforeEach
  void serve() {
    fake = gannet.fake(new Greeter() {});
    fake.on(GreeterMethods.SAY_HELLO, Reply.failure(Status.UNAVAILABLE));
    CircuitBreaker breaker = new CircuitBreaker(REST, nanos::get);
    channel = gannet.channelTo(fake.address(), it -> it.intercept(breaker));
  }

  private Status failure() {
    return catchThrowableOfType(
            StatusException.class, () -> GreeterClient.of(channel).sayHello(ADA))
        .status();
  }

  private void failManyTimes() {
    for (int i = 0; i < CircuitBreaker.MANY; i++) {
      assertThat(failure().description().orElse("")).doesNotContain("circuit");
    }
  }

  @Test
  void manyFailuresInARowOpenTheCircuit() {
    failManyTimes();
    assertThat(failure()).hasToString("UNAVAILABLE: the circuit is open after 5 failed calls");
    assertThat(fake.calls(GreeterMethods.SAY_HELLO)).hasSize(CircuitBreaker.MANY);
  }

  @Test
  void aServerThatWorksAgainIsCalledAfterAWhile() {
    failManyTimes();
    nanos.addAndGet(REST.toNanos());
    fake.on(GreeterMethods.SAY_HELLO, Reply.of(HELLO), Reply.failure(Status.UNAVAILABLE));
    assertThat(GreeterClient.of(channel).sayHello(ADA)).isEqualTo(HELLO);
    failManyTimes(); // in a row, after one that has not failed
  }

  @Test
  void aServerThatStillFailsGetsOneCall() {
    failManyTimes();
    nanos.addAndGet(REST.toNanos());
    assertThat(failure().description().orElse("")).doesNotContain("circuit");
    assertThat(failure().description().orElse("")).contains("circuit");
  }

  @Test
  void callsUnderWayEndWhenTheCircuitOpens() throws InterruptedException {
    fake.on(GreeterMethods.SAY_HELLO, Reply.none(), Reply.failure(Status.UNAVAILABLE));
    CompletableFuture<HelloReply> waiting = GreeterAsyncClient.of(channel).sayHello(ADA);
    fake.awaitCalls(GreeterMethods.SAY_HELLO, 1, Duration.ofMinutes(1));
    failManyTimes();
    assertThat(waiting.handle((reply, thrown) -> thrown).join())
        .hasMessageContaining("the circuit is open");
  }
}
