package dev.gannet.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What all programs have in common. */
@Timeout(30)
final class HarnessTest {
  private static final Load.Payloads EMPTY = new Load.Payloads(0, 0);

  /** What becomes of a call. */
  private enum Fate {
    ENDS,
    ENDS_ELSEWHERE,
    FAILS,
    HAS_A_WRONG_REPLY
  }

  /** A client whose calls end at once, or on another thread. */
  private record Fake(
      Fate fate, AtomicLong calls, AtomicLong lastIntendedNanos, AtomicLong mostUnderWay)
      implements Target {
    Fake(Fate fate) {
      this(fate, new AtomicLong(), new AtomicLong(), new AtomicLong());
    }

    @Override
    public void callOnce(int channel) {}

    @Override
    public Latencies newLatencies() {
      return Latencies.ofAnyThread();
    }

    @Override
    public void startLoop(int channel, Run run, Latencies latencyNanos) {
      Thread.ofVirtual()
          .start(() -> {
            while (!run.isOver()) {
              end(run, latencyNanos);
            }
            run.loopEnded();
          });
    }

    @Override
    public void startCall(int channel, Run run, Latencies latencyNanos, long intendedNanos) {
      lastIntendedNanos.set(intendedNanos);
      mostUnderWay.accumulateAndGet(run.underWay(), Math::max);
      if (fate == Fate.ENDS_ELSEWHERE) {
        Thread.ofVirtual().start(() -> endCall(run, latencyNanos));
      } else {
        endCall(run, latencyNanos);
      }
    }

    private void endCall(Run run, Latencies latencyNanos) {
      end(run, latencyNanos);
      run.loopEnded();
    }

    private void end(Run run, Latencies latencyNanos) {
      calls.incrementAndGet();
      switch (fate) {
        case ENDS, ENDS_ELSEWHERE -> latencyNanos.record(1);
        case FAILS -> run.fail("a call ended with UNAVAILABLE");
        case HAS_A_WRONG_REPLY -> run.checkPayload(7);
      }
    }

    @Override
    public OpenStream openStream(int channel, Run run) {
      return () -> {};
    }

    @Override
    public void close() {}
  }

  @Test
  void everyStartedCallIsCounted() throws InterruptedException {
    Fake fake = new Fake(Fate.ENDS);
    Figures figures = new Measurement(load(new Load.Pace.Closed(), 50), fake).take();

    assertThat(figures.latencyNanos().getTotalCount()).isEqualTo(fake.calls.get());
    assertThat(figures.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
  }

  @Test
  void anOpenPaceMakesJustTheCallsOfItsRate() throws InterruptedException {
    Fake fake = new Fake(Fate.ENDS);
    long beginNanos = System.nanoTime();
    Figures figures = new Measurement(load(new Load.Pace.Open(1000), 100), fake).take();

    assertThat(figures.latencyNanos().getTotalCount()).isEqualTo(100);
    assertThat(fake.lastIntendedNanos.get() - beginNanos)
        .isGreaterThanOrEqualTo(Duration.ofMillis(99).toNanos());
  }

  @Test
  void aFullPaceStartsTheNextCallWhenOneHasEnded() throws InterruptedException {
    Fake fake = new Fake(Fate.ENDS_ELSEWHERE);
    Figures figures = new Measurement(load(new Load.Pace.Full(), 50), fake).take();

    assertThat(figures.latencyNanos().getTotalCount()).isEqualTo(fake.calls.get()).isPositive();
    assertThat(fake.mostUnderWay.get()).isBetween(1L, 2L);
  }

  @Test
  void aFailedCallLeavesNoFigures() {
    assertThatThrownBy(() ->
            new Measurement(load(new Load.Pace.Closed(), 10_000), new Fake(Fate.FAILS)).take())
        .isInstanceOf(RunFailedException.class)
        .hasMessage("no result: a call ended with UNAVAILABLE");
  }

  @Test
  void aWrongReplyLeavesNoFigures() {
    Load load = load(new Load.Pace.Open(100), 10_000);

    assertThatThrownBy(() -> new Measurement(load, new Fake(Fate.HAS_A_WRONG_REPLY)).take())
        .isInstanceOf(RunFailedException.class)
        .hasMessage("no result: a reply has 7 bytes of payload instead of 0");
  }

  @Test
  void optionsAreNamesAndValues() {
    Arguments arguments = new Arguments("--port", "0", "--mode", "raw");

    assertThat(arguments.required("mode")).isEqualTo("raw");
    assertThat(arguments.number("port", 5)).isZero();
    assertThat(arguments.number("channels", 5)).isEqualTo(5);
    assertThat(arguments.text("trust")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"port 0", "--port", "--port 0 mode raw"})
  void malformedOptionsAreRefused(String line) {
    assertThatThrownBy(() -> new Arguments(line.split(" ", -1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anAnswerIsOneLineOfJson() {
    assertThat(new JsonLine().with("calls", 3).with("failure", "no \"x\"\n\\ here").toString())
        .isEqualTo("{\"calls\":3,\"failure\":\"no \\\"x\\\" \\\\ here\"}");
  }

  private static Load load(Load.Pace pace, int millis) {
    return new Load(2, 1, EMPTY, pace, Duration.ZERO, Duration.ofMillis(millis));
  }
}
