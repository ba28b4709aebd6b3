package dev.gannet.transport.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.gannet.api.CallFailure;
import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What reaches the other side of messages, metadata and statuses. */
final class HandOverTest {
  private static final Metadata.Key<byte[]> BYTES = Metadata.Key.binary("bytes-bin");
  private static final Metadata.Key<String> TEXT = Metadata.Key.ascii("text");

  private final Handler handler = new Handler(1_000);

  @Test
  void theLimitsOfAServiceConfigAreNamed() {
    World world = new World(InProcessOptions.DEFAULT.withWrittenMessages(true));
    world.serve(Texts.UNARY, handler);
    MethodConfig limits =
        MethodConfig.builder().maxRequestMessageBytes(10).maxResponseMessageBytes(5).build();
    ManagedChannel channel =
        world
            .channelBuilder()
            .defaultServiceConfig(ServiceConfig.builder().forAllMethods(limits).build())
            .build();
    Throwable tooLong = catchThrowable(() -> World.call(channel, Texts.UNARY, "01234567890"));
    Heard answered = World.call(channel, Texts.UNARY, "0123456789");
    world.run();
    handler.only().call().sendMessage("012345");
    world.run();
    assertThat(tooLong)
        .hasMessageContainingAll("11 bytes", "the service config's maxRequestMessageBytes (10)");
    assertThat(answered.status().description().orElseThrow())
        .contains("6 bytes", "the service config's maxResponseMessageBytes (5)");
  }

  @Test
  void immutableMessagesAreHandedOverAsTheyAre() {
    World world = new World();
    world.serve(Texts.UNARY, handler);
    String request = new String("request".toCharArray());
    String response = new String("response".toCharArray());
    Heard heard = World.call(world.channel(), Texts.UNARY, request);
    world.run();
    assertThat(handler.only().messages().getFirst()).isSameAs(request);
    handler.only().call().sendMessage(response);
    handler.only().call().close(Status.OK, new Metadata());
    world.run();
    assertThat(heard.messages().getFirst()).isSameAs(response);
    assertThat(handler.only().completes()).isOne();
  }

  @Test
  void otherMessagesAreWrittenAndParsed() {
    assertWritten(new World(), Texts.WRITTEN_UNARY, Texts.WRITTEN_UNARY);
  }

  @Test
  void messagesOfTwoMarshallersAreWrittenAndParsed() {
    MethodDescriptor<String, String> others = Texts.method(MethodType.UNARY, new Texts.Utf8(false));
    assertWritten(new World(), others, Texts.UNARY);
    assertWritten(new World(), Texts.UNARY, others);
  }

  @Test
  void ifEnabledAllMessagesAreWritten() {
    World world = new World(InProcessOptions.DEFAULT.withWrittenMessages(true));
    assertWritten(world, Texts.UNARY, Texts.UNARY);
  }

  private static void assertWritten(
      World world,
      MethodDescriptor<String, String> served,
      MethodDescriptor<String, String> called) {
    Handler handler = new Handler(1);
    world.serve(served, handler);
    String request = new String("request".toCharArray());
    Heard heard = World.call(world.channel(), called, request);
    world.run();
    assertThat(handler.only().messages()).containsExactly("request");
    assertThat(handler.only().messages().getFirst()).isNotSameAs(request);
    handler.only().call().sendMessage(request);
    handler.only().call().close(Status.OK, new Metadata());
    world.run();
    assertThat(heard.messages()).containsExactly("request");
    assertThat(heard.messages().getFirst()).isNotSameAs(request);
  }

  @Test
  void sizeLimitsApplyToWrittenMessages() {
    World world = new World(InProcessOptions.DEFAULT.withWrittenMessages(true));
    World.start(world.serverBuilder(Texts.UNARY, handler).maxInboundMessageBytes(10));
    ManagedChannel channel = world.channel();
    Heard fits = World.call(channel, Texts.UNARY, "0123456789");
    Heard large = World.call(channel, Texts.UNARY, "0123456789a");
    world.run();
    assertThat(large.status().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(large.status().description().orElseThrow())
        .contains("11 bytes", "maxInboundMessageBytes (10)");
    assertThat(handler.only().messages()).containsExactly("0123456789");
    assertThat(fits.isClosed()).isFalse();

    World objects = new World();
    Handler other = new Handler(1);
    World.start(objects.serverBuilder(Texts.UNARY, other).maxInboundMessageBytes(10));
    World.call(objects.channel(), Texts.UNARY, "0123456789a");
    objects.run();
    assertThat(other.only().messages()).containsExactly("0123456789a");
  }

  @Test
  void theLimitsOfAMethodApply() {
    World world = new World(InProcessOptions.DEFAULT.withWrittenMessages(true));
    World.start(
        world
            .serverBuilder(Texts.UNARY, handler)
            .maxInboundMessageBytes(100)
            .methodLimits(
                Texts.UNARY.fullMethodName(),
                it ->
                    it.withMaxInboundMessageBytes(10).withMaxCallDuration(Duration.ofSeconds(1))));
    Heard fits = World.call(world.channel(), Texts.UNARY, "0123456789");
    Heard large = World.call(world.channel(), Texts.UNARY, "0123456789a");
    world.run();
    assertThat(large.status().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(fits.isClosed()).isFalse();
    world.loop().advance(Duration.ofSeconds(1));
    assertThat(fits.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void responsesAboveTheClientsLimitEndItsCall() {
    World world = new World(InProcessOptions.DEFAULT.withWrittenMessages(true));
    world.serve(Texts.UNARY, handler);
    ManagedChannel channel = world.channelBuilder().maxInboundMessageBytes(3).build();
    Heard heard = World.call(channel, Texts.UNARY, "0123456789");
    world.run();
    Throwable thrown = null;
    try {
      handler.only().call().sendMessage("four");
    } catch (RuntimeException e) {
      thrown = e;
    }
    world.run();
    assertThat(thrown).isNull();
    assertThat(heard.status().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(handler.only().cancels()).isOne();
  }

  @Test
  void aMessageThatCannotBeParsedEndsTheCallAsOnANetwork() {
    Marshaller<String> broken = new Broken();
    MethodDescriptor<String, String> method = Texts.method(MethodType.UNARY, broken);
    World world = new World();
    world.serve(method, handler);
    Heard heard = World.call(world.channel(), Texts.WRITTEN_UNARY, "x");
    world.run();
    assertThat(heard.status().code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(heard.status().description()).contains("the request message cannot be parsed");
  }

  private static final class Broken implements Marshaller<String> {
    @Override
    public void write(String message, MessageSink sink) {
      throw new IllegalStateException("cannot write");
    }

    @Override
    public String parse(ByteBuffer bytes) {
      throw new IllegalStateException("cannot parse");
    }
  }

  @Test
  void aMessageThatCannotBeWrittenEndsTheCall() {
    MethodDescriptor<String, String> method = Texts.method(MethodType.UNARY, new Broken());
    World world = new World();
    world.serve(Texts.UNARY, handler);
    Heard heard = callWithUnsendable(connected(world), method, "x");
    world.run();
    assertThat(heard.status().code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(heard.status().description())
        .contains("the marshaller cannot serialize the message");
    assertThat(handler.calls()).isEmpty();
  }

  /** The sender of the message gets the failure, too. */
  private static Heard callWithUnsendable(
      ManagedChannel channel, MethodDescriptor<String, String> method, String message) {
    Heard heard = new Heard();
    ClientCall<String, String> call =
        World.begin(channel, method, CallOptions.DEFAULT, new Metadata(), heard);
    assertThat(catchThrowable(() -> call.sendMessage(message)))
        .isInstanceOf(StatusException.class)
        .hasMessageContaining("the marshaller cannot serialize the message");
    return heard;
  }

  /** Fails for messages as if they were too deep for the thread's stack. */
  private static final class Recursive implements Marshaller<String> {
    static final String UNWRITABLE = "too deep to write";
    static final String UNREADABLE = "too deep to read";

    @Override
    public void write(String message, MessageSink sink) {
      if (message.equals(UNWRITABLE)) {
        throw new StackOverflowError(message);
      }
      Texts.WRITTEN.write(message, sink);
    }

    @Override
    public String parse(ByteBuffer bytes) {
      String message = Texts.WRITTEN.parse(bytes);
      if (message.equals(UNREADABLE)) {
        throw new StackOverflowError(message);
      }
      return message;
    }
  }

  private static final MethodDescriptor<String, String> RECURSIVE =
      Texts.method(MethodType.UNARY, new Recursive());

  private static ManagedChannel connected(World world) {
    ManagedChannel channel = world.channel();
    channel.connect();
    world.run();
    return channel;
  }

  private static void assertTerminate(World world, ManagedChannel channel, Server server) {
    channel.shutdown();
    server.shutdown();
    world.run();
    assertThat(channel.isTerminated()).isTrue();
    assertThat(server.isTerminated()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anErrorOfTheMarshallerOfARequestEndsItsCallOnly(boolean limited) {
    World world = new World();
    ServerBuilder builder = world.serverBuilder(RECURSIVE, handler);
    Server server = World.start(limited ? builder.maxConcurrentCallsPerConnection(1) : builder);
    ManagedChannel channel = connected(world);
    Heard heard = new Heard();
    ClientCall<String, String> call =
        World.begin(channel, RECURSIVE, CallOptions.DEFAULT, new Metadata(), heard);
    assertThat(catchThrowable(() -> call.sendMessage(Recursive.UNWRITABLE)))
        .isInstanceOf(StackOverflowError.class);
    world.run();
    assertThat(heard.status().code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(heard.status().description()).contains("the message cannot be sent");
    assertThat(handler.calls()).isEmpty();

    Heard next = World.call(channel, RECURSIVE, "next");
    world.run();
    handler.only().call().sendMessage("answer");
    handler.only().call().close(Status.OK, new Metadata());
    world.run();
    assertThat(next.status()).isEqualTo(Status.OK);
    assertTerminate(world, channel, server);
  }

  @Test
  void anErrorOfTheMarshallerOfARequestThatWaitedForAConnectionEndsItsCall() {
    World world = new World();
    ManagedChannel channel = world.channel();
    Heard heard = new Heard();
    CallOptions options = CallOptions.DEFAULT.withWaitForReady(true);
    World.begin(channel, RECURSIVE, options, new Metadata(), heard)
        .sendMessage(Recursive.UNWRITABLE);
    world.run();
    assertThat(heard.isClosed()).isFalse();
    Server server = world.serve(RECURSIVE, handler);
    world.loop().advance(Duration.ofMinutes(1));
    assertThat(heard.isClosed()).isTrue();
    assertThat(heard.status().code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(handler.calls()).isEmpty();
    assertTerminate(world, channel, server);
  }

  @Test
  void anErrorOfTheMarshallerOfALaterRequestEndsItsCall() {
    MethodDescriptor<String, String> method =
        Texts.method(MethodType.BIDI_STREAMING, new Recursive());
    World world = new World();
    Server server = world.serve(method, handler);
    ManagedChannel channel = connected(world);
    Heard heard = new Heard();
    ClientCall<String, String> call =
        World.begin(channel, method, CallOptions.DEFAULT, new Metadata(), heard);
    world.run();
    assertThat(catchThrowable(() -> call.sendMessage(Recursive.UNWRITABLE)))
        .isInstanceOf(StackOverflowError.class);
    world.run();
    assertThat(heard.status().code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(handler.only().cancels()).isOne();
    assertTerminate(world, channel, server);
  }

  @Test
  void anErrorOfTheMarshallerOfAResponseEndsItsCall() {
    World world = new World();
    Server server = world.serve(RECURSIVE, handler);
    ManagedChannel channel = connected(world);
    Heard heard = World.call(channel, RECURSIVE, "request");
    world.run();
    assertThat(catchThrowable(() -> handler.only().call().sendMessage(Recursive.UNWRITABLE)))
        .isInstanceOf(StackOverflowError.class);
    world.run();
    assertThat(heard.status().code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(heard.status().description()).contains("a response cannot be written");
    assertTerminate(world, channel, server);
  }

  @Test
  void anErrorOfAMarshallerThatReadsEndsTheCall() {
    World world = new World();
    Server server = world.serve(RECURSIVE, handler);
    ManagedChannel channel = connected(world);
    Heard request = World.call(channel, RECURSIVE, Recursive.UNREADABLE);
    world.run();
    assertThat(request.isClosed()).isTrue();
    assertThat(request.status().isOk()).isFalse();
    int before = handler.calls().size();
    Heard response = World.call(channel, RECURSIVE, "request");
    world.run();
    handler.calls().get(before).call().sendMessage(Recursive.UNREADABLE);
    handler.calls().get(before).call().close(Status.OK, new Metadata());
    world.run();
    assertThat(response.isClosed()).isTrue();
    assertThat(response.status().isOk()).isFalse();
    assertTerminate(world, channel, server);
  }

  enum Question {
    IS_IMMUTABLE,
    IS_EQUAL
  }

  /** Throws when it is asked whether its messages may be handed over. */
  private record Unanswering(Question question) implements Marshaller<String> {
    @Override
    public boolean hasImmutableMessages() {
      if (question == Question.IS_IMMUTABLE) {
        throw new IllegalStateException("no answer");
      }
      return true;
    }

    @Override
    public boolean equals(Object other) {
      throw new IllegalStateException("no answer");
    }

    @Override
    public int hashCode() {
      return 1;
    }

    @Override
    public void write(String message, MessageSink sink) {
      Texts.WRITTEN.write(message, sink);
    }

    @Override
    public String parse(ByteBuffer bytes) {
      return Texts.WRITTEN.parse(bytes);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMarshallerOfRequestsThatDoesNotAnswerEndsTheCall(Question question) {
    World world = new World();
    Server server = world.serve(Texts.UNARY, handler);
    ManagedChannel channel = connected(world);
    Heard heard =
        callWithUnsendable(
            channel, Texts.method(MethodType.UNARY, new Unanswering(question)), "request");
    world.run();
    assertThat(heard.status().code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(heard.status().description())
        .contains("the marshaller cannot serialize the message");
    assertThat(handler.calls()).isEmpty();
    assertTerminate(world, channel, server);
  }

  @Test
  void metadataOfBothSidesAreIndependent() {
    World world = new World();
    world.serve(Texts.UNARY, handler);
    byte[] bytes = {1, 2, 3};
    Metadata sent = new Metadata();
    sent.add(BYTES, bytes);
    sent.add(TEXT, "request");
    sent.add(Metadata.Key.ascii("grpc-timeout"), "1n");
    sent.add(Metadata.Key.ascii("user-agent"), "mine");
    Heard heard = new Heard();
    World.begin(world.channel(), Texts.UNARY, CallOptions.DEFAULT, sent, heard).sendMessage("");
    sent.discardAll(TEXT);
    bytes[0] = 9;
    world.run();
    Metadata came = handler.only().headers();
    assertThat(came.get(BYTES)).contains(new byte[] {1, 2, 3});
    assertThat(came.get(TEXT)).contains("request");
    assertThat(came.names()).containsExactly("bytes-bin", "text");
    came.get(BYTES).orElseThrow()[0] = 7;

    handler.only().call().sendHeaders(came);
    came.discardAll(TEXT);
    handler.only().call().sendMessage("");
    handler.only().call().close(Status.OK, came);
    world.run();
    Metadata headers = heard.headers().orElseThrow();
    assertThat(headers.get(BYTES)).contains(new byte[] {1, 2, 3});
    assertThat(headers.get(TEXT)).contains("request");
    assertThat(heard.trailers().names()).containsExactly("bytes-bin");
  }

  @Test
  void requestHeadersAboveTheServersLimitReachNoHandler() {
    World world = new World();
    World.start(world.serverBuilder(Texts.UNARY, handler).maxInboundMetadataBytes(2_000));
    Heard heard = new Heard();
    ManagedChannel channel = world.channel();
    World.begin(channel, Texts.UNARY, CallOptions.DEFAULT, text(2_000), heard).sendMessage("");
    Heard fits = new Heard();
    World.begin(channel, Texts.UNARY, CallOptions.DEFAULT, text(1_000), fits).sendMessage("");
    world.run();
    assertThat(heard.status().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(heard.status().description().orElseThrow()).contains("the server's limit of 2000");
    assertThat(handler.calls()).hasSize(1);
    assertThat(fits.isClosed()).isFalse();
  }

  @Test
  void responseHeadersAndTrailersAboveTheClientsLimitEndItsCall() {
    World world = new World();
    world.serve(Texts.BIDI, handler);
    ManagedChannel channel = world.channelBuilder().maxInboundMetadataBytes(2_000).build();
    Heard first = World.call(channel, Texts.BIDI, "");
    Heard second = World.call(channel, Texts.BIDI, "");
    Heard third = World.call(channel, Texts.BIDI, "");
    world.run();
    handler.calls().get(0).call().sendHeaders(text(2_000));
    handler.calls().get(1).call().close(Status.OK, text(2_000));
    handler.calls().get(2).call().close(Status.INTERNAL.withDescription("ü".repeat(400)), text(1));
    world.run();
    for (Heard heard : Arrays.asList(first, second, third)) {
      assertThat(heard.status().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    }
    assertThat(handler.calls().get(0).cancels()).isOne();
  }

  private static Metadata text(int length) {
    Metadata metadata = new Metadata();
    metadata.add(TEXT, String.join("", Collections.nCopies(length, "x")));
    return metadata;
  }

  @Test
  void causesAreNotPassedUnlessEnabled() {
    assertThat(statusThroughA(InProcessOptions.DEFAULT).cause()).isEmpty();
    Status passed = statusThroughA(InProcessOptions.DEFAULT.withCauses(true));
    assertThat(passed.cause().orElseThrow()).hasMessage("the cause");
  }

  private static Status statusThroughA(InProcessOptions options) {
    Status status = Status.NOT_FOUND.withDescription("nothing");
    Status seen = through(options, status.withCause(new IllegalStateException("the cause")));
    assertThat(seen.code()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(seen.description()).contains("nothing");
    return seen;
  }

  /** What the client gets if the handler closes its call with this. */
  private static Status through(InProcessOptions options, Status closed) {
    World world = new World(options);
    Handler own = new Handler(1);
    world.serve(Texts.UNARY, own);
    Heard heard = World.call(world.channel(), Texts.UNARY, "");
    world.run();
    own.only().call().close(closed, text(1));
    world.run();
    return heard.status();
  }

  @Test
  void theServersOfACallOfTheHandlerAreNeverPassed() {
    CallFailure.Attempt inner =
        CallFailure.Attempt.of(Status.UNAVAILABLE)
            .withServer(InetSocketAddress.createUnresolved("backend", 1));
    for (boolean causes : new boolean[] {false, true}) {
      InProcessOptions options = InProcessOptions.DEFAULT.withCauses(causes);
      CallFailure details = CallFailure.of(inner);
      assertThat(through(options, Status.NOT_FOUND.withFailure(details)).failure()).isEmpty();
      CallFailure seen =
          through(options, Status.UNAVAILABLE.withFailure(details)).failure().orElseThrow();
      assertThat(seen.attempts()).singleElement().isNotEqualTo(inner);
    }
  }

  @Test
  void anExceptionOfAHandlerIsUnknownAndIfEnabledItsCause() {
    for (boolean passed : new boolean[] {false, true}) {
      World world = new World(InProcessOptions.DEFAULT.withCauses(passed));
      IllegalStateException thrown = new IllegalStateException("broken");
      world.serve(
          Texts.UNARY,
          (call, headers) -> {
            throw thrown;
          });
      Heard heard = World.call(world.channel(), Texts.UNARY, "");
      world.run();
      assertThat(heard.status().code()).isEqualTo(Status.Code.UNKNOWN);
      assertThat(heard.status().cause().isPresent()).isEqualTo(passed);
      assertThat(heard.status().cause().orElse(thrown)).isEqualTo(thrown);
    }
  }

  @Test
  void aStatusOfAnotherServerIsNotTranslatedAlthoughItHasTheExceptionOfItsHandler() {
    World backend = new World(InProcessOptions.DEFAULT.withCauses(true));
    backend.serve(
        Texts.UNARY,
        (call, headers) -> {
          throw new IllegalStateException("broken");
        });
    Heard inner = World.call(backend.channel(), Texts.UNARY, "");
    backend.run();
    assertThat(inner.status().cause()).containsInstanceOf(IllegalStateException.class);
    World world = new World();
    ServerInterceptor translating =
        ServerInterceptor.translating(e -> Optional.of(Status.ABORTED.asException()));
    World.start(world.serverBuilder(Texts.UNARY, handler).intercept(translating));
    Heard heard = World.call(world.channel(), Texts.UNARY, "");
    world.run();
    ServerCall<String, String> call = handler.only().call();
    call.close(inner.status(), new Metadata());
    world.run();
    assertThat(heard.status()).hasToString(inner.status().toString());
  }
}
