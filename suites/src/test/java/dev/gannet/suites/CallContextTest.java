package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.stub.BlockingHandlers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Values that interceptors leave in a call's context, and contexts on other threads. */
final class CallContextTest {
  private static final CallContext.Key<String> PRINCIPAL = CallContext.Key.of("principal");
  private static final CallContext.Key<String> TENANT = CallContext.Key.of("tenant");

  private final Simulation simulation =
      new Simulation().with(Texts.UNARY, BlockingHandlers.unary(this::answer));
  private final AtomicReference<CallContext> served = new AtomicReference<>();
  private final List<Optional<String>> seen = new ArrayList<>();
  private final AtomicReference<Channel> outgoing = new AtomicReference<>();

  private String answer(String request) {
    CallContext context = CallContext.current().orElseThrow();
    served.set(context);
    seen.add(context.value(PRINCIPAL));
    if (request.equals("call another")) {
      MadeCall.whole(outgoing.get(), Texts.UNARY, "another");
    }
    return request;
  }

  private record Authenticating(String principal) implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      call.context().setValue(PRINCIPAL, principal);
      return next.startCall(call, headers);
    }
  }

  private final class Looking implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      seen.add(CallContext.current().flatMap(it -> it.value(PRINCIPAL)));
      return next.newCall(method, options);
    }
  }

  private void serve() {
    Simulation.start(simulation.serverBuilder().intercept(new Authenticating("ada")));
    outgoing.set(simulation.channelBuilder().intercept(new Looking()).build());
  }

  private CallContext contextOfACall() {
    serve();
    MadeCall.whole(simulation.channel(), Texts.UNARY, "hello");
    simulation.run();
    return served.get();
  }

  @Test
  void aHandlerSeesTheValueThatAnInterceptorHasSet() {
    CallContext context = contextOfACall();
    assertThat(seen).containsExactly(Optional.of("ada"));
    assertThat(context.value(TENANT)).isEmpty();
  }

  @Test
  void aCallInProcessIsProtectedWithoutASession() {
    Simulation inProcess =
        new Simulation(Medium.IN_PROCESS).with(Texts.UNARY, BlockingHandlers.unary(this::answer));
    inProcess.serve();
    MadeCall.whole(inProcess.channel(), Texts.UNARY, "hello");
    inProcess.run();
    CallContext context = served.get();
    assertThat(context.securityLevel()).isEqualTo(SecurityLevel.PRIVACY_AND_INTEGRITY);
    assertThat(context.sslSession()).isEmpty();
    assertThat(context.peerCertificates()).isEmpty();
    assertThat(context.localAddress()).isEqualTo(context.peer());
  }

  @Test
  void aCallThatAHandlerMakesSeesTheValue() {
    serve();
    MadeCall.whole(simulation.channel(), Texts.UNARY, "call another");
    simulation.run();
    assertThat(seen).containsExactly(Optional.of("ada"), Optional.of("ada"), Optional.of("ada"));
  }

  @Test
  void aValueThatIsSetAgainReplacesTheFirst() {
    CallContext context = contextOfACall();
    context.setValue(TENANT, "a");
    context.setValue(TENANT, "b");
    assertThat(context.value(TENANT)).contains("b");
    assertThat(context.value(PRINCIPAL)).contains("ada");
  }

  @Test
  void keysOfTheSameNameAreNotTheSame() {
    assertThat(contextOfACall().value(CallContext.Key.of("principal"))).isEmpty();
  }

  @Test
  void wrappedTasksRunWithTheCallAsTheCurrentOne() throws Exception {
    CallContext context = contextOfACall();
    AtomicReference<Optional<CallContext>> found = new AtomicReference<>(Optional.empty());
    Runnable task = context.wrap((Runnable) () -> found.set(CallContext.current()));
    assertThat(CallContext.current()).isEmpty();
    task.run();
    assertThat(found.get()).contains(context);
    Callable<Optional<CallContext>> asking = context.wrap(CallContext::current);
    assertThat(asking.call()).contains(context);
    assertThat(CallContext.current()).isEmpty();
  }

  @Test
  void aWrappedExecutorRunsItsTasksWithTheCallAsTheCurrentOne() {
    CallContext context = contextOfACall();
    List<Runnable> later = new ArrayList<>();
    Executor executor = context.wrap((Executor) later::add);
    AtomicReference<Optional<CallContext>> found = new AtomicReference<>(Optional.empty());
    executor.execute(() -> found.set(CallContext.current()));
    later.getFirst().run();
    assertThat(found.get()).contains(context);
  }

  @Test
  void aTaskThatThrowsDoesNotChangeTheContextOfItsThread() {
    CallContext context = contextOfACall();
    assertThatThrownBy(() ->
            context.call(() -> {
              throw new IOException("no disk");
            }))
        .isInstanceOf(IOException.class);
    assertThat(CallContext.current()).isEmpty();
  }
}
