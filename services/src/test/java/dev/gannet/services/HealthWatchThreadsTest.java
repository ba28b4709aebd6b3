package dev.gannet.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallContext;
import dev.gannet.api.Dispatch;
import dev.gannet.api.ForwardingServerCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.ServerStreamingCall;
import dev.gannet.server.ServerBuilder;
import dev.gannet.services.health.v1.HealthCheckRequest;
import dev.gannet.services.health.v1.HealthCheckResponse;
import dev.gannet.services.health.v1.HealthCheckResponse.ServingStatus;
import dev.gannet.services.health.v1.HealthClient;
import dev.gannet.services.test.Book;
import dev.gannet.services.test.Shelf;
import dev.gannet.services.test.Shelves;
import dev.gannet.services.test.ShelvesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * On which threads the statuses of health watches are sent, with interceptors that block: over a
 * real connection.
 */
@Timeout(30)
final class HealthWatchThreadsTest {
  private final HealthService health = new HealthService();
  private Optional<Started> running = Optional.empty();

  @AfterEach
  void stop() {
    running.ifPresent(Started::close);
  }

  /** Runs actions before a response message of a watch, and before its end. */
  private record Before(Consumer<ServingStatus> message, Runnable end)
      implements ServerInterceptor {
    Before(Runnable both) {
      this(status -> both.run(), both);
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return next.startCall(new Call<>(call, this), headers);
    }
  }

  private static final class Call<Q, R> extends ForwardingServerCall<Q, R> {
    private final Before before;

    Call(ServerCall<Q, R> delegate, Before before) {
      super(delegate);
      this.before = before;
    }

    @Override
    public void sendMessage(R message) {
      before.message.accept(((HealthCheckResponse) message).getStatus());
      super.sendMessage(message);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      before.end.run();
      super.close(status, trailers);
    }
  }

  private HealthClient start(ServerInterceptor ofHealth, UnaryOperator<ServerBuilder> more)
      throws IOException {
    Started started =
        Started.with(it -> more.apply(it.add(health, of -> of.withInterceptor(ofHealth))));
    running = Optional.of(started);
    return HealthClient.of(started.channel());
  }

  private HealthClient start(ServerInterceptor ofHealth) throws IOException {
    return start(ofHealth, it -> it);
  }

  private Started started() {
    return running.orElseThrow();
  }

  private static ServerStreamingCall<HealthCheckResponse> watch(HealthClient client) {
    return client.watch(HealthCheckRequest.getDefaultInstance());
  }

  private static ServingStatus next(ServerStreamingCall<HealthCheckResponse> watch) {
    return watch.next().getStatus();
  }

  private static void assertEnds(ServerStreamingCall<HealthCheckResponse> watch) {
    assertThatThrownBy(watch::next)
        .isInstanceOfSatisfying(
            StatusException.class,
            it -> assertThat(it.status().code()).isEqualTo(Status.Code.UNAVAILABLE));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sets the status of the server in its handler. */
  private record Closing(HealthService health) implements Shelves {
    @Override
    public Shelf put(Book book) {
      health.setStatus("", HealthStatus.NOT_SERVING);
      return Shelf.getDefaultInstance();
    }
  }

  @Test
  void aStatusThatIsSetOnAnEventLoopIsSentOnAVirtualThread() throws IOException {
    List<Thread> senders = new CopyOnWriteArrayList<>();
    HealthClient client =
        start(
            new Before(() -> senders.add(Thread.currentThread())),
            it ->
                it.add(
                    new Closing(health)
                        .bindService()
                        .map(method -> method.withDispatch(Dispatch.inline()))));
    try (var watch = watch(client)) {
      assertThat(next(watch)).isEqualTo(ServingStatus.SERVING);
      ShelvesClient.of(started().channel()).put(Book.getDefaultInstance());
      assertThat(next(watch)).isEqualTo(ServingStatus.NOT_SERVING);
      assertThat(senders).hasSize(2).allMatch(Thread::isVirtual);
    }
  }

  /** A timer of a loop ends the delay. */
  @Test
  void watchesEndOnVirtualThreadsAfterAShutdownDelay() throws IOException {
    List<Thread> senders = new CopyOnWriteArrayList<>();
    HealthClient client =
        start(
            new Before(status -> {}, () -> senders.add(Thread.currentThread())),
            it -> it.shutdownDelay(Duration.ofMillis(1)));
    try (var watch = watch(client)) {
      assertThat(next(watch)).isEqualTo(ServingStatus.SERVING);
      started().server().shutdown();
      assertThat(next(watch)).isEqualTo(ServingStatus.NOT_SERVING);
      assertEnds(watch);
      assertThat(senders).hasSize(1).allMatch(Thread::isVirtual);
    }
  }

  @Test
  void anInterceptorThatBlocksHoldsUpNeitherSetStatusNorOtherWatches() throws IOException {
    CountDownLatch goesOn = new CountDownLatch(1);
    AtomicInteger blocked = new AtomicInteger();
    HealthClient client =
        start(
            new Before(
                status -> {
                  if (status == ServingStatus.NOT_SERVING && blocked.getAndIncrement() == 0) {
                    await(goesOn);
                  }
                },
                () -> {}));
    try (var one = watch(client);
        var other = watch(client)) {
      assertThat(next(one)).isEqualTo(ServingStatus.SERVING);
      assertThat(next(other)).isEqualTo(ServingStatus.SERVING);
      health.setStatus("", HealthStatus.NOT_SERVING);
      health.setStatus("", HealthStatus.UNKNOWN);
      assertThat(health.status("")).contains(HealthStatus.UNKNOWN);

      goesOn.countDown();
      assertThat(lastOf(one)).isEqualTo(ServingStatus.UNKNOWN);
      assertThat(lastOf(other)).isEqualTo(ServingStatus.UNKNOWN);
    }
  }

  private static ServingStatus lastOf(ServerStreamingCall<HealthCheckResponse> watch) {
    ServingStatus next = next(watch);
    return next == ServingStatus.NOT_SERVING ? next(watch) : next;
  }

  @Test
  void aWatchWhoseInterceptorBlocksEndsAfterTheNewestStatus() throws IOException {
    CountDownLatch sending = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    HealthClient client =
        start(
            new Before(
                status -> {
                  if (status == ServingStatus.UNKNOWN) {
                    sending.countDown();
                    await(goesOn);
                  }
                },
                () -> {}));
    try (var watch = watch(client)) {
      assertThat(next(watch)).isEqualTo(ServingStatus.SERVING);
      health.setStatus("", HealthStatus.UNKNOWN);
      await(sending);
      started().server().shutdown();
      goesOn.countDown();
      assertThat(next(watch)).isEqualTo(ServingStatus.UNKNOWN);
      assertThat(next(watch)).isEqualTo(ServingStatus.NOT_SERVING);
      assertEnds(watch);
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // nothing relies on the yields but chance
  @Test
  void oneThreadAtATimeSendsTheStatusesOfAWatch() throws Exception {
    AtomicInteger sending = new AtomicInteger();
    List<Integer> atOnce = new CopyOnWriteArrayList<>();
    HealthClient client =
        start(
            new Before(
                status -> {
                  atOnce.add(sending.incrementAndGet());
                  Thread.yield();
                  sending.decrementAndGet();
                },
                () -> atOnce.add(sending.get() + 1)));
    ServingStatus last = ServingStatus.SERVING;
    try (var watch = watch(client)) {
      assertThat(next(watch)).isEqualTo(last);
      List<Thread> setters = new ArrayList<>();
      for (HealthStatus status : HealthStatus.values()) {
        setters.add(Thread.startVirtualThread(() -> setOften(status)));
      }
      for (Thread setter : setters) {
        setter.join();
      }
      started().server().shutdown();
      while (watch.hasNext()) {
        ServingStatus newer = next(watch);
        assertThat(newer).isNotEqualTo(last);
        last = newer;
      }
    } catch (StatusException e) {
      assertThat(e.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    }
    assertThat(last).isEqualTo(ServingStatus.NOT_SERVING);
    assertThat(atOnce).containsOnly(1);
  }

  private void setOften(HealthStatus status) {
    for (int i = 0; i < 1_000; i++) {
      health.setStatus("", status);
    }
  }

  @Test
  void statusesAreSentInTheContextOfTheirWatch() throws IOException {
    CallContext.Key<String> name = CallContext.Key.of("name");
    List<Optional<String>> names = new CopyOnWriteArrayList<>();
    ServerInterceptor naming =
        new ServerInterceptor() {
          @Override
          public <Q, R> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            call.context().setValue(name, "watch");
            return next.startCall(call, headers);
          }
        };
    HealthClient client =
        start(
            new Before(
                () -> names.add(CallContext.current().flatMap(context -> context.value(name)))),
            it -> it.intercept(naming));
    try (var watch = watch(client)) {
      assertThat(next(watch)).isEqualTo(ServingStatus.SERVING);
      health.setStatus("", HealthStatus.NOT_SERVING);
      assertThat(next(watch)).isEqualTo(ServingStatus.NOT_SERVING);
      started().server().shutdown();
      assertEnds(watch);
      assertThat(names).hasSize(3).containsOnly(Optional.of("watch"));
    }
  }
}
