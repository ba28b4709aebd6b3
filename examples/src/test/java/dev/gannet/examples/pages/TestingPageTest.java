package dev.gannet.examples.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gannet.api.CallContext;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.examples.auth.PersonalGreeter;
import dev.gannet.examples.greeter.Greeter;
import dev.gannet.examples.greeter.GreeterAsyncClient;
import dev.gannet.examples.greeter.GreeterClient;
import dev.gannet.examples.greeter.GreeterMethods;
import dev.gannet.examples.greeter.HelloReply;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.examples.greeter.MyGreeter;
import dev.gannet.examples.greeter.RepeatRequest;
import dev.gannet.server.Server;
import dev.gannet.testing.FakeServer;
import dev.gannet.testing.FaultyNetwork;
import dev.gannet.testing.GannetExtension;
import dev.gannet.testing.PolicyTestbed;
import dev.gannet.testing.Reply;
import dev.gannet.testing.ResolverTestbed;
import dev.gannet.testing.StreamRecorder;
import dev.gannet.testing.Testbed;
import dev.gannet.testing.VirtualClock;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of {@code docs/testing.md}, between marks; {@link PagesTest} compares them. */
@Timeout(60)
final class TestingPageTest {
  private static final HelloRequest ada = HelloRequest.newBuilder().setName("Ada").build();
  private static final HelloReply hello = HelloReply.newBuilder().setMessage("Hello Ada").build();

  @Test
  void policy() {
    // begin policy
    SocketAddress one = InetSocketAddress.createUnresolved("one.example", 50_051);
    SocketAddress other = InetSocketAddress.createUnresolved("other.example", 50_051);
    try (PolicyTestbed policy = PolicyTestbed.of(LoadBalancerProvider.roundRobin())) {
      policy.resolves(one, other); // the policy lets both connect
      policy.subchannel(one).becomesReady();
      policy.subchannel(other).fails(Status.UNAVAILABLE.withDescription("no route"));
      assertEquals(List.of(one, one), policy.addressesOfCalls(2));

      policy.subchannel(other).backoffEnds(); // and it connects again
      policy.subchannel(other).becomesReady();
      assertEquals(Set.of(one, other), Set.copyOf(policy.addressesOfCalls(2)));

      policy.subchannel(one).losesConnection();
      PolicyTestbed.Call call = policy.startCall(); // its CallTracker sees it
      assertEquals(other, call.subchannel().address());
      call.ends(Status.OK);
    }
    // end
  }

  @Test
  void resolver() {
    // begin resolver
    List<Integer> ports = new ArrayList<>(List.of(50_051));
    try (ResolverTestbed resolver =
        ResolverTestbed.of(new PolledPorts(() -> ports), "ports:///localhost")) {
      resolver.start();
      assertEquals("Resolved[[localhost/<unresolved>:50051]]", resolver.lastResult().toString());

      ports.add(50_052);
      resolver.clock().advance(Duration.ofMinutes(1)); // it looks again
      assertEquals(2, ((Resolution.Resolved) resolver.lastResult()).endpoints().size());
    }
    // end
  }

  // begin fake client
  static final class FakeGreeterClient implements GreeterClient {
    @Override
    public HelloReply sayHello(HelloRequest request) {
      return hello;
    }
  }

  // end

  @Test
  void aFakeClientIsAClient() {
    GreeterClient fake = new FakeGreeterClient();
    assertEquals(hello, fake.withDeadline(Duration.ofSeconds(1)).sayHello(ada));
  }

  // begin first test
  static final class GreeterTest {
    @RegisterExtension final GannetExtension gannet = GannetExtension.inProcess();

    @Test
    void greetsByName() {
      GreeterClient greeter = GreeterClient.of(gannet.channelTo(new MyGreeter()));
      assertEquals("Hello Ada", greeter.sayHello(ada).getMessage());
    }
  }

  // end

  @Nested
  final class RunsFirstTest {
    private final GreeterTest test = new GreeterTest();

    @RegisterExtension final GannetExtension gannet = test.gannet;

    @Test
    @SuppressWarnings("JUnitMethodInvoked") // nested classes of the page run as they stand
    void greetsByName() {
      test.greetsByName();
    }
  }

  @Test
  void withoutJUnit() {
    // begin without JUnit
    try (Testbed testbed = Testbed.onLoopback()) {
      Server server = testbed.serve(it -> it.add(new MyGreeter()).maxInboundMessageBytes(1_000));
      GreeterClient greeter =
          GreeterClient.of(testbed.channelTo(server, it -> it.userAgent("test/1.0")));
      assertEquals("Hello Ada", greeter.sayHello(ada).getMessage());
    }
    // end
  }

  @Nested
  final class InProcess {
    @RegisterExtension final GannetExtension gannet = GannetExtension.inProcess();

    @Test
    void aScript() throws InterruptedException {
      // begin fake server
      FakeServer fake = gannet.fake(new Greeter() {}); // or gannet.fake(new MyGreeter())
      fake.on(
          GreeterMethods.SAY_HELLO,
          Reply.failure(Status.UNAVAILABLE.withDescription("too busy")), // the first call
          Reply.of(hello).after(Duration.ofMillis(20)), // the second
          Reply.of(hello).goingAway()); // all others: GOAWAY, then the reply
      fake.onEach(
          GreeterMethods.GREET_ALL,
          requests -> Reply.failure(Status.INTERNAL.withDescription(requests.size() + " names")));

      GreeterClient greeter = GreeterClient.of(gannet.channelTo(fake.address()));
      assertThrows(StatusException.class, () -> greeter.sayHello(ada));
      assertEquals(hello, greeter.sayHello(ada));
      assertEquals(hello, greeter.sayHello(ada));
      assertEquals(3, fake.calls(GreeterMethods.SAY_HELLO).size());
      assertEquals(List.of(ada), fake.calls(GreeterMethods.SAY_HELLO).getFirst().requests());
      // end
      fake.on(GreeterMethods.SAY_HELLO, Reply.of(hello));
      // begin fake server stops
      fake.stop(); // connections are lost, and new ones are refused
      assertThrows(StatusException.class, () -> greeter.sayHello(ada)); // UNAVAILABLE
      fake.start(); // at the same address
      greeter.withWaitForReady().sayHello(ada); // once the channel's backoff is over
      // end
    }

    @Test
    void aRecorder() throws InterruptedException {
      // begin recorder
      GreeterAsyncClient greeter = GreeterAsyncClient.of(gannet.channelTo(new MyGreeter()));
      StreamRecorder<HelloReply> replies = StreamRecorder.requesting(1); // or create(): all
      greeter
          .repeatHello(RepeatRequest.newBuilder().setName("Ada").setTimes(3).build())
          .subscribe(replies);
      assertEquals("Hello Ada (1)", replies.next(Duration.ofSeconds(5)).getMessage());
      replies.request(2);
      assertEquals(3, replies.awaitCompletion(Duration.ofSeconds(5)).size());
      // end
    }

    @Test
    void aTranscript() {
      GreeterClient greeter = GreeterClient.of(gannet.channelTo(new MyGreeter()));
      greeter.sayHello(ada);
      // begin transcript
      assertTrue(gannet.transcript().lines().getFirst().contains("Greeter/SayHello"));
      // end
    }
  }

  // begin virtual clock
  static final class PatienceTest {
    @RegisterExtension final GannetExtension gannet = GannetExtension.inVirtualTime();

    @Test
    void aCallThatIsNotAnsweredMissesItsDeadline() {
      FakeServer fake = gannet.fake(new Greeter() {});
      fake.on(GreeterMethods.SAY_HELLO, Reply.none());
      GreeterAsyncClient greeter =
          GreeterAsyncClient.of(gannet.channelTo(fake.address()))
              .withDeadline(Duration.ofMinutes(5));

      CompletableFuture<HelloReply> reply = greeter.sayHello(ada);
      gannet.clock().advance(Duration.ofMinutes(4));
      assertFalse(reply.isDone());
      gannet.clock().advance(Duration.ofMinutes(1));
      assertTrue(reply.isCompletedExceptionally()); // DEADLINE_EXCEEDED
    }
  }

  // end

  @Nested
  final class RunsPatienceTest {
    private final PatienceTest test = new PatienceTest();

    @RegisterExtension final GannetExtension gannet = test.gannet;

    @Test
    @SuppressWarnings("JUnitMethodInvoked") // as above
    void aCallThatIsNotAnsweredMissesItsDeadline() {
      test.aCallThatIsNotAnsweredMissesItsDeadline();
    }
  }

  @Test
  void anotherThread() throws InterruptedException {
    VirtualClock clock = VirtualClock.create();
    try (Testbed testbed = Testbed.inProcess(clock)) {
      FakeServer fake = testbed.fake(new Greeter() {});
      GreeterClient greeter = GreeterClient.of(testbed.channelTo(fake.address()));
      // begin blocking caller
      fake.on(GreeterMethods.SAY_HELLO, Reply.of(hello).after(Duration.ofMinutes(1)));
      CompletableFuture<HelloReply> reply =
          CompletableFuture.supplyAsync(() -> greeter.sayHello(ada)); // blocks another thread
      fake.awaitDelayedReplies(1, Duration.ofSeconds(5)); // until it waits for its minute
      clock.advance(Duration.ofMinutes(1));
      assertEquals(hello, reply.join());
      // end
    }
  }

  @Nested
  final class OnLoopback {
    @RegisterExtension final GannetExtension gannet = GannetExtension.onLoopback();

    @Test
    void faults() {
      // begin faults
      FaultyNetwork network = gannet.networkTo(gannet.serve(new MyGreeter()), 42); // the seed
      GreeterClient greeter = GreeterClient.of(gannet.channelTo(network.address()));
      greeter.sayHello(ada);

      network.delay(Duration.ofMillis(10)).lose(5, Duration.ofMillis(200)); // 5 packets of 100
      greeter.sayHello(ada);

      network.stall(); // nothing passes, and nobody is told
      GreeterClient hasty = greeter.withDeadline(Duration.ofMillis(50));
      assertThrows(StatusException.class, () -> hasty.sayHello(ada)); // DEADLINE_EXCEEDED

      network.heal(); // all passes again
      assertEquals("Hello Ada", greeter.sayHello(ada).getMessage());
      network.cut(); // all connections are lost, and calls on them end with UNAVAILABLE
      // end
    }
  }

  @Test
  void aHandlerAlone() throws Exception {
    // begin handler alone
    HelloReply reply = new MyGreeter().sayHello(ada); // it is a plain object

    CallContext context = CallContext.forTest().build(); // if it reads its call context
    assertThrows(
        StatusException.class, () -> context.call(() -> new PersonalGreeter().sayHello(ada)));
    // end
    assertEquals(hello, reply);
  }
}
