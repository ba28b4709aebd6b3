package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.ClientCallStreamObserver;
import dev.gannet.api.stub.ObserverCalls;
import dev.gannet.api.stub.StreamObserver;
import dev.gannet.client.ManagedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A message that cannot be sent ends its call on both sides: who sends it gets the status of that
 * end, and after the end nothing happens.
 */
@ParameterizedClass
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT") // which writes no messages
@SuppressWarnings("NullAway") // null is what some callers send by mistake
final class UnsendableMessagesTest {
  private final Simulation simulation;
  private final HeldCalls held = new HeldCalls();
  private final ManagedChannel channel;

  UnsendableMessagesTest(Medium medium) {
    simulation = new Simulation(medium).with(Texts.UNARY, held).with(Texts.BIDI, held);
    channel = simulation.channel();
  }

  private void serve() {
    simulation.serve();
    channel.connect();
    simulation.run();
  }

  private static void assertThrown(
      @Nullable Throwable thrown, Status.Code code, String description) {
    assertThat(thrown)
        .isInstanceOfSatisfying(
            StatusException.class,
            it -> {
              assertThat(it.status().code()).isEqualTo(code);
              assertThat(it.status().description().orElseThrow()).contains(description);
            });
  }

  // The client.

  private MadeCall started(Channel over, MethodDescriptor<String, String> method) {
    MadeCall call = MadeCall.start(over, method).wants(1);
    simulation.run();
    return call;
  }

  private void assertEnds(MadeCall call, @Nullable String message, String description) {
    Throwable thrown = catchThrowable(() -> call.call().sendMessage(message));
    simulation.run();
    assertThrown(thrown, Status.Code.INTERNAL, description);
    assertThat(((StatusException) thrown).failedCall()).isPresent();
    assertThat(call.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(call.words()).contains(description);
    call.call().sendMessage(null);
    call.says("late", Texts.UNWRITABLE);
    call.halfCloses().wants(1);
  }

  @Test
  void aRequestThatIsNullEndsTheCall() {
    serve();
    assertEnds(started(channel, Texts.UNARY), null, "null instead of a request");
    assertEnds(started(channel, Texts.BIDI), null, "null instead of a request");
    assertThat(held.all()).allSatisfy(call -> assertThat(call.cancels()).isOne());
  }

  @Test
  void aRequestThatCannotBeWrittenEndsTheCall() {
    serve();
    assertEnds(started(channel, Texts.UNARY), Texts.UNWRITABLE, "cannot serialize");
    assertEnds(started(channel, Texts.BIDI), Texts.UNWRITABLE, "cannot serialize");
  }

  @Test
  void soDoesOneThatIsUndeclaredByItsMarshaller() {
    serve();
    assertEnds(started(channel, Texts.UNARY), Texts.UNDECLARED, "cannot serialize");
  }

  @Test
  void aSecondRequestOfOneEndsTheCall() {
    serve();
    MadeCall call = started(channel, Texts.UNARY).says("one");
    simulation.run();
    assertEnds(call, "two", "it was sent");
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void aRequestAfterTheHalfCloseEndsTheCall() {
    serve();
    assertEnds(started(channel, Texts.BIDI).halfCloses(), "late", "can follow the half-close");
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void aRequestOverTheLimitOfThisSideEndsTheCall() {
    serve();
    CallOptions options = CallOptions.DEFAULT.withMaxOutboundMessageBytes(10);
    MadeCall call = MadeCall.start(channel, Texts.BIDI, options);
    Throwable thrown = catchThrowable(() -> call.says(Texts.ofLength(11)));
    simulation.run();
    assertThrown(thrown, Status.Code.RESOURCE_EXHAUSTED, "11");
    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }

  @Test
  void aRequestOverTheLimitOfTheServerIsNoMistakeOfItsSender() {
    Simulation.start(simulation.serverBuilder().maxInboundMessageBytes(10));
    channel.connect();
    simulation.run();
    MadeCall call = started(channel, Texts.BIDI).says(Texts.ofLength(11));
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }

  @Test
  void aRequestThatIsWrittenLaterTellsTheListenerAlone() {
    CallOptions patient = CallOptions.DEFAULT.withWaitForReady(true);
    MadeCall call = MadeCall.start(channel, Texts.UNARY, patient).says(Texts.UNWRITABLE);
    simulation.run();
    assertThat(call.isClosed()).isFalse();
    serve();
    simulation.advance(Duration.ofMinutes(1));
    assertThat(call.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(held.all()).isEmpty();
  }

  @Test
  void afterTheEndNothingIsThrown() {
    serve();
    MadeCall call = started(channel, Texts.BIDI);
    held.only().ends();
    simulation.run();
    call.call().sendMessage(null);
    call.says(Texts.UNWRITABLE).halfCloses();
    call.says("late");
    assertThat(call.code()).isEqualTo(Status.Code.OK);
  }

  @Test
  void aListenerThatThrowsItHearsTheSameStatus() {
    serve();
    List<Status> ends = new ArrayList<>();
    ClientCall<String, String> call = channel.newCall(Texts.BIDI, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onReady() {
            call.sendMessage(Texts.UNWRITABLE);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            ends.add(status);
          }
        });
    simulation.run();
    assertThat(ends)
        .singleElement()
        .asString()
        .startsWith("INTERNAL: ")
        .contains("cannot serialize");
  }

  @Test
  void callsBehindInterceptorsHaveTheSameRule() {
    serve();
    Channel behind = ClientInterceptor.intercept(channel, List.of(new Forwarding()));
    assertEnds(started(behind, Texts.BIDI), null, "null instead of a request");
    assertEnds(started(behind, Texts.BIDI), Texts.UNWRITABLE, "cannot serialize");
  }

  private record Forwarding() implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new ForwardingClientCall<>(next.newCall(method, options)) {};
    }
  }

  private record Heard(List<Object> told) implements StreamObserver<String> {
    @Override
    public void onNext(String value) {}

    @Override
    public void onError(Throwable thrown) {
      told.add(thrown);
    }

    @Override
    public void onCompleted() {}
  }

  @Test
  void anObserverIsToldByOnErrorAlone() {
    serve();
    Heard heard = new Heard(new ArrayList<>());
    ClientCallStreamObserver<String> requests =
        ObserverCalls.bidiStreaming(channel, Texts.BIDI, CallOptions.DEFAULT, heard);
    simulation.run();
    requests.onNext(Texts.UNWRITABLE);
    simulation.run();
    assertThat(heard.told).hasSize(1);
    assertThrown((Throwable) heard.told.getFirst(), Status.Code.INTERNAL, "cannot serialize");
  }

  @Test
  void theSenderOfABlockingStreamGetsIt() {
    serve();
    BidiStreamingCall<String, String> call =
        BlockingCalls.bidiStreaming(channel, Texts.BIDI, CallOptions.DEFAULT);
    assertThrown(
        catchThrowable(() -> call.send(Texts.UNWRITABLE)),
        Status.Code.INTERNAL,
        "cannot serialize");
    call.close();
    simulation.run();
  }

  // The server.

  private void assertEndsTheOther(
      MethodDescriptor<String, String> method, @Nullable String message, String description) {
    serve();
    MadeCall asked = MadeCall.whole(channel, method, "ask");
    simulation.run();
    ServerCall<String, String> call = held.only().call();
    if (description.contains("more than one")) {
      call.sendMessage("one");
    }
    Throwable thrown = catchThrowable(() -> call.sendMessage(message));
    simulation.run();
    assertThrown(thrown, Status.Code.INTERNAL, description);
    assertThat(asked.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(asked.words()).contains(description);
    call.sendMessage(null);
    held.only().answers("late", Texts.UNWRITABLE);
    held.only().ends();
  }

  @Test
  void aResponseThatIsNullEndsTheCall() {
    assertEndsTheOther(Texts.BIDI, null, "null instead of a response");
  }

  @Test
  void aSecondResponseOfOneEndsTheCall() {
    assertEndsTheOther(Texts.UNARY, "two", "more than one response");
  }

  @Test
  void aResponseThatCannotBeWrittenEndsTheCall() {
    assertEndsTheOther(Texts.BIDI, Texts.UNWRITABLE, "cannot serialize");
  }

  /** Sends these in one event, and catches what it gets for them. */
  private record Careless(List<@Nullable String> messages)
      implements ServerCallHandler<String, String> {
    @Override
    public ServerCall.Listener<String> startCall(
        ServerCall<String, String> call, Metadata headers) {
      call.request(1);
      return new ServerCall.Listener<>() {
        @Override
        public void onHalfClose() {
          for (String message : messages) {
            assertThat(catchThrowable(() -> call.sendMessage(message)))
                .isInstanceOf(StatusException.class);
          }
          call.close(Status.OK, new Metadata());
        }
      };
    }
  }

  @Test
  void aCallOfWhichAResponseWasLostDoesNotEndWithOk() {
    for (String message : new String[] {null, Texts.UNWRITABLE}) {
      Simulation other = new Simulation().with(Texts.BIDI, new Careless(Arrays.asList(message)));
      other.serve();
      MadeCall call = MadeCall.whole(other.channel(), Texts.BIDI, "ask");
      other.run();
      assertThat(call.code()).isEqualTo(Status.Code.INTERNAL);
    }
  }
}
