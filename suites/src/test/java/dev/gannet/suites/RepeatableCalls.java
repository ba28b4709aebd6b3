package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Channel;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** What tests of calls that are made again have in common. */
abstract class RepeatableCalls {
  static final Metadata.Key<String> TENANT = Metadata.Key.ascii("tenant");

  final HeldCalls held = new HeldCalls(1_000);
  final Simulation simulation =
      new Simulation(Medium.IN_PROCESS).with(Texts.UNARY, held).with(Texts.BIDI, held);
  final List<Runnable> later = new ArrayList<>();
  ManagedChannel direct = simulation.channel();
  Channel channel = direct;

  /** Makes a call again, once, when the test says so. */
  class LateRetry extends OneRetry {
    @Override
    void decided(Runnable repeat) {
      later.add(repeat);
    }
  }

  @BeforeEach
  void serve() {
    simulation.serve();
    direct = simulation.channel();
    channel = behind(new OneRetry());
  }

  Channel behind(ClientInterceptor... interceptors) {
    return ClientInterceptor.intercept(direct, List.of(interceptors));
  }

  HeldCall served(int number) {
    simulation.run();
    assertThat(held.all()).hasSize(number);
    return held.all().getLast();
  }

  void fails(int number) {
    served(number).ends(Status.UNAVAILABLE.withDescription("try again"));
    simulation.run();
  }

  void answers(int number) {
    served(number).answers("answer");
    served(number).ends();
    simulation.run();
  }

  void assertNothingIsLeft() {
    direct.shutdown();
    simulation.run();
    assertThat(direct.isTerminated()).isTrue();
  }

  static Metadata ofTenant() {
    Metadata metadata = new Metadata();
    metadata.set(TENANT, "acme");
    return metadata;
  }
}
