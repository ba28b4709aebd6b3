package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client's interceptor refuses a call by a StatusException; each style tells its caller so. */
final class ClientRefusalsTest {
  private final StatusException refusal =
      Status.PERMISSION_DENIED.withDescription("not on Sundays").asException();
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
    assertThatThrownBy(
            () -> BlockingCalls.unary(refusing(at), Texts.UNARY, CallOptions.DEFAULT, "ask"))
        .isSameAs(refusal);
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource
  void aFutureFailsWithIt(At at) {
    CompletableFuture<String> future =
        AsyncCalls.unary(refusing(at), Texts.UNARY, CallOptions.DEFAULT, "ask");
    assertThat(future.exceptionNow()).isSameAs(refusal);
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
    assertThat(future.exceptionNow()).isSameAs(refusal);
    assertNothingIsLeft();
    assertThat(heard).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void theSubscriberOfAPublisherGetsIt(At at) {
    Recorder recorder = new Recorder();
    AsyncCalls.serverStreaming(refusing(at), Texts.UNARY, CallOptions.DEFAULT, "ask")
        .subscribe(recorder);
    assertThat(recorder.error()).isSameAs(refusal);
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
      assertThat(recorder.error()).isSameAs(refusal);
      assertThat(heard).containsExactly("before", refusal);
      direct.shutdownNow();
      simulation.run();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anObserverGetsItOnce(At at) {
    ObserverCalls.unary(refusing(at), Texts.UNARY, CallOptions.DEFAULT, "ask", new Heard());
    assertThat(heard).containsExactly("before", refusal);
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
    assertThat(heard).containsExactly("before", refusal);
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
