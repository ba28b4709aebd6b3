package dev.gannet.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.FakeStream;
import dev.gannet.client.TestCall;
import dev.gannet.client.TestChannel;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryThrottling;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.retry.Pushback;
import dev.gannet.client.retry.RequestBuffer;
import dev.gannet.client.settings.RetrySettings;
import dev.gannet.transport.NotProcessed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What follows when something happens to an attempt, in every situation of a call that the rules of
 * gRFC A6 tell apart: compared with these rules, which are written down here once more.
 */
final class AttemptRulesTest {
  private static final int MAX_TOKENS = 8;
  private static final Duration RECEIVE_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration DELAY = Duration.ofMillis(100);
  private static final Duration LONG = Duration.ofHours(1);

  enum Policy {
    RETRIES(2),
    HEDGES(3);

    final int maxAttempts;

    Policy(int maxAttempts) {
      this.maxAttempts = maxAttempts;
    }
  }

  /** How an attempt after the first has begun. */
  enum Begun {
    BY_DELAY,
    BY_FAILURE
  }

  /** Which transparent retry there was before. */
  enum Moved {
    NEVER,
    NOT_SENT,
    REFUSED,
    /** Another attempt that still runs was refused. */
    OTHER_REFUSED
  }

  enum Commitment {
    NONE,
    BY_HEADERS,
    BY_OVERFLOW
  }

  /** The tokens of the channel when it happens. */
  enum Tokens {
    NOT_COUNTED,
    ALL,
    /** One more than those with which attempts are stopped. */
    FEW,
    TOO_FEW
  }

  /** What happens. */
  enum Event {
    OK,
    RETRYABLE,
    FATAL,
    REFUSED,
    NOT_SENT,
    /** The response does not begin in time. */
    RECEIVE_TIMEOUT,
    /** The delay of hedging passes. */
    DELAY;

    boolean isEnd() {
      return this == OK || this == RETRYABLE || this == FATAL;
    }
  }

  /** What the server says about further attempts. */
  enum Said {
    NOTHING,
    NOW,
    LATER,
    NEVER,
    NONSENSE,
    TWICE;

    boolean forbids() {
      return this == NEVER || this == NONSENSE || this == TWICE;
    }

    Metadata trailers() {
      List<String> values =
          switch (this) {
            case NOTHING -> List.of();
            case NOW -> List.of("0");
            case LATER -> List.of("300");
            case NEVER -> List.of("-1");
            case NONSENSE -> List.of("soon");
            case TWICE -> List.of("5", "5");
          };
      Metadata made = new Metadata();
      values.forEach(it -> made.add(Pushback.KEY, it));
      return made;
    }
  }

  /** How a call has got to where it is. */
  record Past(Policy policy, List<Begun> further, Moved moved, Commitment commitment) {
    int attempts() {
      return 1 + further.size();
    }

    /** How many run, before the call is committed. */
    int running() {
      return 1 + (int) further.stream().filter(it -> it == Begun.BY_DELAY).count();
    }

    boolean isPossible() {
      return policy == Policy.HEDGES
          ? moved != Moved.OTHER_REFUSED || running() > 1
          : moved != Moved.OTHER_REFUSED && running() == 1;
    }
  }

  record Situation(Past past, Tokens tokens, Event event, Said said) {
    boolean isPossible() {
      boolean movable = past.commitment == Commitment.NONE;
      return (said == Said.NOTHING || (event.isEnd() && event != Event.OK))
          && switch (event) {
            case REFUSED, NOT_SENT -> movable;
            case RECEIVE_TIMEOUT -> past.policy == Policy.RETRIES;
            case DELAY -> past.policy == Policy.HEDGES;
            case OK, RETRYABLE, FATAL -> true;
          };
    }
  }

  /** What follows. */
  sealed interface Outcome {
    /** The call ends. */
    record Ends(Status.Code code) implements Outcome {}

    /** Another attempt, or the same on another stream, begins between these times. */
    record Another(long fromMillis, long toMillis, boolean counted) implements Outcome {}

    /** The call goes on without another attempt. */
    record RunsOn() implements Outcome {}
  }

  /** The rules. */
  private static final class Rules {
    private int tokens = MAX_TOKENS;

    private void succeeds() {
      tokens = Math.min(MAX_TOKENS, tokens + 1);
    }

    private void takesToken() {
      tokens = Math.max(0, tokens - 1);
    }

    private boolean isOpen() {
      return 2 * tokens > MAX_TOKENS;
    }

    Outcome after(Situation it) {
      Past past = it.past;
      return switch (it.event) {
        case OK -> {
          succeeds();
          yield new Outcome.Ends(Status.Code.OK);
        }
        case NOT_SENT -> new Outcome.Another(0, 0, false);
        case REFUSED ->
            past.moved == Moved.REFUSED || past.moved == Moved.OTHER_REFUSED
                ? afterFailure(it, Status.Code.UNAVAILABLE)
                : new Outcome.Another(0, 0, false);
        case RETRYABLE -> afterFailure(it, Status.Code.UNAVAILABLE);
        case FATAL -> afterFailure(it, Status.Code.INTERNAL);
        case RECEIVE_TIMEOUT ->
            past.commitment == Commitment.BY_HEADERS
                ? new Outcome.RunsOn()
                : afterFailure(it, Status.Code.DEADLINE_EXCEEDED);
        case DELAY ->
            past.commitment == Commitment.NONE
                    && past.attempts() < past.policy.maxAttempts
                    && allows(it)
                ? new Outcome.Another(DELAY.toMillis(), DELAY.toMillis(), true)
                : new Outcome.RunsOn();
      };
    }

    private boolean allows(Situation it) {
      return it.tokens == Tokens.NOT_COUNTED || isOpen();
    }

    private Outcome afterFailure(Situation it, Status.Code code) {
      Past past = it.past;
      if (it.event != Event.FATAL || it.said.forbids()) {
        takesToken();
      }
      if (past.commitment != Commitment.NONE || it.event == Event.FATAL) {
        return new Outcome.Ends(code);
      }
      if (it.said.forbids() || !allows(it) || past.attempts() >= past.policy.maxAttempts) {
        return past.running() > 1 ? new Outcome.RunsOn() : new Outcome.Ends(code);
      }
      return switch (it.said) {
        case LATER -> new Outcome.Another(300, 300, true);
        case NOTHING ->
            past.policy == Policy.RETRIES
                ? new Outcome.Another(800, 1200, true)
                : new Outcome.Another(0, 0, true);
        default -> new Outcome.Another(0, 0, true);
      };
    }
  }

  /** One call in one situation, on a channel of its own. */
  private static final class Run {
    private final TestChannel test = new TestChannel();
    private final Rules rules = new Rules();
    private final Situation situation;
    private final MethodDescriptor<String, String> method;
    private final TestCall call;

    /** How many streams there were when it happened. */
    private int begun;

    /** The streams of the attempts that run. */
    private final List<FakeStream<?>> running = new ArrayList<>();

    Run(Situation situation, MethodDescriptor<String, String> method) {
      this.situation = situation;
      this.method = method;
      ServiceConfig.Builder config = ServiceConfig.builder().forAllMethods(config());
      if (isCounted()) {
        config.retryThrottling(RetryThrottling.of(MAX_TOKENS, 1));
      }
      test.serviceConfigs = test.serviceConfigs.withoutLookUp().withDefault(config.build());
      if (situation.past.commitment == Commitment.BY_OVERFLOW) {
        test.serviceConfigs =
            test.serviceConfigs.with(
                RetrySettings.DEFAULT.withCallBytes(
                    RequestBuffer.ENTRY_BYTES + "request".length()));
      }
      test.connected();
      call = test.start(method);
      call.call.request(1);
      running.add(newest());
    }

    private MethodConfig config() {
      if (situation.past.policy == Policy.HEDGES) {
        return MethodConfig.builder()
            .hedgingPolicy(
                HedgingPolicy.of(Policy.HEDGES.maxAttempts)
                    .withHedgingDelay(DELAY)
                    .withNonFatalStatusCodes(List.of(Status.Code.UNAVAILABLE)))
            .build();
      }
      var policy = RetryingCallTest.policy(Policy.RETRIES.maxAttempts);
      return MethodConfig.builder()
          .retryPolicy(
              situation.event == Event.RECEIVE_TIMEOUT
                  ? policy.withPerAttemptReceiveTimeout(RECEIVE_TIMEOUT)
                  : policy)
          .build();
    }

    private boolean isCounted() {
      return situation.tokens != Tokens.NOT_COUNTED;
    }

    private FakeStream<?> newest() {
      return test.dial().transport.stream();
    }

    private int streams() {
      return test.dial().transport.streams.size();
    }

    /** Checks what follows, and afterwards which tokens are left. */
    void check() {
      if (situation.past.commitment != Commitment.BY_OVERFLOW) {
        call.call.sendMessage("request");
      }
      situation.past.further.forEach(this::beginsAnother);
      moves();
      commits();
      spendTokens();
      FakeStream<?> target = target();
      Optional<String> previous = target.start.headers().get(RetryingCallTest.PREVIOUS);
      begun = streams();
      happensTo(target);
      assertFollows(rules.after(situation), previous);
      if (call.isOver()) {
        running.remove(target);
        assertThat(running).allMatch(it -> !it.cancellations.isEmpty());
      }
      call.call.cancel("seen");
      if (isCounted()) {
        checkTokens();
      }
    }

    /** The number of previous attempts that the next one sends. */
    private Optional<String> counted() {
      return Optional.of(Integer.toString(situation.past.attempts()));
    }

    private void assertFollows(Outcome expected, Optional<String> previous) {
      switch (expected) {
        case Outcome.Ends(Status.Code code) -> {
          assertThat(call.status().code()).isEqualTo(code);
          test.advance(LONG);
          assertThat(streams()).isEqualTo(begun);
        }
        case Outcome.Another another -> {
          assertBegins(another);
          assertThat(newest().start.headers().get(RetryingCallTest.PREVIOUS))
              .isEqualTo(another.counted() ? counted() : previous);
        }
        case Outcome.RunsOn() -> {
          test.advance(LONG);
          assertThat(streams()).isEqualTo(begun);
          assertThat(call.isOver()).isFalse();
        }
      }
    }

    private void assertBegins(Outcome.Another another) {
      assertThat(call.isOver()).isFalse();
      long waited = 0;
      if (another.fromMillis() > 0) {
        waited = another.fromMillis() - 1;
        test.advance(Duration.ofMillis(waited));
        assertThat(streams()).isEqualTo(begun);
      }
      test.advance(Duration.ofMillis(another.toMillis() - waited));
      assertThat(streams()).isEqualTo(begun + 1);
      assertThat(call.isOver()).isFalse();
    }

    private void beginsAnother(Begun how) {
      switch (how) {
        case BY_DELAY -> test.advance(DELAY);
        case BY_FAILURE -> {
          running.removeLast().endsWith(Status.UNAVAILABLE, Said.NOW.trailers());
          rules.takesToken();
        }
      }
      running.add(newest());
      assertThat(new ArrayList<>(running)).doesNotHaveDuplicates();
    }

    private void moves() {
      switch (situation.past.moved) {
        case NEVER -> {}
        case NOT_SENT -> moves(running.size() - 1, NotProcessed.NOT_SENT);
        case REFUSED -> moves(running.size() - 1, NotProcessed.REFUSED);
        case OTHER_REFUSED -> moves(0, NotProcessed.REFUSED);
      }
    }

    private void moves(int place, NotProcessed how) {
      assertThat(running.get(place).isNotProcessed(how)).isTrue();
      running.set(place, newest());
    }

    private void commits() {
      switch (situation.past.commitment) {
        case NONE -> {}
        case BY_HEADERS -> running.getLast().answersHeaders();
        case BY_OVERFLOW -> call.call.sendMessage("longer request");
      }
    }

    /** The attempt to which the call is committed, or the newest. */
    private FakeStream<?> target() {
      return situation.past.commitment == Commitment.BY_OVERFLOW
          ? running.getFirst() // all have got the same
          : running.getLast();
    }

    private void spendTokens() {
      int wanted =
          switch (situation.tokens) {
            case NOT_COUNTED, ALL -> MAX_TOKENS;
            case FEW -> MAX_TOKENS / 2 + 1;
            case TOO_FEW -> MAX_TOKENS / 2;
          };
      while (rules.tokens > wanted) {
        another(stream -> {
          stream.answersHeaders();
          stream.endsWith(Status.UNAVAILABLE);
        });
        rules.takesToken();
      }
    }

    private TestCall another(Consumer<FakeStream<?>> served) {
      TestCall other = test.start(method);
      other.call.request(1);
      FakeStream<?> first = newest();
      other.call.sendMessage("request");
      served.accept(first);
      return other;
    }

    private void happensTo(FakeStream<?> target) {
      switch (situation.event) {
        case OK -> {
          target.answers("response");
          target.endsWith(Status.OK);
        }
        case RETRYABLE -> target.endsWith(Status.UNAVAILABLE, situation.said.trailers());
        case FATAL -> target.endsWith(Status.INTERNAL, situation.said.trailers());
        case REFUSED -> target.isNotProcessed(NotProcessed.REFUSED);
        case NOT_SENT -> target.isNotProcessed(NotProcessed.NOT_SENT);
        case RECEIVE_TIMEOUT -> test.advance(RECEIVE_TIMEOUT);
        case DELAY -> {} // time passes where the outcome is checked
      }
    }

    /** Calls succeed and fail, and attempts follow as the tokens that are left allow. */
    private void checkTokens() {
      for (int successes : new int[] {0, 0, 2, 3, 1}) {
        for (int i = 0; i < successes; i++) {
          another(stream -> {
            stream.answers("response");
            stream.endsWith(Status.OK);
          });
          rules.succeeds();
        }
        TestCall probe = another(stream -> stream.endsWith(Status.UNAVAILABLE));
        rules.takesToken();
        assertThat(probe.isOver())
            .as("throttled with %d tokens", rules.tokens)
            .isEqualTo(!rules.isOpen());
        probe.call.cancel("seen");
      }
    }
  }

  private static final List<List<Begun>> FURTHER =
      List.of(
          List.of(),
          List.of(Begun.BY_DELAY),
          List.of(Begun.BY_FAILURE),
          List.of(Begun.BY_DELAY, Begun.BY_DELAY),
          List.of(Begun.BY_DELAY, Begun.BY_FAILURE),
          List.of(Begun.BY_FAILURE, Begun.BY_DELAY),
          List.of(Begun.BY_FAILURE, Begun.BY_FAILURE));

  private static List<Past> pasts(Policy policy) {
    List<Past> all = new ArrayList<>();
    for (List<Begun> further : FURTHER) {
      for (Moved moved : Moved.values()) {
        for (Commitment commitment : Commitment.values()) {
          Past past = new Past(policy, further, moved, commitment);
          if (past.isPossible() && past.attempts() <= policy.maxAttempts) {
            all.add(past);
          }
        }
      }
    }
    return all;
  }

  private static List<Situation> situations(Past past) {
    List<Situation> all = new ArrayList<>();
    for (Tokens tokens : Tokens.values()) {
      for (Event event : Event.values()) {
        for (Said said : Said.values()) {
          Situation made = new Situation(past, tokens, event, said);
          if (made.isPossible()) {
            all.add(made);
          }
        }
      }
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource
  void whateverHappensToAnAttemptHasTheOutcomeThatTheRulesSay(Policy policy) {
    int count = 0;
    for (Past past : pasts(policy)) {
      for (Situation each : situations(past)) {
        check(each, TestChannel.UNARY);
        check(each, TestChannel.BIDI);
        count += 2;
      }
    }
    assertThat(count).isGreaterThan(2_000);
  }

  private static void check(Situation situation, MethodDescriptor<String, String> method) {
    try {
      new Run(situation, method).check();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(situation + ", " + method.type() + ": " + e.getMessage(), e);
    }
  }
}
