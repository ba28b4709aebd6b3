package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.DeferredClientCall;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.stub.AsyncCalls;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.ObserverCalls;
import dev.gannet.api.stub.StreamObserver;
import dev.gannet.api.stub.StubCalls;
import dev.gannet.client.ManagedChannel;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that an interceptor breaks while it begins is not left behind by its blocking caller. */
final class BrokenInterceptorsTest {
  private final HeldCalls held = new HeldCalls();
  private final Simulation simulation =
      new Simulation()
          .with(Texts.UNARY, held)
          .with(Texts.SERVER_STREAMING, held)
          .with(Texts.BIDI, held);
  private final ManagedChannel channel = simulation.channel();

  @BeforeEach
  void serve() {
    simulation.serve();
  }

  /** Lets a call do all it is told, and throws then at one thing. */
  private record Throwing(String at) implements ClientInterceptor {
    @Override
    @SuppressWarnings("unchecked") // the proxy is what it stands before
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      ClientCall<Q, R> call = next.newCall(method, options);
      return (ClientCall<Q, R>)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {ClientCall.class},
              (proxy, told, arguments) -> {
                Object answer = asTold(told, call, arguments);
                if (told.getName().equals(at)) {
                  throw new IllegalStateException(at);
                }
                return answer;
              });
    }
  }

  private static Object asTold(Method told, ClientCall<?, ?> call, Object[] arguments)
      throws Throwable {
    try {
      return told.invoke(call, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private Channel throwingAt(String what) {
    return ClientInterceptor.intercept(channel, List.of(new Throwing(what)));
  }

  /** Forgets to return the call. */
  private record Forgetful() implements ClientInterceptor {
    @Override
    @SuppressWarnings("NullAway") // its mistake
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return null;
    }
  }

  @Test
  void anInterceptorThatReturnsNullIsNamed() {
    Channel broken = ClientInterceptor.intercept(channel, List.of(new Forgetful()));
    assertThatThrownBy(() -> BlockingCalls.unary(broken, Texts.UNARY, CallOptions.DEFAULT, ""))
        .isInstanceOf(NullPointerException.class)
        .hasMessage(
            "interceptCall of "
                + Forgetful.class.getName()
                + " returned null for "
                + Texts.UNARY.fullMethodName()
                + "; it must return the ClientCall of next.newCall, or one that wraps it");
    assertNothingIsLeft();
  }

  private void assertNothingIsLeft() {
    channel.shutdown();
    simulation.run();
    assertThat(channel.isTerminated()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"start", "request", "sendMessage", "halfClose"})
  void anInterceptorThatThrowsEndsAUnaryCall(String at) {
    Channel broken = throwingAt(at);
    assertThatThrownBy(() -> BlockingCalls.unary(broken, Texts.UNARY, CallOptions.DEFAULT, ""))
        .hasMessage(at);
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @ValueSource(strings = {"start", "request", "sendMessage", "halfClose"})
  void anInterceptorThatThrowsEndsAServerStreamingCall(String at) {
    Channel broken = throwingAt(at);
    assertThatThrownBy(() ->
            BlockingCalls.serverStreaming(broken, Texts.SERVER_STREAMING, CallOptions.DEFAULT, ""))
        .hasMessage(at);
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @ValueSource(strings = {"start", "request"})
  void anInterceptorThatThrowsEndsABidiStreamingCall(String at) {
    Channel broken = throwingAt(at);
    assertThatThrownBy(() -> BlockingCalls.bidiStreaming(broken, Texts.BIDI, CallOptions.DEFAULT))
        .hasMessage(at);
    assertNothingIsLeft();
  }

  @Test
  void ifCancelThrowsAsWellTheFirstExceptionIsReported() {
    ClientInterceptor both = new Throwing("cancel");
    Channel broken = ClientInterceptor.intercept(throwingAt("start"), List.of(both));
    assertThatThrownBy(() -> BlockingCalls.unary(broken, Texts.UNARY, CallOptions.DEFAULT, ""))
        .hasMessage("start")
        .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(1));
    assertNothingIsLeft();
  }

  private Channel brokenAtTheEnd() {
    return ClientInterceptor.intercept(channel, List.of(BrokenEnd.UNTOLD));
  }

  @Test
  void theFutureOfACallFailsIfAnInterceptorThrowsAtTheEnd() {
    CompletableFuture<String> call =
        AsyncCalls.unary(brokenAtTheEnd(), Texts.UNARY, CallOptions.DEFAULT, "");
    simulation.run();
    held.only().answers("response");
    held.only().ends();
    simulation.run();
    assertThat(call).isCompletedExceptionally();
    BrokenEnd.assertIsOf(call.exceptionNow());
    assertNothingIsLeft();
  }

  /** The same with a listener that is not a forwarding one, so that nobody sees behind it. */
  private record OwnListener() implements ClientInterceptor {
    private record ThrowsAtTheEnd<R>(ClientCall.Listener<? super R> caller)
        implements ClientCall.Listener<R> {
      @Override
      public void onMessage(R message) {
        caller.onMessage(message);
      }

      @Override
      public void onClose(Status status, Metadata trailers) {
        throw BrokenEnd.fault();
      }
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new ForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void start(ClientCall.Listener<? super R> listener, Metadata headers) {
          super.start(new ThrowsAtTheEnd<R>(listener), headers);
        }
      };
    }
  }

  @Test
  void theFutureOfACallFailsIfAnyListenerThrowsAtTheEnd() {
    Channel broken =
        ClientInterceptor.intercept(channel, List.of(new Passing(), new OwnListener()));
    CompletableFuture<String> call = AsyncCalls.unary(broken, Texts.UNARY, CallOptions.DEFAULT, "");
    simulation.run();
    held.only().answers("response");
    held.only().ends();
    simulation.run();
    assertThat(call).isCompletedExceptionally();
    BrokenEnd.assertIsOf(call.exceptionNow());
    assertNothingIsLeft();
  }

  /** Makes its call when that starts. */
  private record Deferring() implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new DeferredClientCall<>() {
        @Override
        protected ClientCall<Q, R> newCall(Metadata headers) {
          return next.newCall(method, options);
        }
      };
    }
  }

  @Test
  void theFutureOfACallFailsIfAListenerBehindADeferredCallThrowsAtTheEnd() {
    Channel broken =
        ClientInterceptor.intercept(
            channel,
            List.of(
                new Passing(), new Deferring(), new Passing(), new Deferring(), new OwnListener()));
    CompletableFuture<String> call = AsyncCalls.unary(broken, Texts.UNARY, CallOptions.DEFAULT, "");
    simulation.run();
    held.only().answers("response");
    held.only().ends();
    simulation.run();
    assertThat(call).isCompletedExceptionally();
    BrokenEnd.assertIsOf(call.exceptionNow());
    assertNothingIsLeft();
  }

  /** The listener of a stub that Gannet does not know. */
  private record OfAnotherStyle(List<String> heard) implements ClientCall.Listener<String> {
    @Override
    public void onMessage(String message) {
      heard.add(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      heard.add(status.code().name());
    }
  }

  private List<String> heardByAnotherStyle(ClientInterceptor interceptor) {
    List<String> heard = new ArrayList<>();
    Channel broken = ClientInterceptor.intercept(channel, List.of(new Passing(), interceptor));
    ClientCall<String, String> call = StubCalls.newCall(broken, Texts.UNARY, CallOptions.DEFAULT);
    StubCalls.start(call, new OfAnotherStyle(heard), CallOptions.DEFAULT);
    StubCalls.sendOnly(call, "");
    call.request(2);
    simulation.run();
    held.only().answers("response");
    held.only().ends();
    simulation.run();
    return heard;
  }

  @Test
  void aStubOfAnotherStyleIsToldOfTheEndIfAnInterceptorThrows() {
    assertThat(heardByAnotherStyle(new OwnListener())).containsExactly("response", "CANCELLED");
    assertNothingIsLeft();
  }

  @Test
  void aStubOfAnotherStyleIsToldOfTheEndOnceIfAnInterceptorThrowsAfterIt() {
    assertThat(heardByAnotherStyle(BrokenEnd.TOLD)).containsExactly("response", "OK");
    assertNothingIsLeft();
  }

  @Test
  void aCallWhoseInterceptorIsFineEndsAsItsServerSays() {
    Channel passing = ClientInterceptor.intercept(channel, List.of(new Passing()));
    CompletableFuture<String> call =
        AsyncCalls.unary(passing, Texts.UNARY, CallOptions.DEFAULT, "");
    simulation.run();
    held.only().answers("response");
    held.only().ends();
    simulation.run();
    assertThat(call).isCompletedWithValue("response");
  }

  /** Forwards everything. */
  private record Passing() implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new ForwardingClientCall<>(next.newCall(method, options)) {};
    }
  }

  @Test
  void anObserverIsToldOfTheEndOnceIfAnInterceptorThrows() {
    List<Throwable> ends = new ArrayList<>();
    ObserverCalls.unary(
        brokenAtTheEnd(),
        Texts.UNARY,
        CallOptions.DEFAULT,
        "",
        new StreamObserver<>() {
          @Override
          public void onNext(String value) {}

          @Override
          public void onError(Throwable thrown) {
            ends.add(thrown);
          }

          @Override
          public void onCompleted() {}
        });
    simulation.run();
    held.only().answers("response");
    held.only().ends();
    simulation.run();
    assertThat(ends).hasSize(1);
    BrokenEnd.assertIsOf(ends.getFirst());
    assertNothingIsLeft();
  }
}
