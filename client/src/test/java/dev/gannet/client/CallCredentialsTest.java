package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallOptions;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Metadata;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.Status;
import dev.gannet.transport.NotProcessed;
import dev.gannet.transport.http2.Http2Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Call credentials are called for each attempt of a call, and their failure ends the call. */
final class CallCredentialsTest {
  private static final Metadata.Key<String> NAME = Metadata.Key.ascii("name");

  private final TestChannel test = new TestChannel();
  private final Asked asked = new Asked();
  private final FakeTransport transport = test.connected();

  /** Answers when a test says so. */
  private static final class Asked implements CallCredentials {
    final List<Request> requests = new ArrayList<>();
    final List<CompletableFuture<Metadata>> answers = new ArrayList<>();

    @Override
    public CompletionStage<Metadata> headersFor(Request request) {
      requests.add(request);
      answers.add(new CompletableFuture<>());
      return answers.getLast();
    }

    void answers(String name) {
      answers.getLast().complete(named(name));
    }

    void fails(Throwable why) {
      answers.getLast().completeExceptionally(why);
    }
  }

  private static Metadata named(String name) {
    Metadata headers = new Metadata();
    headers.add(NAME, name);
    return headers;
  }

  private static CallCredentials fixed(String name) {
    return request -> CompletableFuture.completedStage(named(name));
  }

  private static CallOptions with(CallCredentials credentials) {
    return CallOptions.DEFAULT.withCallCredentials(credentials);
  }

  private List<String> namesSent() {
    return transport.stream().start.headers().getAll(NAME);
  }

  @Test
  void headersOfCredentialsAreSentWithTheRequest() {
    test.call(with(fixed("me")));
    assertThat(namesSent()).containsExactly("me");
    assertThat(transport.stream().told).containsExactly("request", "half-close", "flush");
  }

  @Test
  void aCallWaitsForItsHeaders() {
    test.call(with(asked));
    assertThat(transport.streams).hasSize(1);
    asked.answers("me");
    assertThat(namesSent()).containsExactly("me");
    assertThat(transport.stream().told).containsExactly("request", "half-close", "flush");
  }

  @Test
  void credentialsSeeTheCallForWhichTheyAreAsked() {
    test.call(test.within(Duration.ofSeconds(5)).withCallCredentials(asked));
    CallCredentials.Request request = asked.requests.getFirst();
    assertThat(request.method()).isEqualTo(TestChannel.UNARY);
    assertThat(request.authority()).isEqualTo("name");
    assertThat(request.securityLevel()).isEqualTo(SecurityLevel.PRIVACY_AND_INTEGRITY);
    assertThat(request.options().callCredentials()).contains(asked);
    assertThat(request.deadline().orElseThrow().remainingNanos()).isEqualTo(5_000_000_000L);
    assertThat(request.serviceUri()).isEqualTo("https://name/test.Texts");
    assertFollowsNoFailure(request);
  }

  private static void assertFollowsNoFailure(CallCredentials.Request request) {
    assertThat(request.previousAttempts()).isZero();
    assertThat(request.previousFailure()).isEmpty();
    assertThat(request.previousHeaders().names()).isEmpty();
  }

  @Test
  void theUsualPortIsNotPartOfAnAudience() {
    test.call(with(asked).withAuthority("server:443"));
    test.call(with(asked).withAuthority("server:444"));
    assertThat(asked.requests)
        .extracting(CallCredentials.Request::serviceUri)
        .containsExactly("https://server/test.Texts", "https://server:444/test.Texts");
  }

  @Test
  void eachAttemptAsksTheCredentialsAgain() {
    TestCall call = test.call(with(asked));
    asked.answers("first");
    assertThat(transport.stream().isNotProcessed(NotProcessed.REFUSED)).isTrue();
    assertThat(asked.requests).hasSize(2);
    assertFollowsNoFailure(asked.requests.getLast()); // nobody has seen the first headers
    asked.answers("second");
    assertThat(namesSent()).containsExactly("second");
    transport.stream().answers("response");
    transport.stream().endsWith(Status.OK);
    assertThat(call.status().isOk()).isTrue();
  }

  @Test
  void headersOfTheChannelPrecedeThoseOfTheCall() {
    TestChannel other = new TestChannel();
    other.callCredentials = Optional.of(fixed("channel"));
    FakeTransport its = other.connected();
    assertThat(its.stream().start.headers().getAll(NAME)).containsExactly("channel");
    other.call(with(fixed("call").and(fixed("more"))));
    assertThat(its.stream().start.headers().getAll(NAME))
        .containsExactly("channel", "call", "more");
  }

  /** Credentials whose {@code and} does this. */
  private record Combining(Supplier<CallCredentials> and) implements CallCredentials {
    @Override
    public CompletionStage<Metadata> headersFor(Request request) {
      return CompletableFuture.completedStage(named("channel"));
    }

    @Override
    public CallCredentials and(CallCredentials next) {
      return and.get();
    }
  }

  @Test
  void aCallWhoseCredentialsCannotBeCombinedIsNotSentWithoutThem() {
    assertThat(statusIfCombinedBy(Nulls::none))
        .hasToString(
            "INTERNAL: the call credentials (Combining) failed: and(CallCredentials) returned null");
    Supplier<CallCredentials> throwing =
        () -> {
          throw new IllegalStateException("no order");
        };
    assertThat(statusIfCombinedBy(throwing))
        .hasToString("UNAUTHENTICATED: the call credentials (Combining) failed: no order");
  }

  private static Status statusIfCombinedBy(Supplier<CallCredentials> and) {
    TestChannel other = new TestChannel();
    other.callCredentials = Optional.of(new Combining(and));
    FakeTransport its = other.connected();
    int before = its.streams.size();
    TestCall call = other.call(with(fixed("call")));
    assertThat(its.streams).hasSize(before);
    return call.status();
  }

  @Test
  void theSecondCredentialsAreNotAskedIfTheFirstFail() {
    TestCall call =
        test.call(
            with(
                ((CallCredentials)
                        request -> CompletableFuture.failedStage(new IOException("no route")))
                    .and(asked)));
    assertThat(asked.requests).isEmpty();
    assertThat(call.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(call.text()).endsWith("failed: no route");
  }

  @Test
  void ioFailuresAreUnavailable() {
    TestCall call = test.call(with(asked));
    asked.fails(new CompletionException(new IOException("no route")));
    assertThat(call.status())
        .hasToString("UNAVAILABLE: the call credentials (Asked) failed: no route");
    TestCall other = test.call(with(asked));
    asked.fails(new UncheckedIOException("closed", new IOException()));
    assertThat(other.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void otherFailuresAreUnauthenticated() {
    TestCall call = test.call(with(asked));
    asked.fails(new IllegalStateException("no key"));
    assertThat(call.status())
        .hasToString("UNAUTHENTICATED: the call credentials (Asked) failed: no key");
    TestCall other =
        test.call(
            with(request -> {
              throw new IllegalStateException("no key");
            }));
    assertThat(other.status().code()).isEqualTo(Status.Code.UNAUTHENTICATED);
    TestCall bare = test.call(with(asked));
    asked.fails(new CompletionException("bare", null));
    assertThat(bare.text()).endsWith("failed: bare");
  }

  @Test
  void aStatusThrownByCredentialsIsKept() {
    TestCall call = test.call(with(asked));
    asked.fails(Status.PERMISSION_DENIED.withDescription("not you").asException());
    assertThat(call.status())
        .hasToString("PERMISSION_DENIED: the call credentials (Asked) failed: not you");
  }

  @ParameterizedTest
  @EnumSource(Status.Code.class)
  void codesThatOnlyServersMayUseBecomeInternal(Status.Code code) {
    TestCall call = test.call(with(asked));
    asked.fails(code.toStatus().withDescription("why").asException());
    boolean ofServers =
        List.of(
                Status.Code.OK,
                Status.Code.INVALID_ARGUMENT,
                Status.Code.NOT_FOUND,
                Status.Code.ALREADY_EXISTS,
                Status.Code.FAILED_PRECONDITION,
                Status.Code.ABORTED,
                Status.Code.OUT_OF_RANGE,
                Status.Code.DATA_LOSS)
            .contains(code);
    assertThat(call.status().code()).isEqualTo(ofServers ? Status.Code.INTERNAL : code);
    assertThat(call.text()).contains("why").contains(ofServers ? code.name() : "failed");
  }

  @Test
  void credentialsThatReturnNullEndTheCall() {
    TestCall call = test.call(with(asked));
    asked.answers.getLast().complete(Nulls.none());
    assertThat(call.status())
        .hasToString(
            "INTERNAL: the call credentials (Asked) returned null or completed with null instead of"
                + " Metadata");
    TestCall other = test.call(with(request -> Nulls.none()));
    assertThat(other.status().toString()).startsWith("INTERNAL").contains("returned null");
  }

  private static final List<CallCredentials> GIVING_NULL =
      List.of(
          new Named("no stage", request -> Nulls.none()),
          new Named("no headers", request -> CompletableFuture.completedStage(Nulls.none())));

  /** The same with a name. */
  private record Named(String name, CallCredentials credentials) implements CallCredentials {
    @Override
    public CompletionStage<Metadata> headersFor(Request request) {
      return credentials.headersFor(request);
    }
  }

  @Test
  void oneOfTwoCredentialsThatReturnsNullEndsTheCallAndIsNamed() {
    CallCredentials me = new Named("me", fixed("me"));
    for (CallCredentials none : GIVING_NULL) {
      TestCall first = test.call(with(none.and(me)));
      String why = none.name() + " returned null or completed with null instead of Metadata";
      assertThat(first.status())
          .hasToString(
              "INTERNAL: the call credentials (" + none.name() + " and me) failed: " + why);
      TestCall second = test.call(with(me.and(none)));
      assertThat(second.status())
          .hasToString(
              "INTERNAL: the call credentials (me and " + none.name() + ") failed: " + why);
    }
    assertThat(transport.streams).hasSize(1);
  }

  @Test
  void theDeadlineEndsTheWaitAndSaysSo() {
    TestCall call = test.call(test.within(Duration.ofSeconds(5)).withCallCredentials(asked));
    test.advance(Duration.ofSeconds(5));
    assertThat(call.status())
        .hasToString(
            "DEADLINE_EXCEEDED: deadline exceeded after 5 s, waiting for the call credentials"
                + " (Asked)");
    asked.answers("too late");
    assertThat(transport.streams).hasSize(1);
    assertThat(call.ends).hasSize(1);
  }

  @Test
  void credentialsThatDoNotAnswerEndTheirCallAfterAMinute() {
    TestCall call = test.call(with(asked));
    test.advance(Duration.ofSeconds(59));
    assertThat(call.isOver()).isFalse();
    test.advance(Duration.ofSeconds(1));
    assertThat(call.status())
        .hasToString("UNAVAILABLE: the call credentials (Asked) have not answered in 60 s");
    asked.answers("too late");
    assertThat(call.ends).hasSize(1);
    assertThat(transport.streams).hasSize(1);
    test.call(with(asked));
    asked.answers("me");
    assertThat(namesSent()).containsExactly("me");
    test.advance(Duration.ofMinutes(2));
    assertThat(transport.stream().cancellations).isEmpty();
  }

  @Test
  void ifTheTimerIsRefusedCredentialsAreWaitedForWithoutALimit() {
    test.pipes.refused.add(FakePipes.Service.SCHEDULE);
    TestCall call = test.call(with(asked));
    test.pipes.refused.clear();
    test.advance(Duration.ofMinutes(2));
    assertThat(call.isOver()).isFalse();
    asked.answers("me");
    assertThat(namesSent()).containsExactly("me");
  }

  @Test
  void aCancellationEndsTheWait() {
    TestCall call = test.call(with(asked));
    call.call.cancel("enough");
    assertThat(call.status()).hasToString("CANCELLED: enough");
    asked.fails(new IOException("too late"));
    assertThat(call.ends).hasSize(1);
  }

  @Test
  void shutdownNowEndsTheWait() {
    TestCall call = test.call(with(asked));
    test.channel().shutdownNow();
    assertThat(call.status())
        .hasToString("UNAVAILABLE: the channel was closed before the call ended");
    asked.answers("too late");
    assertThat(transport.streams).hasSize(1);
    assertThat(test.channel().isShutdown()).isTrue();
  }

  @Test
  void aChannelThatIsShutDownStillWaitsForCredentials() {
    TestCall call = test.call(with(asked));
    test.channel().shutdown();
    asked.answers("me");
    transport.stream().answers("response");
    transport.stream().endsWith(Status.OK);
    assertThat(call.status().isOk()).isTrue();
  }

  @Test
  void aCallMovesAndAsksAgainIfItsConnectionIsLost() {
    TestCall call = test.call(with(asked));
    asked.answers("first");
    assertThat(transport.stream().isNotProcessed(NotProcessed.NOT_SENT)).isTrue();
    asked.answers("second");
    transport.stream().answers("response");
    transport.stream().endsWith(Status.OK);
    assertThat(call.status().isOk()).isTrue();
  }

  @Test
  void onAPlaintextConnectionCredentialsAreNotAsked() {
    TestChannel clear = new TestChannel();
    clear.securityLevel = SecurityLevel.NONE;
    clear.connected();
    TestCall call = clear.call(with(asked));
    assertThat(call.status())
        .hasToString(
            "UNAUTHENTICATED: the call credentials (Asked) are not sent over a connection with"
                + " security level NONE: use TLS, or CallCredentials.overPlaintext()");
    assertThat(asked.requests).isEmpty();
  }

  @Test
  void onAPlaintextConnectionOnlyCredentialsThatAllowItAreSent() {
    TestChannel clear = new TestChannel();
    clear.securityLevel = SecurityLevel.NONE;
    FakeTransport its = clear.connected();
    clear.call(with(fixed("me").overPlaintext().overPlaintext()));
    assertThat(its.stream().start.headers().getAll(NAME)).containsExactly("me");
    TestCall mixed = clear.call(with(fixed("me").overPlaintext().and(fixed("secret"))));
    assertThat(mixed.status().code()).isEqualTo(Status.Code.UNAUTHENTICATED);
    TestCall turned = clear.call(with(fixed("secret").and(fixed("me").overPlaintext())));
    assertThat(turned.status().code()).isEqualTo(Status.Code.UNAUTHENTICATED);
  }

  @Test
  void aPlaintextChannelWithCredentialsIsNotBuilt() {
    ManagedChannelBuilder builder =
        ManagedChannel.builder("localhost", 1)
            .transport(Http2Transport.over(test.pipes))
            .credentials(
                ChannelCredentials.insecure()
                    .withCallCredentials(fixed("a"))
                    .withCallCredentials(fixed("b")));
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the channel's call credentials (")
        .hasMessageContaining(" and ")
        .hasMessageEndingWith(
            ") are not sent over plaintext: use TLS, or CallCredentials.overPlaintext()");
  }

  @Test
  void wrappedCredentialsHaveTheirOwnNames() {
    CallCredentials both = new Asked().overPlaintext().and(new Asked());
    assertThat(both.name()).isEqualTo("Asked and Asked");
  }

  /** Credentials of which nobody knows what they protect. */
  private record Unknown() implements ChannelCredentials {}

  @Test
  void unknownChannelCredentialsCountAsPlaintext() {
    ManagedChannelBuilder builder =
        ManagedChannel.builder("localhost", 1)
            .transport(Http2Transport.over(test.pipes))
            .credentials(new Unknown().withCallCredentials(fixed("a")));
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("are not sent over plaintext");
  }

  @Test
  void aStreamIsReportedReadyOnlyAfterItsHeadersAreKnown() {
    TestCall call = test.start(TestChannel.BIDI, with(asked));
    assertThat(call.heard).isEmpty();
    call.call.sendMessage("early");
    asked.answers("me");
    assertThat(transport.stream().told).containsExactly("flush", "early", "flush");
    assertThat(call.heard).containsExactly("ready");
  }
}
