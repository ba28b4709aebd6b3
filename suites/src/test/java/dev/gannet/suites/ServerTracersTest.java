package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.suites.TracedRequests.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A server's tracers see every request once, with its final status, whatever becomes of it. */
@ParameterizedClass
@EnumSource
final class ServerTracersTest {
  private static final Metadata.Key<String> NOTE = Metadata.Key.ascii("note");
  private static final CallContext.Key<String> SPAN = CallContext.Key.of("span");

  private final Medium medium;
  private final Simulation simulation;
  private final HeldCalls held = new HeldCalls();
  private final TracedRequests traced = new TracedRequests();

  ServerTracersTest(Medium medium) {
    this.medium = medium;
    this.simulation = new Simulation(medium);
  }

  private ServerBuilder builder() {
    return simulation
        .with(Texts.UNARY, BlockingHandlers.unary(ServerTracersTest::answer))
        .with(Texts.BIDI, held)
        .serverBuilder()
        .addTracer(traced);
  }

  private static String answer(String request) {
    CallContext context = CallContext.current().orElseThrow();
    context.responseTrailers().set(NOTE, "trailing");
    return switch (request) {
      case "throw" -> throw new IllegalStateException("a handler's fault");
      case "not found" -> throw Status.NOT_FOUND.withDescription("nothing").asException();
      default -> context.value(SPAN).orElse(request);
    };
  }

  private ManagedChannel serving() {
    Simulation.start(builder());
    return simulation.channel();
  }

  private Request after(MadeCall call) {
    simulation.run();
    assertThat(call.isClosed()).isTrue();
    return traced.only();
  }

  @Test
  void aUnaryCallIsSeenFromItsHeadersToItsEnd() {
    Metadata headers = new Metadata();
    headers.set(NOTE, "leading");
    ManagedChannel channel = serving();
    Request seen =
        after(
            MadeCall.start(channel, Texts.UNARY, CallOptions.DEFAULT, headers)
                .wants(1)
                .says("hello")
                .halfCloses());
    assertThat(seen.start.path()).isEqualTo("/test.Texts/Unary");
    assertThat(seen.start.method()).hasValue(Texts.UNARY);
    assertThat(seen.start.authority()).isEqualTo(channel.authority());
    assertThat(seen.headers.get(NOTE)).hasValue("leading");
    assertThat(seen.start.peer()).isEqualTo(seen.context.orElseThrow().peer());
    assertThat(seen.start.localAddress()).isEqualTo(seen.context.orElseThrow().localAddress());
    assertThat(seen.start.sslSession()).isEmpty();
    assertThat(seen.seen)
        .containsExactly(
            "received 0: " + medium.sizes(5),
            "headers sent",
            "sent 0: " + medium.sizes(5),
            "end: OK");
    assertThat(seen.trailers.get(NOTE)).hasValue("trailing");
  }

  @Test
  void handlersThatThrowAreSeenWithTheStatusThatTheirClientsGet() {
    ManagedChannel channel = serving();
    MadeCall thrown = MadeCall.whole(channel, Texts.UNARY, "throw");
    MadeCall answered = MadeCall.whole(channel, Texts.UNARY, "not found");
    simulation.run();
    assertThat(thrown.code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(traced.all().getFirst().end()).hasToString(thrown.status().toString());
    assertThat(traced.all().getFirst().trailers.get(NOTE)).hasValue("trailing");
    assertThat(answered.status()).hasToString("NOT_FOUND: nothing");
    assertThat(traced.all().getLast().end()).hasToString("NOT_FOUND: nothing");
    assertThat(traced.all().getLast().seen).doesNotContain("headers sent"); // trailers alone
  }

  @Test
  void anUnknownMethodIsSeen() {
    MadeCall call = MadeCall.whole(serving(), Texts.CLIENT_STREAMING, "hello");
    Request seen = after(call);
    assertThat(call.code()).isEqualTo(Status.Code.UNIMPLEMENTED);
    assertThat(seen.end()).hasToString(call.status().toString());
    assertThat(seen.start.path()).isEqualTo("/test.Texts/ClientStreaming");
    assertThat(seen.start.method()).isEmpty();
    assertThat(seen.context).isEmpty();
  }

  @Test
  void aMethodOfTheFallbackRegistryIsSeen() {
    ServerMethodDefinition<?, ?> found = ServerMethodDefinition.of(Texts.CLIENT_STREAMING, held);
    Simulation.start(builder().addFallbackHandlerRegistry(name -> Optional.of(found)));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.CLIENT_STREAMING, "hello");
    simulation.run();
    held.only().answers("found");
    held.only().ends();
    Request seen = after(call);
    assertThat(call.messages()).containsExactly("found");
    assertThat(seen.start.method()).hasValue(Texts.CLIENT_STREAMING);
    assertThat(seen.end()).isEqualTo(Status.OK);
  }

  @Test
  void aFallbackRegistryThatThrowsIsSeen() {
    Simulation.start(
        builder()
            .addFallbackHandlerRegistry(name -> {
              throw new IllegalStateException("no registry");
            }));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.CLIENT_STREAMING, "hello");
    Request seen = after(call);
    assertThat(call.status())
        .hasToString("INTERNAL: the server's fallback registry threw an exception");
    assertThat(seen.end()).hasToString(call.status().toString());
    assertThat(seen.context).isEmpty();
  }

  @Test
  void aCallThatItsClientCancelsIsSeenAsCancelled() {
    MadeCall call = MadeCall.start(serving(), Texts.BIDI).says("hello");
    simulation.run();
    call.call().cancel("enough");
    assertThat(after(call).end().code()).isEqualTo(Status.Code.CANCELLED);
    held.only().ends();
    simulation.run();
    assertThat(traced.only().ends).hasSize(1);
  }

  @Test
  void aDeadlineThatPassesIsSeen() {
    ManagedChannel channel = serving();
    MadeCall call =
        MadeCall.whole(channel, Texts.BIDI, simulation.within(Duration.ofSeconds(1)), "hello");
    simulation.run();
    assertThat(traced.only().ends).isEmpty();
    simulation.advance(Duration.ofSeconds(2));
    assertThat(after(call).end())
        .hasToString("DEADLINE_EXCEEDED: deadline exceeded (set by the client)");
  }

  @Test
  void aServerThatClosesIsSeen() {
    Server server = Simulation.start(builder());
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.BIDI, "hello");
    simulation.run();
    server.shutdownNow();
    assertThat(after(call).end().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void aCallThatTheExecutorRejectsIsSeen() {
    Simulation.start(
        builder()
            .dispatch(
                Dispatch.on(task -> {
                  throw new RejectedExecutionException("full");
                })));
    Request seen = after(MadeCall.whole(simulation.channel(), Texts.UNARY, "hello"));
    assertThat(seen.end())
        .hasToString(
            "RESOURCE_EXHAUSTED: the server cannot run the call: its executor rejected it, or no thread"
                + " can be started");
  }

  @Test
  void aTracerCanSetValuesForTheHandler() {
    Simulation.start(builder().addTracer(start -> new Spanning()));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "hello");
    after(call);
    assertThat(call.messages()).containsExactly("a span");
  }

  private record Spanning() implements ServerStreamTracer {
    @Override
    public void onCall(CallContext context) {
      context.setValue(SPAN, "a span");
    }
  }

  @Test
  void aTracerThatThrowsAffectsNeitherTheCallNorOtherTracers() {
    TracedRequests other = new TracedRequests();
    Simulation.start(
        builder()
            .addTracer(start -> {
              throw new IllegalStateException("no tracer");
            })
            .addTracer(start -> new ThrowingTracer())
            .addTracer(start -> ServerStreamTracer.none())
            .addTracer(other));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "hello");
    after(call);
    assertThat(call.messages()).containsExactly("hello");
    assertThat(other.only().seen).hasSize(4).isEqualTo(traced.only().seen);
    assertThat(other.only().end()).isEqualTo(Status.OK);
  }
}
