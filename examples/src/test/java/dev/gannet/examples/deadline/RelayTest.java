package dev.gannet.examples.deadline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.AsyncCalls;
import dev.gannet.examples.greeter.Greeter;
import dev.gannet.examples.greeter.GreeterClient;
import dev.gannet.examples.greeter.GreeterMethods;
import dev.gannet.examples.greeter.HelloReply;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.testing.FakeServer;
import dev.gannet.testing.GannetExtension;
import dev.gannet.testing.ReceivedCall;
import dev.gannet.testing.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A call through a relay has one deadline, and is cancelled as a whole. */
final class RelayTest {
  private static final HelloRequest ADA = HelloRequest.newBuilder().setName("Ada").build();
  private static final Duration BOUND = Duration.ofSeconds(10);

  @RegisterExtension final GannetExtension gannet = GannetExtension.inProcess();

  private FakeServer backend;
  private GreeterClient relay;

  @BeforeEach
  void start() {
    backend = gannet.fake(new Greeter() {});
    relay = GreeterClient.of(gannet.channelTo(new Relay(gannet.channelTo(backend.address()))));
  }

  private ReceivedCall<HelloRequest> atBackend() throws InterruptedException {
    return backend.awaitCalls(GreeterMethods.SAY_HELLO, 1, BOUND).getFirst();
  }

  @Test
  void theBackendAnswers() throws InterruptedException {
    backend.on(
        GreeterMethods.SAY_HELLO, Reply.of(HelloReply.newBuilder().setMessage("hello").build()));
    assertThat(relay.sayHello(ADA).getMessage()).isEqualTo("hello");
    assertThat(atBackend().requests()).containsExactly(ADA);
  }

  @Test
  void theRemainingTimeIsPassedToTheBackend() throws InterruptedException {
    backend.on(GreeterMethods.SAY_HELLO, Reply.none());
    assertThatThrownBy(() -> relay.withDeadline(Duration.ofMillis(200)).sayHello(ADA))
        .isInstanceOf(StatusException.class)
        .hasMessageStartingWith("DEADLINE_EXCEEDED");
    assertThat(atBackend().deadline().orElseThrow().remainingNanos())
        .isLessThan(Duration.ofMillis(200).toNanos());
  }

  @Test
  void cancellationIsPassedToTheBackend() throws InterruptedException {
    backend.on(GreeterMethods.SAY_HELLO, Reply.none());
    CompletableFuture<HelloReply> reply =
        AsyncCalls.unary(relay.channel(), GreeterMethods.SAY_HELLO, relay.options(), ADA);
    ReceivedCall<HelloRequest> received = atBackend();
    reply.cancel(true);
    while (!received.isCancelled()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void onlyFailuresThatArePassedOnReachTheCaller() {
    backend.on(
        GreeterMethods.SAY_HELLO,
        Reply.failure(Status.NOT_FOUND.withDescription("no such user")),
        Reply.failure(Status.DATA_LOSS.withDescription("disk 7 is broken")));
    assertThatThrownBy(() -> relay.sayHello(ADA)).hasMessage("NOT_FOUND: no such user");
    assertThatThrownBy(() -> relay.sayHello(ADA))
        .hasMessageStartingWith("UNKNOWN")
        .hasMessageNotContaining("disk 7");
  }
}
