package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.server.call.TestCalls;
import dev.gannet.transport.settings.CallBounds;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which limits hold for a method, and what a builder takes for them. */
final class MethodLimitsTest {
  private static final String METHOD = "pkg.Service/Method";
  private static final String SERVICE = "pkg.Service";

  private final HandTransport transport = new HandTransport();

  private ServerBuilder builder() {
    ServerServiceDefinition service =
        ServerServiceDefinition.of(
            SERVICE,
            List.of(
                TestCalls.served(
                    MethodType.UNARY, (call, headers) -> new ServerCall.Listener<>() {})));
    return Server.builder(HandTransport.ADDRESS).plaintext().transport(transport).add(service);
  }

  @Test
  void limitsOfAMethodHavePriorityOverThoseOfItsService() {
    MethodLimits ofService =
        MethodLimits.OF_SERVER
            .withMaxInboundMessageBytes(7)
            .withMaxOutboundMessageBytes(7)
            .withMaxCallDuration(Duration.ofSeconds(7))
            .withDefaultCallDuration(Duration.ofSeconds(6))
            .withMaxConcurrentCalls(5);
    MethodLimits own = MethodLimits.OF_SERVER.withMaxInboundMessageBytes(3);

    assertThat(own.orElse(ofService)).isEqualTo(ofService.withMaxInboundMessageBytes(3));
    assertThat(MethodLimits.OF_SERVER.orElse(ofService)).isEqualTo(ofService);
  }

  @Test
  void missingLimitsOfAMethodAreTheServers() {
    CallBounds ofServer = new CallBounds(1, 2, 3, 4);

    assertThat(MethodLimits.OF_SERVER.over(ofServer)).isEqualTo(ofServer);
    assertThat(
            MethodLimits.OF_SERVER
                .withMaxOutboundMessageBytes(7)
                .withDefaultCallDuration(ChronoUnit.FOREVER.getDuration())
                .over(ofServer))
        .isEqualTo(new CallBounds(1, 7, 3, CallBounds.NO_LIMIT));
    assertThat(
            MethodLimits.OF_SERVER
                .withMaxInboundMessageBytes(7)
                .withMaxCallDuration(Duration.ofNanos(9))
                .over(ofServer))
        .isEqualTo(new CallBounds(7, 2, 9, 4));
  }

  @Test
  void limitsAreEqualByValueAndHaveAText() {
    MethodLimits one = MethodLimits.OF_SERVER.withMaxInboundMessageBytes(7);

    assertThat(one)
        .isEqualTo(MethodLimits.OF_SERVER.withMaxInboundMessageBytes(7))
        .hasSameHashCodeAs(MethodLimits.OF_SERVER.withMaxInboundMessageBytes(7))
        .isNotEqualTo(MethodLimits.OF_SERVER.withMaxOutboundMessageBytes(7))
        .isNotEqualTo(one.withMaxOutboundMessageBytes(7))
        .isNotEqualTo(one.withMaxCallDuration(Duration.ofSeconds(7)))
        .isNotEqualTo(one.withDefaultCallDuration(Duration.ofSeconds(7)))
        .isNotEqualTo(one.withMaxConcurrentCalls(7))
        .isNotEqualTo("MethodLimits")
        .hasToString(
            "MethodLimits(maxInboundMessageBytes=7, maxOutboundMessageBytes=the server's,"
                + " maxCallDuration=the server's, defaultCallDuration=the server's,"
                + " maxConcurrentCalls=none)");
  }

  @Test
  void namesMustBeMethodsOrServicesOfTheServer() throws IOException {
    builder()
        .methodLimits(METHOD, it -> it.withMaxInboundMessageBytes(1))
        .methodLimits(SERVICE, it -> it.withMaxInboundMessageBytes(1))
        .start()
        .shutdownNow();
    for (String name : List.of("pkg.Service/method", "pkg", "/pkg.Service/Method")) {
      ServerBuilder wrong = builder().methodLimits(name, it -> it.withMaxInboundMessageBytes(1));
      assertThatIllegalArgumentException()
          .isThrownBy(wrong::start)
          .withMessageContaining("methodLimits")
          .withMessageContaining(name);
    }
  }

  @Test
  void withARegistryLimitsMayNameServicesThatWereNotAdded() throws IOException {
    builder()
        .addFallbackHandlerRegistry(new MutableHandlerRegistry())
        .methodLimits("pkg.Later", it -> it.withMaxInboundMessageBytes(1))
        .methodLimits("pkg.Later/Method", it -> it.withMaxInboundMessageBytes(1))
        .start()
        .shutdownNow();
  }

  @Test
  void withARegistryNamesThatNoMethodCanHaveAreStillRefused() {
    for (String name : List.of("pkg.Service/Methud", "/pkg.Later/Method")) {
      ServerBuilder wrong =
          builder()
              .addFallbackHandlerRegistry(new MutableHandlerRegistry())
              .methodLimits(name, it -> it.withMaxInboundMessageBytes(1));
      assertThatIllegalArgumentException()
          .isThrownBy(wrong::start)
          .withMessage(
              "methodLimits names a method or service that the server does not have: " + name);
    }
  }

  @Test
  void aRegistryMayHaveFurtherMethodsOfAServiceThatWasAdded() throws IOException {
    ServerMethodDefinition<?, ?> more =
        TestCalls.served(MethodType.UNARY, (call, headers) -> new ServerCall.Listener<>() {});
    builder()
        .addFallbackHandlerRegistry(
            name -> name.equals("pkg.Service/More") ? Optional.of(more) : Optional.empty())
        .methodLimits("pkg.Service/More", it -> it.withMaxInboundMessageBytes(1))
        .start()
        .shutdownNow();
  }

  @Test
  void aMethodMayBeNamedByItsDescriptor() throws IOException {
    MethodDescriptor<?, ?> method =
        TestCalls.served(MethodType.UNARY, (call, headers) -> new ServerCall.Listener<>() {})
            .method();
    builder().methodLimits(method, it -> it.withMaxInboundMessageBytes(1)).start().shutdownNow();
    ServerBuilder without =
        Server.builder(HandTransport.ADDRESS)
            .plaintext()
            .transport(transport)
            .methodLimits(method, it -> it.withMaxInboundMessageBytes(1));
    assertThatIllegalArgumentException()
        .isThrownBy(without::start)
        .withMessageContaining(method.fullMethodName());
  }

  @Test
  void limitsLieInTheirRanges() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().methodLimits(METHOD, it -> it.withMaxInboundMessageBytes(-1)));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> builder().methodLimits(METHOD, it -> it.withMaxCallDuration(Duration.ZERO)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().maxOutboundMessageBytes(-1))
        .withMessage("maxOutboundMessageBytes cannot be negative: -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().defaultCallDuration(Duration.ofSeconds(-1)))
        .withMessage("defaultCallDuration must be positive: PT-1S");
  }
}
