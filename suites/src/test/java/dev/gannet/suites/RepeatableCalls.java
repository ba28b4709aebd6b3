package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.RepeatableClientCall;
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

  /** Makes a call again, once, if it ends with {@code UNAVAILABLE}. */
  static class OneRetry implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      CallOptions shared = options.startingNow();
      return new RepeatableClientCall<>(method, shared, next) {
        private boolean repeated;

        @Override
        protected ClientCall<Q, R> newCall(Metadata headers) {
          return OneRetry.this.newCall(repeated, method, shared, next);
        }

        @Override
        protected long maxKeptBytes() {
          return OneRetry.this.maxKeptBytes(super.maxKeptBytes());
        }

        @Override
        protected void onUnanswered(Status status, Metadata trailers) {
          if (!repeated && status.code() == repeats()) {
            repeated = true;
            decided(this::repeat);
          } else {
            end(status, trailers);
          }
        }
      };
    }

    @SuppressWarnings("UnusedVariable") // others need it
    <Q, R> ClientCall<Q, R> newCall(
        boolean again, MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return next.newCall(method, options);
    }

    long maxKeptBytes(long usual) {
      return usual;
    }

    Status.Code repeats() {
      return Status.Code.UNAVAILABLE;
    }

    void decided(Runnable repeat) {
      repeat.run();
    }
  }

  /** The same, when the test says so. */
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
