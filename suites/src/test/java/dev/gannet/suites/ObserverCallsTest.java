package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.ClientCallStreamObserver;
import dev.gannet.api.stub.ClientResponseObserver;
import dev.gannet.api.stub.ObserverCalls;
import dev.gannet.api.stub.StreamObserver;
import dev.gannet.client.ManagedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Calls with observers, as those know them who come from grpc-java. */
final class ObserverCallsTest {
  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();

  /** Keeps what it is told. */
  @SuppressWarnings("NullAway.Init") // set by what it is told
  private static class Heard implements StreamObserver<String> {
    final List<String> messages = new ArrayList<>();
    Throwable error;
    int completions;

    @Override
    public void onNext(String value) {
      messages.add(value);
    }

    @Override
    public void onError(Throwable t) {
      error = t;
    }

    @Override
    public void onCompleted() {
      completions++;
    }
  }

  /** Requests by hand, and counts how often it may send. */
  @SuppressWarnings("NullAway.Init") // as above
  private static final class Steering extends Heard
      implements ClientResponseObserver<String, String> {
    ClientCallStreamObserver<String> call;
    int readies;

    @Override
    public void beforeStart(ClientCallStreamObserver<String> requestStream) {
      call = requestStream;
      requestStream.disableAutoRequestWithInitial(1);
      requestStream.setOnReadyHandler(() -> readies++);
    }
  }

  private ManagedChannel serving(MethodDescriptor<String, String> method) {
    simulation.with(method, held).serve();
    return simulation.channel();
  }

  @Test
  void aUnaryCallIsAMessageAndACompletion() {
    Heard heard = new Heard();
    ObserverCalls.unary(serving(Texts.UNARY), Texts.UNARY, CallOptions.DEFAULT, "ask", heard);
    simulation.run();
    held.only().answers("answer");
    held.only().ends();
    simulation.run();

    assertThat(heard.messages).containsExactly("answer");
    assertThat(heard.completions).isOne();
    assertThat(heard.error).isNull();
  }

  @Test
  void aFailureIsAStatusException() {
    Heard heard = new Heard();
    ObserverCalls.unary(serving(Texts.UNARY), Texts.UNARY, CallOptions.DEFAULT, "ask", heard);
    simulation.run();
    held.only().ends(Status.NOT_FOUND);
    simulation.run();

    assertThat(((StatusException) heard.error).status().code()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(heard.completions).isZero();
  }

  @Test
  void responsesComeOneAfterTheOther() {
    Heard heard = new Heard();
    ObserverCalls.serverStreaming(
        serving(Texts.SERVER_STREAMING), Texts.SERVER_STREAMING, CallOptions.DEFAULT, "ask", heard);
    simulation.run();
    held.only().answers("a", "b", "c");
    held.only().ends();
    simulation.run();

    assertThat(heard.messages).containsExactly("a", "b", "c");
    assertThat(heard.completions).isOne();
  }

  @Test
  void responsesComeAsTheyAreRequested() {
    Steering steering = new Steering();
    ObserverCalls.serverStreaming(
        serving(Texts.SERVER_STREAMING),
        Texts.SERVER_STREAMING,
        CallOptions.DEFAULT,
        "ask",
        steering);
    simulation.run();
    held.only().answers("a", "b", "c");
    simulation.run();
    assertThat(steering.messages).containsExactly("a");

    steering.call.request(2);
    simulation.run();
    assertThat(steering.messages).containsExactly("a", "b", "c");
  }

  @Test
  void readinessIsReportedAndEndsWhenMuchIsQueued() {
    HeldCalls deaf = new HeldCalls(0);
    simulation.with(Texts.BIDI, deaf).serve();
    Steering steering = new Steering();
    ClientCallStreamObserver<String> call =
        ObserverCalls.bidiStreaming(
            simulation.channel(), Texts.BIDI, CallOptions.DEFAULT, steering);
    simulation.run();
    assertThat(call).isSameAs(steering.call);
    assertThat(steering.readies).isPositive();
    assertThat(call.isReady()).isTrue();

    int before = steering.readies;
    for (int i = 0; i < 50; i++) {
      call.onNext(Texts.ofLength(65_536));
    }
    simulation.run();
    assertThat(call.isReady()).isFalse();

    deaf.only().call().request(1000);
    simulation.run();
    assertThat(call.isReady()).isTrue();
    assertThat(steering.readies).isGreaterThan(before);
  }

  @Test
  void readinessIsReportedWhileUnrequestedResponsesWait() {
    HeldCalls deaf = new HeldCalls(0);
    simulation.with(Texts.BIDI, deaf).serve();
    Steering steering = new Steering();
    ClientCallStreamObserver<String> call =
        ObserverCalls.bidiStreaming(
            simulation.channel(), Texts.BIDI, CallOptions.DEFAULT, steering);
    for (int i = 0; i < 50; i++) {
      call.onNext(Texts.ofLength(65_536));
    }
    simulation.run();
    deaf.only().answers("a", "b", "c"); // of which one was asked for
    simulation.run();
    int before = steering.readies;
    deaf.only().call().request(1000);
    simulation.run();

    assertThat(steering.messages).containsExactly("a");
    assertThat(steering.readies).isGreaterThan(before);
  }

  @Test
  void onCompletedEndsTheRequestsAndOnErrorCancelsTheCall() {
    ManagedChannel channel = serving(Texts.CLIENT_STREAMING);
    Heard well = new Heard();
    StreamObserver<String> first =
        ObserverCalls.clientStreaming(channel, Texts.CLIENT_STREAMING, CallOptions.DEFAULT, well);
    first.onNext("a");
    first.onCompleted();
    simulation.run();
    assertThat(held.only().messages()).containsExactly("a");
    assertThat(held.only().halfCloses()).isOne();

    Heard badly = new Heard();
    IllegalStateException failure = new IllegalStateException("out of ink");
    ObserverCalls.clientStreaming(channel, Texts.CLIENT_STREAMING, CallOptions.DEFAULT, badly)
        .onError(failure);
    simulation.run();
    assertThat(Status.fromThrowable(badly.error).code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(badly.error).hasCause(failure);
  }

  @Test
  void settingsAfterTheStartOfTheCallAreRefused() {
    ClientCallStreamObserver<String> call =
        ObserverCalls.bidiStreaming(
            serving(Texts.BIDI), Texts.BIDI, CallOptions.DEFAULT, new Heard());

    assertThatThrownBy(() -> call.setOnReadyHandler(() -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("beforeStart");
    assertThatThrownBy(() -> call.disableAutoRequestWithInitial(1))
        .isInstanceOf(IllegalStateException.class);
  }
}
