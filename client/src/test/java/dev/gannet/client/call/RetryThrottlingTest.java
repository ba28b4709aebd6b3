package dev.gannet.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.FakeStream;
import dev.gannet.client.TestCall;
import dev.gannet.client.TestChannel;
import dev.gannet.client.TestResolver;
import dev.gannet.client.config.ConfigSelection;
import dev.gannet.client.config.ConfigSelector;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryThrottling;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.retry.Pushback;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Every call of a channel counts for its tokens, whatever its method (gRFC A6). */
final class RetryThrottlingTest {
  /** Its calls are retried. */
  private static final MethodDescriptor<String, String> RETRIED = TestChannel.UNARY;

  /** Its calls have no policy for attempts. */
  private static final MethodDescriptor<String, String> PLAIN = TestChannel.BIDI;

  private static final MethodConfig RETRYING =
      MethodConfig.builder().retryPolicy(RetryingCallTest.policy(3)).build();

  /** Starts with 4 tokens: with 2 or fewer there are no retries. */
  private static final ServiceConfig CONFIG =
      ServiceConfig.builder()
          .forMethod(RETRIED, RETRYING)
          .retryThrottling(RetryThrottling.of(4, 1))
          .build();

  private final TestChannel test = new TestChannel();

  private void connect() {
    test.serviceConfigs = test.serviceConfigs.withoutLookUp().withDefault(CONFIG);
    test.connected();
  }

  private FakeStream<?> stream() {
    return test.dial().transport.stream();
  }

  private TestCall start(MethodDescriptor<String, String> method) {
    TestCall call = test.start(method);
    return call.asks("request");
  }

  private void succeeds(MethodDescriptor<String, String> method) {
    TestCall call = start(method);
    stream().answersHeaders();
    stream().answers("response");
    stream().endsWith(Status.OK);
    assertThat(call.status().isOk()).isTrue();
  }

  /** Takes a token, and is over afterwards. */
  private void fails() {
    start(RETRIED);
    stream().answersHeaders();
    stream().endsWith(Status.UNAVAILABLE);
  }

  /** Whether a call is retried; it takes a token. */
  private boolean retries() {
    TestCall call = start(RETRIED);
    stream().endsWith(Status.UNAVAILABLE);
    boolean over = call.isOver();
    call.call.cancel("enough is known");
    return !over;
  }

  private static Metadata stop() {
    Metadata trailers = new Metadata();
    trailers.add(Pushback.KEY, "-1");
    return trailers;
  }

  @Test
  void aSuccessOfAMethodWithoutAPolicyReturnsTokens() {
    connect();
    fails();
    fails(); // 2 are left
    succeeds(PLAIN);
    succeeds(PLAIN); // 4
    assertThat(retries()).isTrue();
  }

  @Test
  void itReturnsThemOnce() {
    connect();
    fails();
    fails();
    fails(); // 1 is left
    succeeds(PLAIN);
    succeeds(PLAIN); // 3
    assertThat(retries()).isFalse(); // 2
    succeeds(RETRIED);
    succeeds(RETRIED); // 4
    assertThat(retries()).isTrue();
  }

  @Test
  void aWholeResponseInOneEventReturnsThemToo() {
    test.serviceConfigs =
        test.serviceConfigs
            .withoutLookUp()
            .withDefault(
                ServiceConfig.builder()
                    .forMethod(PLAIN, RETRYING)
                    .retryThrottling(RetryThrottling.of(4, 1))
                    .build());
    test.connected();
    for (int i = 0; i < 2; i++) { // 2 are left
      start(PLAIN);
      stream().answersHeaders();
      stream().endsWith(Status.UNAVAILABLE);
    }
    for (int i = 0; i < 2; i++) {
      TestCall plain = start(TestChannel.UNARY);
      stream().answersWhole("response");
      assertThat(plain.status().isOk()).isTrue();
    }
    TestCall retried = start(PLAIN);
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(retried.isOver()).isFalse();
  }

  @Test
  void aFailureOfAMethodWithoutAPolicyTakesNoToken() {
    connect();
    for (int i = 0; i < 5; i++) {
      start(PLAIN);
      stream().endsWith(Status.UNAVAILABLE);
    }
    assertThat(retries()).isTrue();
  }

  @Test
  void unlessItsServerForbidsRetries() {
    connect();
    start(PLAIN);
    stream().endsWith(Status.INTERNAL, stop()); // 3 are left
    start(PLAIN);
    stream().endsWith(Status.UNAVAILABLE, stop()); // 2
    succeeds(RETRIED); // 3
    assertThat(retries()).isFalse(); // 2
  }

  @Test
  void aCallWhoseSettingsAreFoundLateCountsToo() {
    test.resolver.answer = Optional.empty();
    TestCall early = start(PLAIN);
    Resolution.Resolved found = (Resolution.Resolved) TestResolver.endpoints(1);
    test.resolver.last().listener.onResult(CONFIG.addTo(found));
    test.connector.last().becomesReady();
    FakeStream<?> ofEarly = stream();
    fails();
    fails(); // 2 are left
    ofEarly.answers("response");
    ofEarly.endsWith(Status.OK); // 3
    assertThat(early.status().isOk()).isTrue();
    succeeds(PLAIN); // 4
    assertThat(retries()).isTrue();
  }

  @Test
  void aCallWhoseSettingsAreChosenForItCountsToo() {
    ConfigSelector selector =
        call ->
            ConfigSelection.use(
                call.method().fullMethodName().equals(RETRIED.fullMethodName())
                    ? RETRYING
                    : MethodConfig.EMPTY);
    Resolution.Resolved found = (Resolution.Resolved) TestResolver.endpoints(1);
    test.resolver.answer = Optional.of(selector.addTo(CONFIG.addTo(found)));
    test.connected();
    fails();
    fails(); // 2 are left
    succeeds(PLAIN);
    succeeds(PLAIN); // 4
    assertThat(retries()).isTrue();
  }
}
