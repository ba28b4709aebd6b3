package dev.gannet.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.server.CallMetricRecorder;
import dev.gannet.server.LoadShedding;
import dev.gannet.server.MutableHandlerRegistry;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.services.health.v1.HealthCheckRequest;
import dev.gannet.services.health.v1.HealthClient;
import dev.gannet.services.orca.v3.OpenRcaServiceClient;
import dev.gannet.services.orca.v3.OrcaLoadReportRequest;
import dev.gannet.services.reflection.v1.ServerReflectionClient;
import dev.gannet.services.reflection.v1.ServerReflectionRequest;
import dev.gannet.services.test.Book;
import dev.gannet.services.test.Shelf;
import dev.gannet.services.test.Shelves;
import dev.gannet.services.test.ShelvesClient;
import dev.gannet.services.test.ShelvesMethods;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Load shedding neither counts nor refuses the calls of services that say that they are exempt. */
@Timeout(30)
final class ExemptServicesTest {
  /** One call of each kind is admitted, and no more. */
  private static final LoadShedding ONE =
      LoadShedding.adaptive().withInitialLimit(1).withMaxLimit(1).withMaxStreams(1);

  /** A service whose calls stay in its handler until all that are expected have come. */
  private static final class Holding implements Shelves {
    final CountDownLatch expected;
    final CountDownLatch release = new CountDownLatch(1);

    Holding(int expected) {
      this.expected = new CountDownLatch(expected);
    }

    @Override
    public Shelf put(Book book) {
      expected.countDown();
      await(release);
      return Shelf.getDefaultInstance();
    }
  }

  /** The same for operators. */
  private record Operators(Holding holding) implements Shelves {
    @Override
    public Shelf put(Book book) {
      return holding.put(book);
    }

    @Override
    public ServerServiceDefinition bindService() {
      return Shelves.super.bindService().map(method -> method.withoutLoadShedding());
    }
  }

  /** An interceptor of the server, which changes nothing. */
  private static final class Passing implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return next.startCall(call, headers);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw Status.CANCELLED.asException();
    }
  }

  private static ServerBuilder all(ServerBuilder builder) {
    return builder
        .add(new HealthService())
        .add(new OrcaService(new CallMetricRecorder()))
        .add(new ReflectionService())
        .loadShedding(ONE);
  }

  private static void put(Started started) {
    ShelvesClient.of(started.channel()).put(Book.getDefaultInstance());
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StatusException.class,
            it -> assertThat(it.status().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED))
        .hasMessageContaining("load shedding");
  }

  private static LoadShedding.Snapshot counted(Server server) {
    return server.loadShedding().orElseThrow();
  }

  @Test
  void healthChecksAreAnsweredWhileOtherCallsAreRefused() throws Exception {
    Holding holding = new Holding(1);
    try (Started started = Started.with(it -> all(it).add(holding));
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> first = callers.submit(() -> put(started));
      await(holding.expected);
      assertRefused(() -> put(started));

      HealthClient health = HealthClient.of(started.channel());
      assertThat(health.check(HealthCheckRequest.getDefaultInstance()).getStatusValue()).isOne();
      assertThat(counted(started.server()).callsUnderWay()).isOne();
      holding.release.countDown();
      first.get();
    }
  }

  @Test
  void watchesOfHealthAndLoadReportsTakeNoPlaceOfOtherStreams() throws IOException {
    HealthCheckRequest whole = HealthCheckRequest.getDefaultInstance();
    OrcaLoadReportRequest reports = OrcaLoadReportRequest.getDefaultInstance();
    try (Started started = Started.with(ExemptServicesTest::all);
        var first = HealthClient.of(started.channel()).watch(whole);
        var second = HealthClient.of(started.channel()).watch(whole);
        var third = OpenRcaServiceClient.of(started.channel()).streamCoreMetrics(reports);
        var fourth = OpenRcaServiceClient.of(started.channel()).streamCoreMetrics(reports)) {
      for (var stream : List.of(first, second, third, fourth)) {
        assertThat(stream.next()).isNotNull();
      }
      assertThat(counted(started.server()).streamsUnderWay()).isZero();
    }
  }

  @Test
  void reflectionIsNotExempt() throws IOException {
    ServerReflectionRequest list = ServerReflectionRequest.newBuilder().setListServices("").build();
    try (Started started = Started.with(ExemptServicesTest::all);
        var first = ServerReflectionClient.of(started.channel()).serverReflectionInfo()) {
      first.send(list);
      assertThat(first.next().hasListServicesResponse()).isTrue();
      try (var second = ServerReflectionClient.of(started.channel()).serverReflectionInfo()) {
        assertRefused(second::next);
      }
    }
  }

  /** More calls at once than the limit admits: each of them reaches its handler. */
  private static void assertThreeAtOnce(Started started, Holding service) throws Exception {
    try (started;
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        calls.add(callers.submit(() -> put(started)));
      }
      await(service.expected);
      assertThat(counted(started.server()).callsUnderWay()).isZero();
      service.release.countDown();
      for (Future<?> call : calls) {
        call.get();
      }
    }
  }

  @Test
  void aServiceOfAnApplicationIsExemptIfItSaysSo() throws Exception {
    Holding holding = new Holding(3);
    assertThreeAtOnce(Started.with(it -> all(it).add(new Operators(holding))), holding);
  }

  @Test
  void soIsAServiceInARegistry() throws Exception {
    Holding holding = new Holding(3);
    MutableHandlerRegistry registry = new MutableHandlerRegistry();
    registry.add(new Operators(holding));
    assertThreeAtOnce(Started.with(it -> all(it).addFallbackHandlerRegistry(registry)), holding);
  }

  @Test
  void aMethodStaysExemptWithAnotherHandlerDispatchOrInterceptor() throws Exception {
    Holding holding = new Holding(3);
    ServerServiceDefinition changed =
        new Operators(holding)
            .bindService()
            .with(ShelvesMethods.PUT, BlockingHandlers.unary(holding::put))
            .map(it -> it.withDispatch(Dispatch.newVirtualThreads()));
    assertThreeAtOnce(Started.with(it -> all(it).add(changed).intercept(new Passing())), holding);
  }
}
