package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.AsyncCalls;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.ClientCallStreamObserver;
import dev.gannet.api.stub.ClientResponseObserver;
import dev.gannet.api.stub.ObserverCalls;
import dev.gannet.client.ManagedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A client's interceptor refuses a call by a StatusException; each style tells its caller so, as
 * the failure of that call.
 */
final class ClientRefusalsTest {
  private static final Metadata.Key<String> DAY = Metadata.Key.ascii("day");

  private final StatusException refusal = refusal();
  private final IllegalArgumentException mistake = new IllegalArgumentException("mistake");

  private final HeldCalls held = new HeldCalls();
  private final Simulation simulation =
      new Simulation()
          .with(Texts.UNARY, held)
          .with(Texts.CLIENT_STREAMING, held)
          .with(Texts.BIDI, held);
  private final ManagedChannel channel = simulation.channel();
  private final List<Object> heard = new ArrayList<>();

  @BeforeEach
  void serve() {
    simulation.serve();
  }

  /** The step of a call at which an interceptor throws. */
  enum At {
    NEW_CALL,
    START,
    /** The call behind it has started then. */
    AFTER_START
  }

  private record Throwing(At at, RuntimeException thrown) implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      if (at == At.NEW_CALL) {
        throw thrown;
      }
      return new ForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void start(ClientCall.Listener<? super R> listener, Metadata headers) {
          if (at == At.AFTER_START) {
            super.start(listener, headers);
          }
          throw thrown;
        }
      };
    }
  }

  private Channel refusing(At at) {
    return ClientInterceptor.intercept(channel, List.of(new Throwing(at, refusal)));
  }

  private static StatusException refusal() {
    Metadata trailers = new Metadata();
    trailers.add(DAY, "sunday");
    return Status.PERMISSION_DENIED.withDescription("not on Sundays").asException(trailers);
  }

  private void assertRefused(MethodDescriptor<?, ?> method, Object told) {
    assertThat(told)
        .isInstanceOfSatisfying(
            StatusException.class,
            failure -> {
              assertThat(failure.status().code()).isEqualTo(Status.Code.PERMISSION_DENIED);
              assertThat(failure.status().description()).contains("not on Sundays");
              assertThat(failure.trailers().get(DAY)).contains("sunday");
              assertThat(failure.failedCall()).contains(method.fullMethodName());
              assertThat(failure.getCause()).isSameAs(refusal);
            });
  }

  private void assertHeardOfRefusalOf(MethodDescriptor<?, ?> method) {
    assertThat(heard).hasSize(2).startsWith("before");
    assertRefused(method, heard.getLast());
  }

  private void assertNothingIsLeft() {
    channel.shutdown();
    simulation.run();
    assertThat(channel.isTerminated()).isTrue();
  }

  /** Keeps what it is told. */
  private final class Heard implements ClientResponseObserver<String, String> {
    @Override
    public void beforeStart(ClientCallStreamObserver<String> requestStream) {
      heard.add("before");
    }

    @Override
    public void onNext(String value) {
      heard.add(value);
    }

    @Override
    public void onError(Throwable thrown) {
      heard.add(thrown);
    }

    @Override
    public void onCompleted() {
      heard.add("completed");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBlockingClientThrowsIt(At at) {
    assertRefused(
        Texts.UNARY,
        catchThrowable(
            () -> BlockingCalls.unary(refusing(at), Texts.UNARY, CallOptions.DEFAULT, "ask")));
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource
  void aBlockingStreamThrowsItWhenItBegins(At at) {
    assertRefused(
        Texts.BIDI,
        catchThrowable(
            () -> BlockingCalls.bidiStreaming(refusing(at), Texts.BIDI, CallOptions.DEFAULT)));
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource
  void aCallWithoutAStubThrowsIt(At at) {
    assertRefused(Texts.UNARY, catchThrowable(() -> MadeCall.start(refusing(at), Texts.UNARY)));
  }

  @ParameterizedTest
  @EnumSource
  void twoChainsOfInterceptorsMakeOneFailureOfIt(At at) {
    Channel outer = ClientInterceptor.intercept(refusing(at), List.of(new Watching()));
    assertRefused(
        Texts.UNARY,
        catchThrowable(() -> BlockingCalls.unary(outer, Texts.UNARY, CallOptions.DEFAULT, "ask")));
    assertNothingIsLeft();
  }

  private record Watching() implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new ForwardingClientCall<>(next.newCall(method, options)) {};
    }
  }

  @Test
  void theFailureOfAnotherCallIsTheCauseOfTheRefusal() {
    StatusException other =
        StatusException.ofCall(Texts.BIDI, Status.UNAVAILABLE, new Metadata(), new Metadata());
    Channel broken =
        ClientInterceptor.intercept(channel, List.of(new Throwing(At.NEW_CALL, other)));
    assertThatThrownBy(() -> BlockingCalls.unary(broken, Texts.UNARY, CallOptions.DEFAULT, "ask"))
        .isInstanceOfSatisfying(
            StatusException.class,
            failure -> assertThat(failure.failedCall()).contains(Texts.UNARY.fullMethodName()))
        .hasCause(other);
  }

  @ParameterizedTest
  @EnumSource
  void aFutureFailsWithIt(At at) {
    CompletableFuture<String> future =
        AsyncCalls.unary(refusing(at), Texts.UNARY, CallOptions.DEFAULT, "ask");
    assertRefused(Texts.UNARY, future.exceptionNow());
    assertNothingIsLeft();
    assertThat(held.all()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void theFutureOfAStreamFailsWithItAndTheRequestsAreNotSubscribedTo(At at) {
    Flow.Publisher<String> requests = subscriber -> heard.add("subscribed");
    CompletableFuture<String> future =
        AsyncCalls.clientStreaming(
            refusing(at), Texts.CLIENT_STREAMING, CallOptions.DEFAULT, requests);
    assertRefused(Texts.CLIENT_STREAMING, future.exceptionNow());
    assertNothingIsLeft();
    assertThat(heard).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void theSubscriberOfAPublisherGetsIt(At at) {
    Recorder recorder = new Recorder();
    AsyncCalls.serverStreaming(refusing(at), Texts.UNARY, CallOptions.DEFAULT, "ask")
        .subscribe(recorder);
    assertRefused(Texts.UNARY, recorder.error());
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource
  void itComesBeforeTheEndOfTheCallBehindIt(At at) {
    try (ManagedChannel direct = simulation.channelBuilder().executor(Runnable::run).build()) {
      Channel refusing = ClientInterceptor.intercept(direct, List.of(new Throwing(at, refusal)));
      Recorder recorder = new Recorder();
      AsyncCalls.serverStreaming(refusing, Texts.UNARY, CallOptions.DEFAULT, "ask")
          .subscribe(recorder);
      ObserverCalls.unary(refusing, Texts.UNARY, CallOptions.DEFAULT, "ask", new Heard());
      assertRefused(Texts.UNARY, recorder.error());
      assertHeardOfRefusalOf(Texts.UNARY);
      direct.shutdownNow();
      simulation.run();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anObserverGetsItOnce(At at) {
    ObserverCalls.unary(refusing(at), Texts.UNARY, CallOptions.DEFAULT, "ask", new Heard());
    assertHeardOfRefusalOf(Texts.UNARY);
    assertNothingIsLeft();
    assertThat(heard).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsSentWithTheObserverOfARefusedCallIsDropped(At at) {
    ClientCallStreamObserver<String> requests =
        ObserverCalls.bidiStreaming(refusing(at), Texts.BIDI, CallOptions.DEFAULT, new Heard());
    requests.onNext("ask");
    requests.request(1);
    requests.onCompleted();
    requests.cancel("enough", null);
    assertThat(requests.isReady()).isFalse();
    assertNothingIsLeft();
    assertHeardOfRefusalOf(Texts.BIDI);
  }

  @ParameterizedTest
  @EnumSource
  void anExceptionOfAnotherKindIsThrown(At at) {
    Channel broken = ClientInterceptor.intercept(channel, List.of(new Throwing(at, mistake)));
    assertThatThrownBy(() -> AsyncCalls.unary(broken, Texts.UNARY, CallOptions.DEFAULT, "ask"))
        .isSameAs(mistake);
    assertThatThrownBy(
            () -> ObserverCalls.unary(broken, Texts.UNARY, CallOptions.DEFAULT, "ask", new Heard()))
        .isSameAs(mistake);
    assertNothingIsLeft();
  }
}
