package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.Status;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.client.ManagedChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes wrong in a call ends it with the same status on every transport. */
@ParameterizedClass
@EnumSource
final class CallErrorsTest {
  private static final Metadata.Key<String> TEXT = Metadata.Key.ascii("text");

  private final Simulation simulation;
  private final HeldCalls held = new HeldCalls();

  CallErrorsTest(Medium medium) {
    this.simulation = new Simulation(medium);
  }

  private ManagedChannel serving(
      MethodDescriptor<String, String> method, ServerCallHandler<String, String> handler) {
    simulation.with(method, handler).serve();
    return simulation.channel();
  }

  private MadeCall callOf(ServerCallHandler<String, String> handler) {
    MadeCall call = MadeCall.whole(serving(Texts.UNARY, handler), Texts.UNARY, "");
    simulation.run();
    return call;
  }

  @Test
  void anUnknownMethodIsUnimplemented() {
    ManagedChannel channel = serving(Texts.BIDI, held);
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    assertThat(call.status()).hasToString("UNIMPLEMENTED: Method not found: test.Texts/Unary");
    MadeCall.whole(channel, Texts.BIDI, "next");
    simulation.run();
    assertThat(held.only().messages()).containsExactly("next");
  }

  @Test
  void aStatusThatIsThrownEndsTheCallWithItsTrailers() {
    Metadata trailers = new Metadata();
    trailers.add(TEXT, "more");
    MadeCall call =
        callOf(
            BlockingHandlers.unary(request -> {
              throw Status.NOT_FOUND.withDescription("no such thing").asException(trailers);
            }));
    assertThat(call.status()).hasToString("NOT_FOUND: no such thing");
    assertThat(call.heard().trailers().get(TEXT)).contains("more");
    assertThat(call.messages()).isEmpty();
  }

  @Test
  void anotherExceptionIsUnknownWithoutItsText() {
    MadeCall call =
        callOf(
            BlockingHandlers.unary(request -> {
              throw new IllegalStateException("secret");
            }));
    assertThat(call.code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(call.words()).doesNotContain("secret").doesNotContain("IllegalState");
  }

  @Test
  void aHandlerThatThrowsAtItsStartEndsTheCall() {
    MadeCall call =
        callOf((started, headers) -> {
          throw Status.PERMISSION_DENIED.asException();
        });
    assertThat(call.code()).isEqualTo(Status.Code.PERMISSION_DENIED);
  }

  @Test
  void twoRequestsInsteadOfOneAreUnimplemented() {
    ManagedChannel channel = serving(Texts.UNARY, held);
    MadeCall call =
        MadeCall.whole(channel, Texts.asIf(MethodType.BIDI_STREAMING, Texts.UNARY), "a", "b");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNIMPLEMENTED);
  }

  @Test
  void aSecondRequestIsAFaultThatIsSeenBeforeTheRequestEnds() {
    ManagedChannel channel = serving(Texts.UNARY, held);
    MadeCall call =
        MadeCall.start(channel, Texts.asIf(MethodType.BIDI_STREAMING, Texts.UNARY)).says("a", "b");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNIMPLEMENTED);
    assertThat(call.words())
        .isEqualTo("the client sent more than one request message; this method allows one");
    assertThat(held.all()).isEmpty();
  }

  @Test
  void noRequestInsteadOfOneIsUnimplemented() {
    ManagedChannel channel = serving(Texts.UNARY, held);
    MadeCall call = MadeCall.whole(channel, Texts.asIf(MethodType.BIDI_STREAMING, Texts.UNARY));
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNIMPLEMENTED);
  }

  @Test
  void twoResponsesInsteadOfOneAreUnimplemented() {
    ManagedChannel channel = serving(Texts.BIDI, held);
    MadeCall call = MadeCall.whole(channel, Texts.asIf(MethodType.UNARY, Texts.BIDI), "");
    simulation.run();
    held.only().answers("a", "b");
    held.only().ends();
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNIMPLEMENTED);
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void aSecondResponseIsAFaultThatIsSeenBeforeTheCallEnds() {
    ManagedChannel channel = serving(Texts.BIDI, held);
    MadeCall call = MadeCall.whole(channel, Texts.asIf(MethodType.UNARY, Texts.BIDI), "");
    simulation.run();
    held.only().answers("a", "b");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNIMPLEMENTED);
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void noResponseInsteadOfOneIsUnimplemented() {
    ManagedChannel channel = serving(Texts.BIDI, held);
    MadeCall call = MadeCall.whole(channel, Texts.asIf(MethodType.UNARY, Texts.BIDI), "");
    simulation.run();
    held.only().ends();
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNIMPLEMENTED);
  }

  @Test
  void aHandlerThatSendsNoResponseEndsTheCallWithInternal() {
    ManagedChannel channel = serving(Texts.UNARY, held);
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    held.only().ends();
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.INTERNAL);
  }

  @Test
  void messagesBeforeAnErrorStillArrive() {
    ManagedChannel channel = serving(Texts.BIDI, held);
    MadeCall call = MadeCall.whole(channel, Texts.BIDI);
    simulation.run();
    held.only().answers("a", "b");
    held.only().ends(Status.DATA_LOSS.withDescription("the rest is gone"));
    simulation.run();
    assertThat(call.messages()).containsExactly("a", "b");
    assertThat(call.status()).hasToString("DATA_LOSS: the rest is gone");
  }
}
