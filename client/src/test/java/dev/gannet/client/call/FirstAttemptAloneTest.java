package dev.gannet.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.FakeStream;
import dev.gannet.client.TestCall;
import dev.gannet.client.TestChannel;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.transport.NotProcessed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A call whose first attempt may answer it alone behaves like one that has kept the state of its
 * attempts from the start.
 */
final class FirstAttemptAloneTest {
  private static final Duration TIME_LIMIT = Duration.ofSeconds(10);
  private static final int STEPS = 4;

  /** What a caller, a server, a connection or time does. */
  enum Step {
    REQUEST,
    SEND,
    READY,
    HEADERS,
    MESSAGE,
    OK,
    RETRYABLE_FAILURE,
    FAILURE,
    PUSHBACK,
    REFUSED,
    CANCEL,
    BACKOFF_OVER,
    DEADLINE
  }

  /** One call on a channel of its own. */
  private static final class Run {
    private final TestChannel test = new TestChannel();
    private final Set<FakeStream<?>> begun = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<FakeStream<?>> over = Collections.newSetFromMap(new IdentityHashMap<>());
    private final TestCall call;

    Run(RetryPolicy policy) {
      MethodConfig config = MethodConfig.builder().retryPolicy(policy).build();
      test.serviceConfigs =
          test.serviceConfigs
              .withoutLookUp()
              .withDefault(ServiceConfig.builder().forAllMethods(config).build());
      test.connected();
      call =
          new TestCall(test.channel().newCall(TestChannel.UNARY, test.within(TIME_LIMIT))).start();
    }

    private List<FakeStream<?>> streams() {
      List<FakeStream<?>> all = test.dial().transport.streams;
      return all.subList(1, all.size());
    }

    void does(Step step) {
      switch (step) {
        case REQUEST -> call.call.request(1);
        case SEND -> {
          call.call.sendMessage("request");
          call.call.halfClose();
        }
        case CANCEL -> call.call.cancel("no longer wanted");
        case BACKOFF_OVER -> test.advance(Duration.ofMillis(1200));
        case DEADLINE -> test.advance(TIME_LIMIT);
        case READY, HEADERS, MESSAGE, OK, RETRYABLE_FAILURE, FAILURE, PUSHBACK, REFUSED ->
            serverDoes(step);
      }
    }

    private void serverDoes(Step step) {
      if (streams().isEmpty()) {
        return;
      }
      FakeStream<?> stream = streams().getLast();
      boolean mayEnd = !over.contains(stream) && stream.cancellations.isEmpty();
      if (!mayEnd) {
        return;
      }
      switch (step) {
        case READY -> stream.becomesReady();
        case HEADERS -> {
          if (begun.add(stream)) {
            stream.answersHeaders();
          }
        }
        case MESSAGE -> {
          if (begun.contains(stream)) {
            stream.answers("response");
          }
        }
        case REFUSED -> {
          if (!begun.contains(stream)) {
            over.add(stream);
            stream.isNotProcessed(NotProcessed.REFUSED);
          }
        }
        default -> {
          over.add(stream);
          endsWith(stream, step);
        }
      }
    }

    private static void endsWith(FakeStream<?> stream, Step step) {
      Metadata trailers = new Metadata();
      if (step == Step.PUSHBACK) {
        trailers.add(Metadata.Key.ascii("grpc-retry-pushback-ms"), "0");
      }
      stream.endsWith(
          switch (step) {
            case OK -> Status.OK;
            case FAILURE -> Status.INTERNAL.withDescription("broken");
            default -> Status.UNAVAILABLE.withDescription("busy");
          },
          trailers);
    }

    /** Everything that the caller and the servers have seen. */
    String seen() {
      StringBuilder text = new StringBuilder().append(call.heard).append(call.ends);
      for (FakeStream<?> stream : streams()) {
        text.append('\n')
            .append(stream.start.headers())
            .append(stream.told)
            .append(stream.cancellations);
      }
      return text.append("\nready: ").append(call.call.isReady()).toString();
    }
  }

  private static RetryPolicy policy() {
    return RetryingCallTest.policy(3);
  }

  /** Needs time, so that the state is kept from the start; the time never comes. */
  private static RetryPolicy keptPolicy() {
    return policy().withPerAttemptReceiveTimeout(Duration.ofDays(1));
  }

  private static String after(RetryPolicy policy, List<Step> steps) {
    Run run = new Run(policy);
    steps.forEach(run::does);
    return run.seen();
  }

  @ParameterizedTest
  @EnumSource(Step.class)
  void whateverHappensHasTheSameEffect(Step first) {
    List<Step> steps = new ArrayList<>(List.of(first));
    compareAll(steps);
  }

  /** With each sequence of different steps that begins with these. */
  private void compareAll(List<Step> begun) {
    assertThat(after(policy(), begun)).as("after %s", begun).isEqualTo(after(keptPolicy(), begun));
    if (begun.size() == STEPS) {
      return;
    }
    for (Step next : Step.values()) {
      if (!begun.contains(next)) {
        begun.add(next);
        compareAll(begun);
        begun.removeLast();
      }
    }
  }

  @Test
  void aRetryAfterARetryHasTheSameEffect() {
    List<Step> steps = new ArrayList<>(List.of(Step.REQUEST, Step.SEND));
    for (Step second : List.of(Step.RETRYABLE_FAILURE, Step.PUSHBACK, Step.REFUSED)) {
      List<Step> all = new ArrayList<>(steps);
      all.addAll(List.of(Step.RETRYABLE_FAILURE, Step.BACKOFF_OVER, second, Step.BACKOFF_OVER));
      all.addAll(List.of(Step.HEADERS, Step.MESSAGE, Step.OK));
      assertThat(after(policy(), all)).as("%s", all).isEqualTo(after(keptPolicy(), all));
    }
  }
}
