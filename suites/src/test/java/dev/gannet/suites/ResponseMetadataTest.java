package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.EnumSource.Mode.MATCH_ANY;

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
import dev.gannet.api.stub.ClientCallStreamObserver;
import dev.gannet.api.stub.ClientResponseObserver;
import dev.gannet.api.stub.ObserverCalls;
import dev.gannet.api.stub.Response;
import dev.gannet.api.stub.ResponseMetadata;
import dev.gannet.client.ManagedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Callers that do not wait see the headers, the trailers and the server of their calls. */
@ParameterizedClass
@EnumSource
final class ResponseMetadataTest {
  private static final Metadata.Key<String> FIELD = Metadata.Key.ascii("field");

  private final HeldCalls held = new HeldCalls();
  private final Simulation simulation;

  ResponseMetadataTest(Medium medium) {
    simulation =
        new Simulation(medium)
            .with(Texts.UNARY, held)
            .with(Texts.CLIENT_STREAMING, held)
            .with(Texts.SERVER_STREAMING, held)
            .with(Texts.BIDI, held);
  }

  @BeforeEach
  void serve() {
    simulation.serve();
  }

  /**
   * A caller that is handed the metadata of its call, and tells what it sees of it at each step.
   */
  private static final class Caller
      implements Flow.Subscriber<String>, ClientResponseObserver<String, String> {
    final List<String> seen = new ArrayList<>();
    final List<ResponseMetadata> calls = new ArrayList<>();
    final List<Throwable> errors = new ArrayList<>();
    final List<Flow.Subscription> subscriptions = new ArrayList<>();

    void onCall(ResponseMetadata call) {
      assertThat(subscriptions).isEmpty();
      assertThat(call.peer()).isEmpty(); // it has not started
      assertThat(call.sslSession()).isEmpty();
      calls.add(call);
      see("call");
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<String> requestStream) {
      onCall(requestStream);
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscriptions.add(subscription);
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(String response) {
      see(response);
    }

    @Override
    public void onError(Throwable thrown) {
      errors.add(thrown);
      see("error");
    }

    @Override
    public void onComplete() {
      see("end");
    }

    @Override
    public void onCompleted() {
      see("end");
    }

    ResponseMetadata call() {
      assertThat(calls).hasSize(1);
      return calls.getFirst();
    }

    private void see(String what) {
      seen.add(what + " " + call().headers().getAll(FIELD) + call().trailers().getAll(FIELD));
    }
  }

  /** The calls whose metadata is seen while they run. */
  enum Style {
    PUBLISHED,
    PUBLISHED_BOTH_WAYS,
    OBSERVED_UNARY,
    OBSERVED_REQUESTS,
    OBSERVED_RESPONSES,
    OBSERVED_BOTH_WAYS;

    private void begin(Channel channel, Caller caller) {
      CallOptions none = CallOptions.DEFAULT;
      switch (this) {
        case PUBLISHED ->
            AsyncCalls.response(channel, Texts.SERVER_STREAMING, none, "ask", caller::onCall)
                .subscribe(caller);
        case PUBLISHED_BOTH_WAYS ->
            AsyncCalls.response(channel, Texts.BIDI, none, Texter.of("ask"), caller::onCall)
                .subscribe(caller);
        case OBSERVED_UNARY -> ObserverCalls.unary(channel, Texts.UNARY, none, "ask", caller);
        case OBSERVED_REQUESTS ->
            ObserverCalls.clientStreaming(channel, Texts.CLIENT_STREAMING, none, caller)
                .onCompleted();
        case OBSERVED_RESPONSES ->
            ObserverCalls.serverStreaming(channel, Texts.SERVER_STREAMING, none, "ask", caller);
        case OBSERVED_BOTH_WAYS ->
            ObserverCalls.bidiStreaming(channel, Texts.BIDI, none, caller).onCompleted();
      }
    }
  }

  private Caller begin(Style style) {
    Caller caller = new Caller();
    style.begin(simulation.channel(), caller);
    simulation.run();
    return caller;
  }

  private static Metadata field(String value) {
    Metadata metadata = new Metadata();
    metadata.add(FIELD, value);
    return metadata;
  }

  @ParameterizedTest
  @EnumSource
  void headersAreThereBeforeTheFirstMessageAndTrailersAtTheEnd(Style style) {
    Caller caller = begin(style);
    held.only().call().sendHeaders(field("before"));
    held.only().answers("a");
    held.only().call().close(Status.OK, field("behind"));
    simulation.run();

    assertThat(caller.seen).containsExactly("call [][]", "a [before][]", "end [before][behind]");
  }

  @ParameterizedTest
  @EnumSource(
      names = {"PUBLISHED.*", "OBSERVED_RESPONSES", "OBSERVED_BOTH_WAYS"},
      mode = MATCH_ANY)
  void headersOfAStreamAreThereAsSoonAsTheyHaveArrived(Style style) {
    Caller caller = begin(style);
    held.only().call().sendHeaders(field("before"));
    simulation.run();

    assertThat(caller.call().headers().get(FIELD)).hasValue("before");
    assertThat(caller.seen).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void aFailedCallHasTheHeadersAndTrailersOfItsException(Style style) {
    Caller caller = begin(style);
    held.only().call().sendHeaders(field("before"));
    held.only().call().close(Status.NOT_FOUND, field("behind"));
    simulation.run();

    assertThat(caller.seen).containsExactly("call [][]", "error [before][behind]");
    StatusException thrown = (StatusException) caller.errors.getFirst();
    assertThat(thrown.headers().get(FIELD)).hasValue("before");
    assertThat(thrown.trailers().get(FIELD)).hasValue("behind");
  }

  @ParameterizedTest
  @EnumSource
  void aCallThatOnlyHasTrailersHasNoHeaders(Style style) {
    Caller caller = begin(style);
    held.only().call().close(Status.NOT_FOUND, field("only"));
    simulation.run();

    assertThat(caller.seen).containsExactly("call [][]", "error [][only]");
  }

  @ParameterizedTest
  @EnumSource
  void theServerIsKnownWhileTheCallRunsAndAfterIt(Style style) {
    Caller caller = begin(style);
    assertThat(caller.call().peer()).isPresent();
    assertThat(caller.call().sslSession()).isEmpty(); // it is plaintext

    held.only().ends(Status.NOT_FOUND);
    simulation.run();
    assertThat(caller.call().peer()).isPresent();
  }

  private Channel throwing(boolean early, RuntimeException refusal) {
    return ClientInterceptor.intercept(simulation.channel(), List.of(new Throwing(early, refusal)));
  }

  /** Throws when the call is made, or when it starts. */
  private record Throwing(boolean early, RuntimeException thrown) implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      if (early) {
        throw thrown;
      }
      return new ForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void start(ClientCall.Listener<? super R> listener, Metadata headers) {
          throw thrown;
        }
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCallThatAnInterceptorRefusesHasEmptyMetadata(Style style) {
    StatusException refusal = Status.PERMISSION_DENIED.asException();
    for (boolean early : List.of(true, false)) {
      Caller caller = new Caller();
      style.begin(throwing(early, refusal), caller);
      simulation.run();

      assertThat(caller.errors).hasSize(1);
      assertThat(caller.errors.getFirst()).cause().isSameAs(refusal);
      assertThat(caller.seen).containsExactly("call [][]", "error [][]");
      assertThat(caller.call().peer()).isEmpty();
      assertThat(caller.call().sslSession()).isEmpty();
    }
  }

  @Test
  void eachSubscriptionHasMetadataOfItsOwn() {
    List<ResponseMetadata> calls = new ArrayList<>();
    Flow.Publisher<String> responses =
        AsyncCalls.response(
            simulation.channel(), Texts.SERVER_STREAMING, CallOptions.DEFAULT, "ask", calls::add);
    assertThat(calls).isEmpty();

    for (String field : List.of("first", "second")) {
      responses.subscribe(new Recorder());
      simulation.run();
      held.all().getLast().call().sendHeaders(field(field));
      held.all().getLast().call().close(Status.OK, field("end of the " + field));
      simulation.run();
    }

    assertThat(calls)
        .extracting(it -> it.headers().get(FIELD).orElseThrow())
        .containsExactly("first", "second");
    assertThat(calls)
        .extracting(it -> it.trailers().get(FIELD).orElseThrow())
        .containsExactly("end of the first", "end of the second");
  }

  @Test
  void aCancelledSubscriptionLeavesTheHeadersThatHaveArrived() {
    Caller caller = begin(Style.PUBLISHED);
    held.only().call().sendHeaders(field("before"));
    simulation.run();
    caller.subscriptions.getFirst().cancel();
    held.only().call().close(Status.OK, field("behind"));
    simulation.run();

    assertThat(caller.call().headers().get(FIELD)).hasValue("before");
    assertThat(caller.call().trailers().get(FIELD)).isEmpty();
    assertThat(caller.seen).hasSize(1);
  }

  @Test
  void aConsumerThatThrowsFailsTheSubscriberAndNoCallIsMade() {
    IllegalStateException failure = new IllegalStateException("out of ink");
    ManagedChannel channel = simulation.channel();
    Recorder recorder = new Recorder();
    AsyncCalls.response(
            channel,
            Texts.SERVER_STREAMING,
            CallOptions.DEFAULT,
            "ask",
            call -> {
              throw failure;
            })
        .subscribe(recorder);
    channel.shutdown();
    simulation.run();

    assertThat(recorder.error()).isSameAs(failure);
    assertThat(recorder.subscription()).isNotNull();
    assertThat(held.all()).isEmpty();
    assertThat(channel.isTerminated()).isTrue();
  }

  @Test
  void aConsumerThatThrowsAtARefusedCallDoesNotHideTheRefusal() {
    StatusException refusal = Status.PERMISSION_DENIED.asException();
    IllegalStateException failure = new IllegalStateException("out of ink");
    Recorder recorder = new Recorder();
    AsyncCalls.response(
            throwing(true, refusal),
            Texts.SERVER_STREAMING,
            CallOptions.DEFAULT,
            "ask",
            call -> {
              throw failure;
            })
        .subscribe(recorder);

    assertThat(recorder.error()).hasSuppressedException(failure).cause().isSameAs(refusal);
  }

  @Test
  void theResponseToAStreamOfRequestsHasItsHeadersAndTrailers() {
    CompletableFuture<Response<String>> future =
        AsyncCalls.response(
            simulation.channel(), Texts.CLIENT_STREAMING, CallOptions.DEFAULT, Texter.of("a", "b"));
    simulation.run();
    held.only().call().sendHeaders(field("before"));
    held.only().answers("both");
    held.only().call().close(Status.OK, field("behind"));
    simulation.run();

    assertThat(future.join().message()).isEqualTo("both");
    assertThat(future.join().headers().get(FIELD)).hasValue("before");
    assertThat(future.join().trailers().get(FIELD)).hasValue("behind");
    assertThat(future.join().peer()).isPresent();
    assertThat(future.join().sslSession()).isEmpty();
  }

  @Test
  void methodsOfAnotherKindAreRefused() {
    Channel channel = simulation.channel();
    CallOptions none = CallOptions.DEFAULT;
    Texter requests = Texter.of();

    assertThatThrownBy(() -> AsyncCalls.response(channel, Texts.BIDI, none, requests))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("test.Texts/Bidi is not client streaming");
    assertThatThrownBy(() -> AsyncCalls.response(channel, Texts.BIDI, none, "ask", call -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("test.Texts/Bidi is not server streaming");
    assertThatThrownBy(
            () -> AsyncCalls.response(channel, Texts.CLIENT_STREAMING, none, requests, call -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("test.Texts/ClientStreaming is not bidi streaming");
  }
}
