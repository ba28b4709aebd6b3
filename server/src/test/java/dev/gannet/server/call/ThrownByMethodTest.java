package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.api.engine.HandlerFailures;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a method throws closes its call when the event has ended, unless it was answered. */
final class ThrownByMethodTest {
  private static final Logger LOG = Logger.getLogger("dev.gannet.server");

  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(null);
  }

  private static boolean isKept(ServerCall<String, String> call) {
    return ((HandlerFailures) call)
        .onThrown(
            new IllegalStateException("a secret"),
            thrown -> call.close(Status.ABORTED, new Metadata()));
  }

  @Test
  void anExceptionThatAnInterceptorHasCaughtClosesTheCall() {
    TestCall call = TestCall.bidi().at("a", it -> assertThat(isKept(it)).isTrue());
    call.comes().hears("a");
    assertThat(call.stream.told).containsExactly("close ABORTED");
  }

  @Test
  void anExceptionThatIsThrownOnClosesTheCallByTheInterceptors() {
    TestCall call =
        TestCall.bidi()
            .at(
                "a",
                it -> {
                  assertThat(isKept(it)).isTrue();
                  throw new IllegalStateException("a secret");
                });
    call.comes().hears("a");
    assertThat(call.stream.told).containsExactly("close ABORTED");
  }

  @Test
  void anAnswerOfTheInterceptorThatHasCaughtItStands() {
    TestCall call =
        TestCall.bidi()
            .at(
                "a",
                it -> {
                  assertThat(isKept(it)).isTrue();
                  it.close(Status.OK, new Metadata());
                });
    call.comes().hears("a");
    assertThat(call.stream.told).containsExactly("close OK");
  }

  @Test
  void anAnswerBeforeTheExceptionThatIsThrownOnStands() {
    TestCall call =
        TestCall.bidi()
            .at(
                "a",
                it -> {
                  assertThat(isKept(it)).isTrue();
                  it.close(Status.OK, new Metadata());
                  throw new IllegalStateException("a secret");
                });
    call.comes().hears("a");
    assertThat(call.stream.told).containsExactly("close OK");
  }

  @Test
  void anExceptionOutsideOfAnEventIsNotKept() {
    TestCall call = TestCall.bidi().comes();
    assertThat(isKept(call.call())).isFalse();
    call.hears("a");
    assertThat(call.stream.told).isEmpty();
  }
}
