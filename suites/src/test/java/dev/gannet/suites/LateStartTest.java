package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.Status;
import dev.gannet.api.stub.AsyncHandlers;
import dev.gannet.api.stub.BlockingHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * An interceptor that asks somebody else before it starts a call, on that one's thread: the handler
 * runs in the context of its call all the same.
 */
final class LateStartTest {
  private static final CallContext.Key<String> USER = CallContext.Key.of("user");

  private final List<Runnable> starts = new ArrayList<>();
  private final List<String> seen = new ArrayList<>();
  private final Simulation simulation = new Simulation();

  /** Starts a call, and forwards its events, when the test says so. */
  private final class Late implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      LateEvents<Q> events = new LateEvents<>();
      call.request(1); // so that the first message, too, is forwarded late
      starts.add(() -> {
        call.context().setValue(USER, "ada");
        events.forwardTo(next.startCall(call, headers));
      });
      return events;
    }
  }

  private static final class LateEvents<Q> implements ServerCall.Listener<Q> {
    private final List<Consumer<ServerCall.Listener<Q>>> waiting = new ArrayList<>();
    private ServerCall.@Nullable Listener<Q> next;

    void forwardTo(ServerCall.Listener<Q> listener) {
      next = listener;
      waiting.forEach(event -> event.accept(listener));
    }

    private void tell(Consumer<ServerCall.Listener<Q>> event) {
      ServerCall.Listener<Q> to = next;
      if (to == null) {
        waiting.add(event);
      } else {
        event.accept(to);
      }
    }

    @Override
    public void onReady() {
      tell(ServerCall.Listener::onReady);
    }

    @Override
    public void onMessage(Q message) {
      tell(it -> it.onMessage(message));
    }

    @Override
    public void onHalfClose() {
      tell(ServerCall.Listener::onHalfClose);
    }

    @Override
    public void onCancel() {
      tell(ServerCall.Listener::onCancel);
    }

    @Override
    public void onComplete() {
      tell(ServerCall.Listener::onComplete);
    }
  }

  private void see(String where) {
    String user = CallContext.current().flatMap(it -> it.value(USER)).orElse("nobody");
    seen.add(where + " " + user);
  }

  private String answer(String request) {
    see("begins");
    return request;
  }

  private CompletionStage<String> answerLater(String request) {
    return CompletableFuture.completedFuture(answer(request));
  }

  private Flow.Publisher<String> echo(Flow.Publisher<String> requests) {
    see("begins");
    return subscriber -> {
      see("subscribed");
      requests.subscribe(new Echo(subscriber));
    };
  }

  private final class Echo implements Flow.Subscriber<String> {
    private final Flow.Subscriber<? super String> to;

    Echo(Flow.Subscriber<? super String> to) {
      this.to = to;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      to.onSubscribe(subscription);
    }

    @Override
    public void onNext(String message) {
      see("next");
      to.onNext(message);
    }

    @Override
    public void onError(Throwable thrown) {
      see("failed");
      to.onError(thrown);
    }

    @Override
    public void onComplete() {
      see("completed");
      to.onComplete();
    }
  }

  private MadeCall called(
      MethodDescriptor<String, String> method, ServerCallHandler<String, String> handler) {
    simulation.with(method, handler);
    Simulation.start(simulation.serverBuilder().intercept(new Late()));
    MadeCall call = MadeCall.whole(simulation.channel(), method, "question");
    simulation.run();
    starts.forEach(Runnable::run); // on a thread that serves no call
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
    return call;
  }

  @Test
  void anAsynchronousMethodWithOneRequestRunsInItsContext() {
    called(Texts.UNARY, AsyncHandlers.unary(this::answerLater));
    assertThat(seen).containsExactly("begins ada");
  }

  @Test
  void aBlockingMethodWithOneRequestRunsInItsContext() {
    called(Texts.UNARY, BlockingHandlers.unary(this::answer));
    assertThat(seen).containsExactly("begins ada");
  }

  @Test
  void anAsynchronousMethodWithStreamsRunsInItsContext() {
    called(Texts.BIDI, AsyncHandlers.bidiStreaming(this::echo));
    assertThat(seen).containsExactly("begins ada", "subscribed ada", "next ada", "completed ada");
  }
}
