package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.ServiceConfig;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * What is wrong with a message or with metadata ends its call with a status that says so, and ends
 * nothing else.
 */
final class ErrorsTest {
  private static final Metadata.Key<String> TEXT = Metadata.Key.ascii("text");
  private static final int LIMIT_BYTES = 4 << 20;

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();

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
  void aNullDescriptionOrCauseCountsAsAbsent() {
    Exception without = new TimeoutException();
    Status status = Status.UNAVAILABLE.withDescription(without.getMessage()).withCause(without);
    assertThat(status.description()).isEmpty();
    assertThat(status.cause()).containsSame(without);
    assertThat(status.withCause(null).cause()).isEmpty();
    assertThat(status.augmentDescription(null)).isEqualTo(status);
    assertThat(status.augmentDescription("more").description()).contains("more");
  }

  @Test
  void aStatusThatIsPrintedStaysOnItsLine() {
    Status forged =
        Status.NOT_FOUND.withDescription(
            "nobody\r\n\tERROR all is lost\u001b[2J\u2028\udb40\udc41 \u200d");
    assertThat(forged)
        .hasToString(
            "NOT_FOUND: nobody\\r\\n\\tERROR all is lost\\u001b[2J\\u2028\\udb40\\udc41 \u200d");
    assertThat(forged.asException()).hasMessage(forged.toString());
    assertThat(forged.description()).hasValueSatisfying(it -> assertThat(it).contains("\r\n"));
  }

  @Test
  void aFailedCallDoesNotAffectOtherCalls() {
    ManagedChannel channel = serving(Texts.BIDI, held);
    MadeCall neighbour = MadeCall.whole(channel, Texts.BIDI, "a");
    MadeCall failing = MadeCall.whole(channel, Texts.BIDI, Texts.UNPARSABLE);
    MadeCall deep = MadeCall.whole(channel, Texts.BIDI, Texts.BOTTOMLESS);
    simulation.run();
    assertThat(failing.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(deep.code()).isEqualTo(Status.Code.INTERNAL);
    held.all().getFirst().answers("b");
    held.all().getFirst().ends();
    simulation.run();
    assertThat(neighbour.messages()).containsExactly("b");
    assertThat(neighbour.status()).isEqualTo(Status.OK);
  }

  @Test
  void aRequestOverTheLimitIsResourceExhausted() {
    ManagedChannel channel = serving(Texts.UNARY, held);
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, Texts.ofLength(LIMIT_BYTES + 1));
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(call.words()).contains("4194305").contains("4194304");
    assertThat(held.all()).isEmpty();
  }

  @Test
  void aStreamedRequestOverTheLimitEndsACallThatRuns() {
    ManagedChannel channel = serving(Texts.BIDI, held);
    MadeCall call = MadeCall.start(channel, Texts.BIDI).says("fits");
    simulation.run();
    call.says(Texts.ofLength(LIMIT_BYTES + 1), "never seen").halfCloses();
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(held.only().messages()).containsExactly("fits");
    assertThat(held.only().cancels()).isOne();
    assertThat(held.only().completes()).isZero();
  }

  @Test
  void aResponseOverTheLimitIsResourceExhausted() {
    ManagedChannel channel = serving(Texts.UNARY, held);
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    held.only().answers(Texts.ofLength(LIMIT_BYTES + 1));
    held.only().ends();
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(call.words()).contains("4194305").contains("4194304");
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void limitsMayBeChangedAtBothEnds() {
    simulation.with(Texts.UNARY, held);
    Simulation.start(simulation.serverBuilder().maxInboundMessageBytes(10));
    ManagedChannel channel = simulation.channelBuilder().maxInboundMessageBytes(5).build();
    MadeCall tooLong = MadeCall.whole(channel, Texts.UNARY, Texts.ofLength(11));
    MadeCall fits = MadeCall.whole(channel, Texts.UNARY, Texts.ofLength(10));
    simulation.run();
    held.only().answers(Texts.ofLength(6));
    held.only().ends();
    simulation.run();
    assertThat(tooLong.status())
        .hasToString(
            "RESOURCE_EXHAUSTED: request message of 11 bytes exceeds the server's"
                + " maxInboundMessageBytes (10); raise it in ServerBuilder");
    assertThat(fits.status())
        .hasToString(
            "RESOURCE_EXHAUSTED: response message of 6 bytes exceeds the client's"
                + " maxInboundMessageBytes (5); raise it in ManagedChannelBuilder or CallOptions");
  }

  @Test
  void aMethodMayTakeLongerMessagesThanOthersOfItsServer() {
    simulation.with(Texts.UNARY, held).with(Texts.BIDI, held);
    Simulation.start(
        simulation
            .serverBuilder()
            .maxInboundMessageBytes(10)
            .methodLimits(Texts.UNARY.fullMethodName(), it -> it.withMaxInboundMessageBytes(20)));
    MadeCall fits = MadeCall.whole(simulation.channel(), Texts.UNARY, Texts.ofLength(20));
    MadeCall tooLong = MadeCall.whole(simulation.channel(), Texts.UNARY, Texts.ofLength(21));
    MadeCall other = MadeCall.start(simulation.channel(), Texts.BIDI);
    other.call().sendMessage(Texts.ofLength(11));
    simulation.run();
    assertThat(tooLong.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(tooLong.words()).contains("21").contains("20");
    assertThat(other.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(fits.isClosed()).isFalse();
  }

  @Test
  void aCallMayLimitWhatItSends() {
    ManagedChannel channel = serving(Texts.UNARY, held);
    CallOptions options = CallOptions.DEFAULT.withMaxOutboundMessageBytes(10);
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, options, Texts.ofLength(11));
    simulation.run();
    assertThat(call.status())
        .hasToString(
            "RESOURCE_EXHAUSTED: request message of 11 bytes exceeds the client's"
                + " maxOutboundMessageBytes (10); raise it in ManagedChannelBuilder or CallOptions");
    assertThat(held.all()).isEmpty();
  }

  private static ServiceConfig config(MethodConfig.Builder config) {
    return ServiceConfig.builder().forAllMethods(config.build()).build();
  }

  @Test
  void theLimitOfAServiceConfigIsNamedIfItIsTheSmallerOne() {
    serving(Texts.UNARY, held);
    ServiceConfig ten =
        config(MethodConfig.builder().maxRequestMessageBytes(10).maxResponseMessageBytes(5));
    ManagedChannel channel =
        simulation
            .channelBuilder()
            .maxOutboundMessageBytes(1 << 20)
            .defaultServiceConfig(ten)
            .build();
    MadeCall tooLong = MadeCall.whole(channel, Texts.UNARY, Texts.ofLength(11));
    MadeCall fits = MadeCall.whole(channel, Texts.UNARY, Texts.ofLength(10));
    CallOptions less = CallOptions.DEFAULT.withMaxOutboundMessageBytes(9);
    MadeCall limited = MadeCall.whole(channel, Texts.UNARY, less, Texts.ofLength(10));
    simulation.run();
    held.only().answers(Texts.ofLength(6));
    held.only().ends();
    simulation.run();
    assertThat(tooLong.status())
        .hasToString(
            "RESOURCE_EXHAUSTED: request message of 11 bytes exceeds the service config's"
                + " maxRequestMessageBytes (10); raise it in the service config");
    assertThat(fits.status())
        .hasToString(
            "RESOURCE_EXHAUSTED: response message of 6 bytes exceeds the service config's"
                + " maxResponseMessageBytes (5); raise it in the service config");
    assertThat(limited.words()).contains("the client's maxOutboundMessageBytes (9)");
  }

  @Test
  void theLimitOfAServiceConfigIsNamedForDecompressedMessages() {
    serving(Texts.UNARY, held);
    ManagedChannel channel =
        simulation
            .channelBuilder()
            .maxInboundMessageBytes(1 << 20)
            .defaultServiceConfig(config(MethodConfig.builder().maxResponseMessageBytes(1000)))
            .build();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    held.only().call().setCompression("gzip");
    held.only().answers(Texts.ofLength(1001));
    held.only().ends();
    simulation.run();
    assertThat(call.words())
        .contains(
            "decompressed response message exceeds the service config's maxResponseMessageBytes"
                + " (1000); raise it in the service config");
  }

  /** Asks for more memory than there is for one message. */
  private record Huge() implements Marshaller<String> {
    @Override
    public void write(String message, MessageSink sink) {
      sink.reserve(Integer.MAX_VALUE - 5);
    }

    @Override
    public String parse(ByteBuffer bytes) {
      throw new AssertionError("no message is this long");
    }
  }

  @Test
  void aRequestThatIsTooLongTakesNoMemory() {
    ManagedChannel channel = serving(Texts.UNARY, held);
    MethodDescriptor<String, String> huge =
        MethodDescriptor.of(
            MethodType.UNARY,
            Texts.UNARY.fullMethodName(),
            new Huge(),
            Texts.UNARY.responseMarshaller());
    CallOptions options = CallOptions.DEFAULT.withMaxOutboundMessageBytes(10);
    MadeCall call = MadeCall.whole(channel, huge, options, "");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(held.all()).isEmpty();
  }

  @Test
  void aChannelMayLimitWhatItsCallsSend() {
    serving(Texts.UNARY, held);
    ManagedChannel channel = simulation.channelBuilder().maxOutboundMessageBytes(10).build();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, Texts.ofLength(11));
    MadeCall fits = MadeCall.whole(channel, Texts.UNARY, Texts.ofLength(10));
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(fits.isClosed()).isFalse();
  }

  @Test
  void aServerMayLimitWhatItSends() {
    HeldCalls streams = new HeldCalls();
    simulation.with(Texts.UNARY, held).with(Texts.BIDI, streams);
    Simulation.start(
        simulation
            .serverBuilder()
            .maxOutboundMessageBytes(10)
            .methodLimits(Texts.BIDI.fullMethodName(), it -> it.withMaxOutboundMessageBytes(20)));
    MadeCall unary = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    MadeCall bidi = MadeCall.start(simulation.channel(), Texts.BIDI).wants(9);
    simulation.run();
    assertThatThrownBy(() -> held.only().answers(Texts.ofLength(11)))
        .isInstanceOf(StatusException.class);
    streams.only().answers(Texts.ofLength(20));
    assertThatThrownBy(() -> streams.only().answers(Texts.ofLength(21)))
        .isInstanceOf(StatusException.class);
    simulation.run();
    assertThat(unary.status())
        .hasToString(
            "RESOURCE_EXHAUSTED: response message of 11 bytes exceeds the server's"
                + " maxOutboundMessageBytes (10); raise it in ServerBuilder");
    assertThat(bidi.messages()).containsExactly(Texts.ofLength(20));
    assertThat(bidi.words()).contains("21 bytes").contains("(20)");
  }

  @Test
  void aResponseIsMeasuredBeforeItIsCompressed() {
    simulation.with(Texts.BIDI, held);
    Simulation.start(simulation.serverBuilder().maxOutboundMessageBytes(100_000));
    MadeCall call = MadeCall.start(simulation.channel(), Texts.BIDI).wants(9);
    simulation.run();
    held.only().call().setCompression("gzip");
    assertThatThrownBy(() -> held.only().answers(Texts.ofLength(100_001)))
        .isInstanceOf(StatusException.class);
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }

  @Test
  void aRequestThatCannotBeParsedIsInternal() {
    ManagedChannel channel = serving(Texts.UNARY, held);
    MadeCall small = MadeCall.whole(channel, Texts.UNARY, Texts.UNPARSABLE);
    MadeCall large =
        MadeCall.whole(channel, Texts.UNARY, Texts.UNPARSABLE + Texts.ofLength(100_000));
    simulation.run();
    assertThat(small.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(large.code()).isEqualTo(Status.Code.INTERNAL);
  }

  @Test
  void aResponseThatCannotBeParsedIsInternal() {
    ManagedChannel channel = serving(Texts.UNARY, held);
    MadeCall small = MadeCall.whole(channel, Texts.UNARY, "");
    MadeCall large = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    held.all().get(0).answers(Texts.UNPARSABLE);
    held.all().get(0).ends();
    held.all().get(1).answers(Texts.UNPARSABLE + Texts.ofLength(100_000));
    held.all().get(1).ends();
    simulation.run();
    assertThat(small.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(small.status().cause()).containsInstanceOf(IllegalArgumentException.class);
    assertThat(large.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(large.status().cause()).containsInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aRequestThatCannotBeWrittenIsInternalBeforeAndAfterTheConnection() {
    ManagedChannel channel = serving(Texts.UNARY, held);
    MadeCall before = MadeCall.whole(channel, Texts.UNARY, Texts.UNWRITABLE);
    simulation.run();
    MadeCall after = MadeCall.start(channel, Texts.UNARY).wants(1);
    assertThatThrownBy(() -> after.says(Texts.UNWRITABLE)).isInstanceOf(StatusException.class);
    simulation.run();
    assertThat(before.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(after.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(held.all()).isEmpty();
  }

  @Test
  void aResponseThatCannotBeWrittenIsInternal() {
    MadeCall call = callOf(BlockingHandlers.unary(request -> Texts.UNWRITABLE));
    assertThat(call.code()).isEqualTo(Status.Code.INTERNAL);
  }

  @Test
  void aSecondRequestIsSeenBeforeItIsWhole() {
    ManagedChannel channel = serving(Texts.UNARY, held);
    MadeCall call =
        MadeCall.start(channel, Texts.asIf(MethodType.BIDI_STREAMING, Texts.UNARY))
            .says(Texts.ofLength(100_000), Texts.ofLength(2_000_000));
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNIMPLEMENTED);
    assertThat(held.all()).isEmpty();
  }

  @Test
  void requestHeadersOverTheLimitAreResourceExhausted() {
    ManagedChannel channel = serving(Texts.UNARY, held);
    MadeCall call =
        MadeCall.start(channel, Texts.UNARY, CallOptions.DEFAULT, tooMuchMetadata())
            .says("")
            .halfCloses();
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    MadeCall next = MadeCall.whole(channel, Texts.UNARY, "next");
    simulation.run();
    assertThat(held.only().messages()).containsExactly("next");
    assertThat(next.isClosed()).isFalse();
  }

  @Test
  void responseTrailersOverTheLimitAreResourceExhausted() {
    ManagedChannel channel = serving(Texts.UNARY, held);
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    held.only().answers("");
    held.only().call().close(Status.OK, tooMuchMetadata());
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }

  private static Metadata tooMuchMetadata() {
    Metadata metadata = new Metadata();
    metadata.add(TEXT, Texts.ofLength(20_000));
    return metadata;
  }
}
