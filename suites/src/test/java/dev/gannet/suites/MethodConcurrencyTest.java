package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Dispatch;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.HandlerRegistry;
import dev.gannet.server.MutableHandlerRegistry;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A method with a limit of concurrent calls refuses further ones, from any client. */
final class MethodConcurrencyTest {
  private final HeldCalls held = new HeldCalls();

  @ParameterizedTest
  @EnumSource(Medium.class)
  void aMethodAtItsLimitRefusesCallsAndTheOthersDoNot(Medium medium) {
    Simulation simulation = new Simulation(medium);
    simulation.with(Texts.UNARY, held).with(Texts.BIDI, held);
    String name = Texts.UNARY.fullMethodName();
    Simulation.start(
        simulation
            .serverBuilder()
            .dispatch(Dispatch.inline())
            .methodLimits(name, it -> it.withMaxConcurrentCalls(1)));
    ManagedChannel channel = simulation.channel();

    MadeCall first = MadeCall.whole(channel, Texts.UNARY, "first");
    simulation.run();
    MadeCall second = MadeCall.whole(simulation.channel(), Texts.UNARY, "second");
    MadeCall other = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    assertThat(held.all()).hasSize(2);
    assertThat(second.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(second.words()).contains(name, "limit of 1 concurrent calls");
    assertThat(other.isClosed()).isFalse();

    first.call().cancel("bored");
    simulation.run();
    MadeCall third = MadeCall.whole(channel, Texts.UNARY, "third");
    simulation.run();
    held.all().getLast().answers("answer");
    held.all().getLast().ends();
    simulation.run();
    assertThat(third.status()).isEqualTo(Status.OK);
  }

  /** A server whose methods are all of this registry; these have one call at once. */
  private static ManagedChannel channel(
      Simulation simulation, HandlerRegistry registry, String limited) {
    Simulation.start(
        simulation
            .serverBuilder()
            .dispatch(Dispatch.inline())
            .addFallbackHandlerRegistry(registry)
            .methodLimits(limited, it -> it.withMaxConcurrentCalls(1)));
    return simulation.channel();
  }

  private static MethodDescriptor<String, String> unary(String name) {
    return Texts.method(MethodType.UNARY, name);
  }

  private static MadeCall called(
      Simulation simulation, ManagedChannel channel, MethodDescriptor<String, String> method) {
    MadeCall call = MadeCall.whole(channel, method, "question");
    simulation.run();
    return call;
  }

  /** Answers the last call that its handler got. */
  private void assertServed(Simulation simulation, MadeCall call) {
    held.all().getLast().answers("answer");
    held.all().getLast().ends();
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  private static void assertAtLimit(MadeCall call, MethodDescriptor<?, ?> method) {
    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(call.words()).contains(method.fullMethodName(), "limit of 1 concurrent calls");
  }

  /** The server knows a bounded number of a registry's methods, and forgets the others. */
  @ParameterizedTest
  @EnumSource(Medium.class)
  void theLimitOfARegistrysMethodHoldsHoweverManyOthersAreCalled(Medium medium) {
    Simulation simulation = new Simulation(medium);
    ServerMethodDefinition<?, ?> limited = ServerMethodDefinition.of(Texts.UNARY, held);
    ServerCallHandler<String, String> refuses =
        (call, headers) -> {
          throw Status.NOT_FOUND.asException();
        };
    ManagedChannel channel =
        channel(
            simulation,
            name ->
                Optional.of(
                    name.equals(Texts.UNARY.fullMethodName())
                        ? limited
                        : ServerMethodDefinition.of(unary("Other"), refuses)),
            Texts.UNARY.fullMethodName());

    MadeCall first = called(simulation, channel, Texts.UNARY);
    for (int i = 0; i < 1_500; i++) {
      assertThat(called(simulation, channel, unary("Other" + i)).code())
          .isEqualTo(Status.Code.NOT_FOUND);
    }
    assertAtLimit(called(simulation, channel, Texts.UNARY), Texts.UNARY);
    assertServed(simulation, first);
    assertServed(simulation, called(simulation, channel, Texts.UNARY));
  }

  @ParameterizedTest
  @EnumSource(Medium.class)
  void aMethodWithSeveralPathsHasOneLimit(Medium medium) {
    Simulation simulation = new Simulation(medium);
    ServerMethodDefinition<?, ?> only = ServerMethodDefinition.of(Texts.UNARY, held);
    ManagedChannel channel =
        channel(simulation, name -> Optional.of(only), Texts.UNARY.fullMethodName());

    MadeCall first = called(simulation, channel, unary("OnePath"));
    assertAtLimit(called(simulation, channel, unary("AnotherPath")), Texts.UNARY);
    assertServed(simulation, first);
  }

  @ParameterizedTest
  @EnumSource(Medium.class)
  void theCallsOfAReplacedMethodStillCount(Medium medium) {
    Simulation simulation = new Simulation(medium);
    MutableHandlerRegistry registry = new MutableHandlerRegistry();
    registry.add(serviceOf(Texts.UNARY));
    ManagedChannel channel = channel(simulation, registry, Texts.UNARY.fullMethodName());

    MadeCall first = called(simulation, channel, Texts.UNARY);
    registry.add(serviceOf(Texts.UNARY));
    assertAtLimit(called(simulation, channel, Texts.UNARY), Texts.UNARY);
    assertServed(simulation, first);
    assertServed(simulation, called(simulation, channel, Texts.UNARY));
  }

  private ServerServiceDefinition serviceOf(MethodDescriptor<String, String> method) {
    return ServerServiceDefinition.of(
        method.serviceName(), List.of(ServerMethodDefinition.of(method, held)));
  }

  @ParameterizedTest
  @EnumSource(Medium.class)
  void theLimitOfAServiceIsForEachMethodOfARegistryAlone(Medium medium) {
    Simulation simulation = new Simulation(medium);
    ManagedChannel channel =
        channel(
            simulation,
            name ->
                Optional.of(
                    ServerMethodDefinition.of(
                        unary(name.substring(name.lastIndexOf('/') + 1)), held)),
            Texts.SERVICE);

    MadeCall one = called(simulation, channel, unary("One"));
    MadeCall other = called(simulation, channel, unary("Other"));
    assertThat(one.isClosed()).isFalse();
    assertThat(other.isClosed()).isFalse();
    assertAtLimit(called(simulation, channel, unary("One")), unary("One"));
  }
}
