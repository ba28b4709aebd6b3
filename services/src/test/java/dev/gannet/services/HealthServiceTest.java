package dev.gannet.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.ForwardingServerCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.ServerStreamingCall;
import dev.gannet.services.health.v1.HealthCheckRequest;
import dev.gannet.services.health.v1.HealthCheckResponse;
import dev.gannet.services.health.v1.HealthCheckResponse.ServingStatus;
import dev.gannet.services.health.v1.HealthClient;
import dev.gannet.services.health.v1.HealthListRequest;
import dev.gannet.services.health.v1.HealthListResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rules of {@code grpc.health.v1.Health}, over a real connection. */
@Timeout(30)
final class HealthServiceTest {
  private final HealthService health = new HealthService();
  private Started started;
  private HealthClient client;

  @BeforeEach
  void start() throws IOException {
    started = Started.with(builder -> builder.add(health));
    client = HealthClient.of(started.channel());
  }

  @AfterEach
  void stop() {
    started.close();
  }

  private static HealthCheckRequest of(String service) {
    return HealthCheckRequest.newBuilder().setService(service).build();
  }

  private ServingStatus check(String service) {
    return client.check(of(service)).getStatus();
  }

  private static ServingStatus next(ServerStreamingCall<HealthCheckResponse> watch) {
    return watch.next().getStatus();
  }

  private static void assertCode(ThrowingCallable call, Status.Code code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StatusException.class, it -> assertThat(it.status().code()).isEqualTo(code));
  }

  @Test
  void theWholeServerServesFromTheStart() {
    assertThat(check("")).isEqualTo(ServingStatus.SERVING);
  }

  @Test
  void checkOfAnUnknownServiceIsNotFound() {
    assertCode(() -> check("test.Unknown"), Status.Code.NOT_FOUND);
  }

  @Test
  void eachServiceHasItsOwnStatus() {
    health.setStatus("test.A", HealthStatus.NOT_SERVING);
    health.setStatus("test.B", HealthStatus.UNKNOWN);

    assertThat(check("test.A")).isEqualTo(ServingStatus.NOT_SERVING);
    assertThat(check("test.B")).isEqualTo(ServingStatus.UNKNOWN);
    assertThat(check("")).isEqualTo(ServingStatus.SERVING);
  }

  @Test
  void aServiceThatWasClearedIsUnknownAgain() {
    health.setStatus("test.A", HealthStatus.SERVING);
    health.clearStatus("test.A");

    assertCode(() -> check("test.A"), Status.Code.NOT_FOUND);
  }

  @Test
  void listNamesAllServices() {
    health.setStatus("test.A", HealthStatus.NOT_SERVING);

    HealthListResponse all = client.list(HealthListRequest.getDefaultInstance());

    assertThat(all.getStatusesMap()).containsOnlyKeys("", "test.A");
    assertThat(all.getStatusesOrThrow("test.A").getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
  }

  @Test
  void listOfMoreThanAHundredServicesIsResourceExhausted() {
    for (int i = 1; i < 100; i++) {
      health.setStatus("test.S" + i, HealthStatus.SERVING);
    }
    assertThat(client.list(HealthListRequest.getDefaultInstance()).getStatusesCount())
        .isEqualTo(100);
    health.setStatus("test.S100", HealthStatus.SERVING);

    assertCode(
        () -> client.list(HealthListRequest.getDefaultInstance()), Status.Code.RESOURCE_EXHAUSTED);
  }

  @Test
  void watchSendsTheStatusAtOnceAndThenEachChange() {
    health.setStatus("test.A", HealthStatus.SERVING);
    try (var watch = client.watch(of("test.A"))) {
      assertThat(next(watch)).isEqualTo(ServingStatus.SERVING);

      health.setStatus("test.A", HealthStatus.SERVING);
      health.setStatus("test.A", HealthStatus.NOT_SERVING);

      assertThat(next(watch)).isEqualTo(ServingStatus.NOT_SERVING);
    }
  }

  @Test
  void watchOfAnUnknownServiceReportsThatAndStaysOpen() {
    try (var watch = client.watch(of("test.A"))) {
      assertThat(next(watch)).isEqualTo(ServingStatus.SERVICE_UNKNOWN);

      health.setStatus("test.A", HealthStatus.SERVING);
      assertThat(next(watch)).isEqualTo(ServingStatus.SERVING);

      health.clearStatus("test.A");
      assertThat(next(watch)).isEqualTo(ServingStatus.SERVICE_UNKNOWN);
    }
  }

  @Test
  void anUnreadWatchGetsTheNewestStatusLast() {
    health.setStatus("test.A", HealthStatus.NOT_SERVING);
    try (var watch = client.watch(of("test.A"))) {
      assertThat(next(watch)).isEqualTo(ServingStatus.NOT_SERVING);
      for (int i = 0; i < 200_000; i++) { // far more than may be queued
        health.setStatus("test.A", i % 2 == 0 ? HealthStatus.SERVING : HealthStatus.NOT_SERVING);
      }
      health.setStatus("test.A", HealthStatus.UNKNOWN);

      ServingStatus last = next(watch);
      while (last != ServingStatus.UNKNOWN) {
        last = next(watch);
      }
      assertThat(last).isEqualTo(ServingStatus.UNKNOWN);
    }
  }

  @Test
  void nothingServesAfterTheTerminalState() {
    health.enterTerminalState();
    health.setStatus("", HealthStatus.SERVING);
    health.setStatus("test.New", HealthStatus.SERVING);

    assertThat(check("")).isEqualTo(ServingStatus.NOT_SERVING);
    assertCode(() -> check("test.New"), Status.Code.NOT_FOUND);
  }

  @Test
  void aShutdownSendsNotServingAndEndsWatches() {
    try (var watch = client.watch(of(""))) {
      assertThat(next(watch)).isEqualTo(ServingStatus.SERVING);

      started.server().shutdown();

      assertThat(next(watch)).isEqualTo(ServingStatus.NOT_SERVING);
      assertCode(watch::next, Status.Code.UNAVAILABLE);
    }
  }

  @Test
  void watchesDoNotHoldUpTheEndOfTheServer() throws InterruptedException {
    try (var watch = client.watch(of(""))) {
      assertThat(next(watch)).isEqualTo(ServingStatus.SERVING);

      started.server().shutdown();

      started.server().awaitTermination();
      assertThat(started.server().isTerminated()).isTrue();
    }
  }

  @Test
  void interceptorsMayBlock() throws IOException {
    ServerInterceptor asking =
        new ServerInterceptor() {
          @Override
          public <Q, R> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            assertThat(check("")).isEqualTo(ServingStatus.SERVING); // of the other server
            return next.startCall(call, headers);
          }
        };
    try (Started other =
        Started.with(builder -> builder.intercept(asking).add(new HealthService()))) {
      assertThat(HealthClient.of(other.channel()).check(of("")).getStatus())
          .isEqualTo(ServingStatus.SERVING);
    }
  }

  /** Cannot send more than one response of its first call. */
  private static final class Breaking implements ServerInterceptor {
    private final AtomicInteger calls = new AtomicInteger();

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return next.startCall(calls.getAndIncrement() == 0 ? new Broken<>(call) : call, headers);
    }
  }

  private static final class Broken<Q, R> extends ForwardingServerCall<Q, R> {
    private int sent;

    Broken(ServerCall<Q, R> delegate) {
      super(delegate);
    }

    @Override
    public void sendMessage(R message) {
      if (sent++ > 0) {
        throw new IllegalStateException("broken");
      }
      super.sendMessage(message);
    }
  }

  @Test
  void aWatchThatFailsDoesNotDisturbTheOthers() throws IOException, InterruptedException {
    HealthService shared = new HealthService();
    try (Started other = Started.with(builder -> builder.intercept(new Breaking()).add(shared))) {
      HealthClient watching = HealthClient.of(other.channel());
      try (var broken = watching.watch(of(""))) {
        assertThat(next(broken)).isEqualTo(ServingStatus.SERVING);
        try (var second = watching.watch(of(""));
            var third = watching.watch(of(""))) {
          assertThat(next(second)).isEqualTo(ServingStatus.SERVING);
          assertThat(next(third)).isEqualTo(ServingStatus.SERVING);

          shared.setStatus("", HealthStatus.NOT_SERVING);
          assertCode(broken::next, Status.Code.UNKNOWN);
          assertThat(next(second)).isEqualTo(ServingStatus.NOT_SERVING);
          assertThat(next(third)).isEqualTo(ServingStatus.NOT_SERVING);
        }
      }
    }
  }

  @Test
  void aWatchThatFailsDoesNotHoldUpTheEndOfTheServer() throws IOException, InterruptedException {
    try (Started other =
        Started.with(builder -> builder.intercept(new Breaking()).add(new HealthService()))) {
      HealthClient watching = HealthClient.of(other.channel());
      try (var broken = watching.watch(of(""));
          var second = watching.watch(of(""))) {
        assertThat(next(broken)).isEqualTo(ServingStatus.SERVING);
        assertThat(next(second)).isEqualTo(ServingStatus.SERVING);
        other.server().shutdown();
        other.server().awaitTermination();
        assertThat(other.server().isTerminated()).isTrue();
      }
    }
  }

  @Test
  void aServerThatCouldNotListenChangesNoStatus() throws IOException {
    HealthService service = new HealthService();
    Started.failing(it -> it.add(service));

    assertThat(service.status(HealthService.WHOLE_SERVER)).contains(HealthStatus.SERVING);
    service.setStatus("a.B", HealthStatus.SERVING);
    assertThat(service.status("a.B")).contains(HealthStatus.SERVING);
  }
}
