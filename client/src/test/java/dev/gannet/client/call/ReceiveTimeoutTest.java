package dev.gannet.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.client.FakeStream;
import dev.gannet.client.TestCall;
import dev.gannet.client.TestChannel;
import dev.gannet.client.TestResolver;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.RetryThrottling;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.retry.RequestBuffer;
import dev.gannet.client.settings.RetrySettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The time that a policy gives an attempt until its response begins also applies to an attempt that
 * no other can follow, because the request does not fit into what is kept of it.
 */
final class ReceiveTimeoutTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final TestChannel test = new TestChannel();

  /** Two messages are too much for it, and so is one that is not short. */
  @BeforeEach
  void keepsLittle() {
    test.serviceConfigs =
        test.serviceConfigs.with(
            RetrySettings.DEFAULT.withCallBytes(RequestBuffer.ENTRY_BYTES + 5));
  }

  private static RetryPolicy policy() {
    return RetryingCallTest.policy(3).withPerAttemptReceiveTimeout(TIMEOUT);
  }

  private static ServiceConfig config(RetryPolicy policy) {
    return ServiceConfig.builder()
        .forAllMethods(MethodConfig.builder().retryPolicy(policy).build())
        .retryThrottling(RetryThrottling.of(8, 1))
        .build();
  }

  private void connect() {
    connect(policy());
  }

  private void connect(RetryPolicy policy) {
    test.serviceConfigs = test.serviceConfigs.withoutLookUp().withDefault(config(policy));
    test.connected();
  }

  private FakeStream<?> stream() {
    return test.dial().transport.stream();
  }

  private List<FakeStream<?>> streams() {
    return test.dial().transport.streams.subList(1, test.dial().transport.streams.size());
  }

  private TestCall start(MethodType type) {
    TestCall call = test.start(method(type));
    call.call.request(1);
    return call;
  }

  private static MethodDescriptor<String, String> method(MethodType type) {
    return TestChannel.method(type);
  }

  private void assertEndsInTime(TestCall call) {
    test.advance(TIMEOUT.minusMillis(1));
    assertThat(call.isOver()).isFalse();
    test.advance(Duration.ofMillis(1));
    assertThat(stream().cancellations).hasSize(1);
    assertThat(call.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(call.text()).contains("perAttemptRecvTimeout");
    test.advance(Duration.ofHours(1));
    assertThat(call.ends).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void anAttemptWhoseRequestIsNotKeptHasToBeAnsweredInTime(MethodType type) {
    connect();
    TestCall call = start(type);
    call.call.sendMessage("too long");
    assertThat(stream().told).contains("too long");
    assertEndsInTime(call);
    assertThat(streams()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void soHasTheLastAttemptOfARequestThatWasTooLongDuringABackoff(MethodType type) {
    connect();
    TestCall call = start(type);
    stream().endsWith(Status.UNAVAILABLE);
    call.call.sendMessage("too long");
    test.advance(Duration.ofMillis(800)); // at least
    while (streams().size() == 1) {
      test.advance(Duration.ofMillis(1));
    }
    assertThat(stream().told).contains("too long");
    assertEndsInTime(call);
    assertThat(streams()).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void soHasAnAttemptWhoseChannelKeepsTooMuch(MethodType type) {
    test.serviceConfigs = test.serviceConfigs.with(RetrySettings.DEFAULT.withChannelBytes(1));
    connect();
    TestCall call = start(type);
    call.call.sendMessage("x".repeat(2_000));
    assertEndsInTime(call);
    assertThat(streams()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void soHasAnAttemptWhosePolicyIsFoundAfterThat(MethodType type) {
    test.resolver.answer = Optional.empty();
    TestCall call = start(type);
    call.call.sendMessage("too long");
    test.advance(Duration.ofSeconds(5));
    Resolution.Resolved found = (Resolution.Resolved) TestResolver.endpoints(1);
    test.resolver.last().listener.onResult(config(policy()).addTo(found));
    test.connector.last().becomesReady();
    assertThat(stream().told).contains("too long");
    assertEndsInTime(call);
  }

  @Test
  void itTakesOneToken() {
    connect(policy().withRetryableStatusCodes(Status.Code.DEADLINE_EXCEEDED));
    for (int i = 1; i <= 3; i++) { // 5 of 8 are left
      start(MethodType.UNARY).call.sendMessage("too long");
      test.advance(TIMEOUT);
    }
    TestCall call = start(MethodType.UNARY);
    call.call.sendMessage("short");
    stream().endsWith(Status.DEADLINE_EXCEEDED); // 4 of 8: no retry
    assertThat(call.isOver()).isTrue();
    start(MethodType.UNARY).call.sendMessage("short");
    stream().answers("response");
    stream().endsWith(Status.OK); // 5 of 8
    start(MethodType.UNARY).call.sendMessage("short");
    stream().answers("response");
    stream().endsWith(Status.OK); // 6 of 8
    TestCall next = start(MethodType.UNARY);
    next.call.sendMessage("short");
    stream().endsWith(Status.DEADLINE_EXCEEDED); // 5 of 8
    assertThat(next.isOver()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void itEndsWhenTheResponseBegins(MethodType type) {
    connect();
    int before = test.loop.pendingTasks();
    TestCall call = start(type);
    call.call.sendMessage("too long");
    stream().answersHeaders();
    assertThat(test.loop.pendingTasks()).isEqualTo(before);
    test.advance(Duration.ofHours(1));
    assertThat(call.isOver()).isFalse();
    stream().answers("response");
    stream().endsWith(Status.OK);
    assertThat(call.status().isOk()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void itEndsWithTheCall(MethodType type) {
    connect();
    int before = test.loop.pendingTasks();
    TestCall failed = start(type);
    failed.call.sendMessage("too long");
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(failed.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    TestCall cancelled = start(type);
    cancelled.call.sendMessage("too long");
    cancelled.call.cancel("enough");
    assertThat(cancelled.text()).isEqualTo("enough");
    assertThat(test.loop.pendingTasks()).isEqualTo(before);
  }
}
