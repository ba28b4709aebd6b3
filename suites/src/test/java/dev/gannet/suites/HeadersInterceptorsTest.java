package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gannet.api.CallContext;
import dev.gannet.api.HeadersInterceptor;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.Limits;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.server.CallCounts;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.server.ServerExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Interceptors that need headers alone refuse calls before their requests are read. */
@ParameterizedClass
@EnumSource
final class HeadersInterceptorsTest {
  private static final CallContext.Key<String> USER = CallContext.Key.of("user");
  private static final Metadata.Key<String> SEEN = Metadata.Key.ascii("seen");
  private static final Status REFUSED = Status.PERMISSION_DENIED.withDescription("not you");

  private static final MethodDescriptor<String, String> GUARDED = methodOf("test.Guarded");
  private static final MethodDescriptor<String, String> OPEN = methodOf("test.Open");

  private final Medium medium;
  private final Simulation simulation;
  private final HeldCalls held = new HeldCalls();
  private final List<String> seen = new ArrayList<>();

  HeadersInterceptorsTest(Medium medium) {
    this.medium = medium;
    this.simulation = new Simulation(medium);
  }

  private static MethodDescriptor<String, String> methodOf(String service) {
    return MethodDescriptor.of(
        MethodType.UNARY,
        service + "/Ask",
        Texts.UNARY.requestMarshaller(),
        Texts.UNARY.responseMarshaller());
  }

  /** The service of that method, which answers each request with itself. */
  private static ServerServiceDefinition answering(MethodDescriptor<String, String> method) {
    return ServerServiceDefinition.of(
        method.serviceName(),
        List.of(ServerMethodDefinition.of(method, BlockingHandlers.unary(it -> it))));
  }

  private ServerBuilder builder() {
    return simulation.with(Texts.UNARY, held).with(Texts.BIDI, held).serverBuilder();
  }

  private static void refuse(CallContext call, Metadata headers) {
    Metadata trailers = new Metadata();
    trailers.set(SEEN, call.method().bareMethodName());
    throw REFUSED.asException(trailers);
  }

  private final class OrdinaryInterceptor implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      seen.add("interceptor of " + call.context().value(USER).orElse("nobody"));
      return next.startCall(call, headers);
    }
  }

  private void refuses(MethodDescriptor<String, String> method) {
    Server server =
        Simulation.start(
            builder()
                .countCalls()
                .intercept(new OrdinaryInterceptor())
                .interceptHeaders(HeadersInterceptorsTest::refuse));
    MadeCall call = MadeCall.whole(simulation.channel(), method, "question");
    simulation.run();

    assertThat(call.status()).hasToString(REFUSED.toString());
    assertThat(held.all()).isEmpty();
    assertThat(seen).isEmpty();
    assertThat(server.snapshot().methods())
        .extractingByKey(method.fullMethodName())
        .extracting(CallCounts::ended)
        .isEqualTo(Map.of(Status.Code.PERMISSION_DENIED, 1L));
  }

  @Test
  void aUnaryCallIsRefused() {
    refuses(Texts.UNARY);
  }

  @Test
  void aStreamIsRefused() {
    refuses(Texts.BIDI);
  }

  private record Traced(List<String> seen) implements ServerStreamTracer {
    @Override
    public void onMessageReceived(int sequence, long wireBytes, long messageBytes) {
      seen.add("request");
    }

    @Override
    public void onEnd(Status status, Metadata trailers) {
      seen.add("end: " + status.code());
    }
  }

  @Test
  void tracersSeeNoRequestOfARefusedCall() {
    Simulation.start(
        builder()
            .addTracer(call -> new Traced(seen))
            .interceptHeaders(HeadersInterceptorsTest::refuse));
    MadeCall.whole(simulation.channel(), Texts.UNARY, "question");
    simulation.run();

    assertThat(seen).containsExactly("end: PERMISSION_DENIED");
  }

  @Test
  void aCallIsRefusedBeforeItsRequestHasCome() {
    assumeTrue(medium == Medium.HTTP2);
    Simulation.start(builder().interceptHeaders(HeadersInterceptorsTest::refuse));
    RawPeer client = simulation.rawClient(Limits.DEFAULT);
    Http2Stream post =
        client.asks(
            EndStream.NO,
            ":method",
            "POST",
            ":scheme",
            "http",
            ":path",
            "/" + Texts.UNARY.fullMethodName(),
            "content-type",
            "application/grpc");
    simulation.run();

    assertThat(client.heard(post).field("grpc-status")).isEqualTo("7");
    assertThat(client.heard(post).field("grpc-message")).isEqualTo("not you");
    assertThat(client.heard(post).field("seen")).isEqualTo("Unary");
    assertThat(client.closed).isFalse();
  }

  @Test
  void afterARefusalNoFurtherInterceptorRuns() {
    Simulation.start(
        builder()
            .interceptHeaders((call, headers) -> seen.add("first"))
            .interceptHeaders(HeadersInterceptorsTest::refuse)
            .interceptHeaders((call, headers) -> seen.add("third")));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "question");
    simulation.run();

    assertThat(call.code()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(seen).containsExactly("first");
  }

  @Test
  void valuesTheySetAreSeenByInterceptorsAndHandlers() {
    HeadersInterceptor ada =
        (call, headers) -> {
          call.setValue(USER, "Ada");
          headers.set(SEEN, "yes");
        };
    Simulation.start(builder().intercept(new OrdinaryInterceptor()).interceptHeaders(ada));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "question");
    simulation.run();
    assertThat(held.only().call().context().value(USER)).hasValue("Ada");
    assertThat(held.only().headers().get(SEEN)).hasValue("yes");
    assertThat(seen).containsExactly("interceptor of Ada");
    held.only().answers("answer");
    held.only().ends();
    simulation.run();
    assertThat(call.messages()).containsExactly("answer");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void anInterceptorThatThrowsEndsItsCallWithUnknown() {
    Simulation.start(
        builder()
            .interceptHeaders((call, headers) -> {
              throw new IllegalStateException("secret");
            }));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "question");
    simulation.run();

    assertThat(call.code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(call.words()).doesNotContain("secret");
    assertThat(held.all()).isEmpty();
  }

  @Test
  void aStatusOkRefusesTheCallAllTheSame() {
    Simulation.start(
        builder()
            .interceptHeaders((call, headers) -> {
              throw Status.OK.asException();
            }));
    MadeCall unary = MadeCall.whole(simulation.channel(), Texts.UNARY, "question");
    MadeCall stream = MadeCall.start(simulation.channel(), Texts.BIDI);
    simulation.run();

    assertThat(unary.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(stream.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(held.all()).isEmpty();
  }

  @Test
  void theFailureOfAnotherCallIsNotPassedOn() {
    Metadata theirs = new Metadata();
    theirs.set(SEEN, "secret");
    Simulation.start(
        builder()
            .interceptHeaders((call, headers) -> {
              throw StatusException.ofCall(call.method(), REFUSED, new Metadata(), theirs);
            }));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "question");
    simulation.run();

    assertThat(call.code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(call.heard().trailers().get(SEEN)).isEmpty();
    assertThat(held.all()).isEmpty();
  }

  @Test
  void thoseOfOneServiceRefuseItsCallsAlone() {
    Simulation.start(
        builder()
            .add(
                answering(GUARDED),
                it -> it.withHeadersInterceptor(HeadersInterceptorsTest::refuse))
            .add(answering(OPEN)));
    MadeCall refused = MadeCall.whole(simulation.channel(), GUARDED, "question");
    MadeCall other = MadeCall.whole(simulation.channel(), OPEN, "question");
    simulation.run();

    assertThat(refused.code()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(other.status()).isEqualTo(Status.OK);
  }

  @Test
  void thoseOfTheServerRunBeforeThoseOfTheService() {
    Simulation.start(
        builder()
            .add(
                answering(GUARDED),
                it ->
                    it.withHeadersInterceptor((call, headers) -> seen.add("first"))
                        .withHeadersInterceptor((call, headers) -> seen.add("second")))
            .interceptHeaders((call, headers) -> seen.add("server")));
    MadeCall call = MadeCall.whole(simulation.channel(), GUARDED, "question");
    simulation.run();

    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(seen).containsExactly("server", "first", "second");
  }

  @Test
  void thoseOfAnExtensionSeeTheCallsOfItsServices() {
    ServerExtension inner =
        it ->
            it.add(
                answering(GUARDED),
                of -> of.withHeadersInterceptor((call, headers) -> seen.add("of the service")));
    Simulation.start(
        builder()
            .add(
                inner,
                it -> it.withHeadersInterceptor((call, headers) -> seen.add("of the extension")))
            .add(answering(OPEN)));
    MadeCall.whole(simulation.channel(), OPEN, "question");
    simulation.run();
    assertThat(seen).isEmpty();
    MadeCall call = MadeCall.whole(simulation.channel(), GUARDED, "question");
    simulation.run();

    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(seen).containsExactly("of the extension", "of the service");
  }

  @Test
  void interceptorsDoNotSeeUnknownMethods() {
    Simulation.start(
        simulation
            .with(Texts.BIDI, held)
            .serverBuilder()
            .interceptHeaders((call, headers) -> seen.add(call.method().fullMethodName())));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "question");
    simulation.run();

    assertThat(call.code()).isEqualTo(Status.Code.UNIMPLEMENTED);
    assertThat(seen).isEmpty();
  }
}
