package dev.gannet.client.subchannel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Registration;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.Status;
import dev.gannet.client.FakeConnector;
import dev.gannet.client.FakeStream;
import dev.gannet.client.FakeTransport;
import dev.gannet.client.TestChannel;
import dev.gannet.client.TestResolver;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.Subchannel;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.NotProcessed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A call that a subchannel keeps open for its policy. */
final class SubchannelWatchTest {
  private static final MethodDescriptor<String, String> METHOD =
      TestChannel.method(MethodType.SERVER_STREAMING);

  private final class Heard implements Subchannel.Watcher<String> {
    @Override
    public void onOpened() {
      heard.add("opened");
    }

    @Override
    public void onMessage(String message) {
      heard.add(message);
    }

    @Override
    public void onEnded(Status why) {
      heard.add(why.toString());
    }
  }

  private final TestChannel test = new TestChannel();
  private final SubchannelOwner channel = new SubchannelOwner(test);
  private final List<String> heard = new ArrayList<>();
  private Endpoint endpoint = Endpoint.of(TestResolver.address(1));
  private Optional<ManagedSubchannel> made = Optional.empty();
  private Optional<Registration> watch = Optional.empty();

  private ManagedSubchannel subchannel() {
    if (made.isEmpty()) {
      made =
          Optional.of(
              new ManagedSubchannel(
                  test.settings(),
                  channel,
                  Runnable::run,
                  endpoint,
                  (it, state) -> {},
                  CallTracker.NONE));
    }
    return made.get();
  }

  private void watch() {
    watch = Optional.of(subchannel().watch(METHOD, "ask", new Heard()));
  }

  private FakeTransport ready() {
    subchannel().connect();
    FakeConnector.Dial dial = test.dial();
    dial.becomesReady();
    return dial.transport;
  }

  private FakeTransport watched() {
    watch();
    return ready();
  }

  @Test
  void itStartsWhenTheConnectionIsReady() {
    watch();
    assertThat(heard).isEmpty();
    FakeTransport transport = ready();
    assertThat(heard).containsExactly("opened");
    FakeStream<?> call = transport.stream();
    assertThat(call.start.method()).isEqualTo(METHOD);
    assertThat(call.start.authority()).isEmpty(); // that of the connection
    assertThat(call.start.deadline()).isEmpty();
    assertThat(call.told).containsExactly("ask (not compressed)", "half-close", "flush");
    assertThat(call.requests).isOne();
    assertThat(call.events.isMessageRequested()).isTrue();
  }

  @Test
  void itStartsAtOnceOnAnExistingConnection() {
    FakeTransport transport = ready();
    assertThat(transport.streams).isEmpty();
    watch();
    assertThat(transport.streams).hasSize(1);
  }

  @Test
  void messagesAreDeliveredOneByOne() {
    FakeStream<?> call = watched().stream();
    call.answersHeaders();
    call.answers("one");
    call.answers("two");
    assertThat(heard).containsExactly("opened", "one", "two");
    assertThat(call.consumedBytes).isEqualTo(6);
    assertThat(call.requests).isEqualTo(3);
  }

  @Test
  void aCallThatTheServerEndsIsRestartedAfterTheBackoff() {
    FakeTransport transport = watched();
    transport.stream().endsWith(Status.UNAVAILABLE.withDescription("no"));
    assertThat(heard).containsExactly("opened", "UNAVAILABLE: no");
    test.loop.advance(Duration.ofMillis(799));
    assertThat(transport.streams).hasSize(1);
    test.loop.advance(Duration.ofMillis(401));
    assertThat(transport.streams).hasSize(2);
    transport.stream().endsWith(Status.OK);
    test.loop.advance(Duration.ofMillis(1_200));
    assertThat(transport.streams).hasSize(2);
    test.loop.advance(Duration.ofMillis(720));
    assertThat(transport.streams).hasSize(3);
    assertThat(heard).endsWith("opened", "OK", "opened");
  }

  private void endBackoffs() {
    channel.tasks.run(subchannel()::resetBackoffInTask);
  }

  @Test
  void itsBackoffEndsWithThoseOfTheChannel() {
    FakeTransport transport = watched();
    for (int i = 1; i <= 5; i++) {
      assertThat(transport.streams).hasSize(i);
      transport.stream().endsWith(Status.UNAVAILABLE);
      endBackoffs();
    }
    assertThat(transport.streams).hasSize(6);
    assertThat(heard).endsWith("opened", "UNAVAILABLE", "opened");
    assertThat(test.loop.pendingTasks()).isZero();
    endBackoffs(); // of a call that is running: nothing comes of it
    transport.stream().endsWith(Status.UNAVAILABLE);
    test.loop.advance(Duration.ofMillis(1_200)); // it is the first backoff again
    assertThat(transport.streams).hasSize(7);
  }

  @Test
  void afterAMessageItRestartsAtOnceButAtMostOncePerSecond() {
    FakeTransport transport = watched();
    test.loop.advance(Duration.ofMinutes(1));
    transport.stream().answers("one");
    transport.stream().endsWith(Status.OK);
    test.loop.runUntilIdle();
    assertThat(transport.streams).hasSize(2);
    transport.stream().answers("two");
    transport.stream().endsWith(Status.OK);
    test.loop.advance(Duration.ofMillis(999));
    assertThat(transport.streams).hasSize(2);
    test.loop.advance(Duration.ofMillis(1));
    assertThat(transport.streams).hasSize(3);
  }

  @Test
  void aServerThatDoesNotKnowTheMethodIsAskedAgainOnItsNextConnectionOnly() {
    FakeTransport transport = watched();
    transport.stream().endsWith(Status.UNIMPLEMENTED.withDescription("what?"));
    assertThat(heard).endsWith("UNIMPLEMENTED: what?");
    assertThat(test.loop.pendingTasks()).isZero();
    assertThat(subchannel().values().events().events().getLast().description())
        .contains(METHOD.fullMethodName(), "what?");
    test.dial().goesAway();
    assertThat(ready().streams).hasSize(1);
    assertThat(transport.streams).hasSize(1);
  }

  @Test
  void itIsCancelledWhenItsConnectionGoesAway() {
    FakeStream<?> call = watched().stream();
    test.dial().goesAway();
    assertThat(call.cancellations).hasSize(1);
    assertThat(heard).containsExactly("opened"); // which the policy knows from the state
    test.dial().isGone("done");
    assertThat(ready().streams).hasSize(1);
  }

  @Test
  void aBackoffEndsWithTheConnection() {
    watched().stream().endsWith(Status.OK);
    test.dial().goesAway();
    assertThat(test.loop.pendingTasks()).isZero();
  }

  @Test
  void itIsCancelledWhenTheSubchannelIsShutDown() {
    FakeStream<?> call = watched().stream();
    subchannel().shutdown();
    assertThat(call.cancellations).hasSize(1);
    test.dial().isGone("done");
    assertThat(channel.overs).isOne();
    watch(); // of one that is shut down: nothing comes of it
    assertThat(heard).containsExactly("opened");
  }

  @Test
  void aStoppedWatchIsNotNotifiedAgain() {
    FakeStream<?> call = watched().stream();
    watch.orElseThrow().close();
    assertThat(call.cancellations).hasSize(1);
    call.answers("late");
    test.dial().goesAway();
    assertThat(ready().streams).isEmpty();
    assertThat(heard).containsExactly("opened");
    assertThat(test.loop.pendingTasks()).isZero();
  }

  @Test
  void aWatchCallThatWasNotProcessedIsStartedAgainAfterABackoff() {
    FakeTransport transport = watched();
    assertThat(transport.stream().isNotProcessed(NotProcessed.REFUSED)).isFalse();
    test.loop.advance(Duration.ofMillis(1_200));
    assertThat(transport.streams).hasSize(2);
  }

  @Test
  void aMessageThatCannotBeReadEndsTheCall() {
    FakeStream<?> call = watched().stream();
    call.answersLate("unparsable", MessageEncoding.IDENTITY);
    assertThat(heard).endsWith("INTERNAL: a message of the health or load watch cannot be parsed");
    assertThat(call.cancellations).hasSize(1);
  }

  @Test
  void aCallThatCannotBeginIsTriedAgain() {
    watch();
    subchannel().connect();
    FakeConnector.Dial dial = test.dial();
    dial.transport.thrownByOpen = Optional.of(new Error("no memory"));
    dial.becomesReady();
    assertThat(heard)
        .containsExactly("opened", "INTERNAL: the health or load watch cannot be started");
    dial.transport.thrownByOpen = Optional.empty();
    test.loop.advance(Duration.ofMillis(1_200));
    assertThat(dial.transport.streams).hasSize(1);
  }

  /** Answers when the test says so. */
  private static final class Late implements CallCredentials {
    private final CompletableFuture<Metadata> answer = new CompletableFuture<>();

    @Override
    public CompletionStage<Metadata> headersFor(Request request) {
      return answer;
    }
  }

  private static Metadata token() {
    Metadata token = new Metadata();
    token.set(Metadata.Key.ascii("authorization"), "me");
    return token;
  }

  @Test
  void itSendsTheCallCredentialsOfTheChannel() {
    Late late = new Late();
    test.callCredentials = Optional.of(late);
    FakeTransport transport = watched();
    assertThat(transport.streams).isEmpty();
    late.answer.complete(token());
    assertThat(transport.stream().start.headers().get(Metadata.Key.ascii("authorization")))
        .hasValue("me");
  }

  @Test
  void itsCredentialsSeeTheAuthorityOfTheEndpoint() {
    List<String> authorities = new ArrayList<>();
    CallCredentials credentials =
        request -> {
          authorities.add(request.authority());
          return CompletableFuture.completedFuture(token());
        };
    test.callCredentials = Optional.of(credentials);
    endpoint = endpoint.withAuthority("b.example");
    watched();
    assertThat(authorities).containsExactly("b.example");
  }

  @Test
  void credentialsThatAnswerAfterItsEndStartNothing() {
    Late late = new Late();
    test.callCredentials = Optional.of(late);
    FakeTransport transport = watched();
    watch.orElseThrow().close();
    late.answer.complete(token());
    assertThat(transport.streams).isEmpty();
  }

  @Test
  void credentialsThatFailAreAskedAgainAfterTheBackoff() {
    Late late = new Late();
    test.callCredentials = Optional.of(late);
    FakeTransport transport = watched();
    late.answer.completeExceptionally(new IllegalStateException("no key"));
    assertThat(heard).hasSize(2).last().asString().contains("UNAUTHENTICATED", "no key");
    assertThat(transport.streams).isEmpty();
    test.loop.advance(Duration.ofMillis(1_200));
    assertThat(heard).hasSize(4);
  }

  @Test
  void credentialsThatNeverAnswerAreAskedAgainAfterAMinute() {
    List<CompletableFuture<Metadata>> asked = new ArrayList<>();
    CallCredentials credentials =
        request -> {
          asked.add(new CompletableFuture<>());
          return asked.getLast();
        };
    test.callCredentials = Optional.of(credentials);
    FakeTransport transport = watched();
    test.loop.advance(Duration.ofSeconds(60));
    assertThat(heard).hasSize(2).last().asString().contains("UNAVAILABLE", "60 s");
    test.loop.advance(Duration.ofMillis(1_200));
    asked.getFirst().complete(token());
    assertThat(transport.streams).isEmpty();
    asked.get(1).complete(token());
    assertThat(transport.streams).hasSize(1);
    test.loop.advance(Duration.ofMinutes(5));
    assertThat(heard).containsExactly("opened", heard.get(1), "opened");
  }

  @Test
  void credentialsAreNotSentOverAPlaintextConnection() {
    test.callCredentials = Optional.of(new Late());
    test.securityLevel = SecurityLevel.NONE;
    assertThat(watched().streams).isEmpty();
    assertThat(heard).last().asString().contains("UNAUTHENTICATED", "use TLS");
  }
}
