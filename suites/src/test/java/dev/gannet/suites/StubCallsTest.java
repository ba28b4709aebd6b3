package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.stub.StubCalls;
import dev.gannet.client.ManagedChannel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stubs of other styles start calls as the generated clients do. */
final class StubCallsTest {
  private static final Metadata.Key<String> TOKEN = Metadata.Key.ascii("token");
  private static final Metadata.Key<String> OTHER = Metadata.Key.ascii("other");

  private final HeldCalls held = new HeldCalls(0);
  private final Simulation simulation = new Simulation().with(Texts.UNARY, held);

  private static final class WithoutToken implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new ForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void start(Listener<? super R> listener, Metadata headers) {
          headers.discardAll(TOKEN);
          super.start(listener, headers);
        }
      };
    }
  }

  private record Silent() implements ClientCall.Listener<String> {}

  @Test
  void aHeaderThatAnInterceptorRemovesIsNotSent() {
    simulation.serve();
    ManagedChannel channel = simulation.channel();
    Channel intercepted = ClientInterceptor.intercept(channel, List.of(new WithoutToken()));
    CallOptions options = CallOptions.DEFAULT.withHeader(TOKEN, "secret").withHeader(OTHER, "a");
    ClientCall<String, String> call = StubCalls.newCall(intercepted, Texts.UNARY, options);
    StubCalls.start(call, new Silent(), options);
    StubCalls.sendOnly(call, "question");
    simulation.run();

    Metadata sent = held.only().headers();
    assertThat(sent.get(TOKEN)).isEmpty();
    assertThat(sent.get(OTHER)).hasValue("a");
  }
}
