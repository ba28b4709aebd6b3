package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.ForwardingClientCallListener;
import dev.gannet.api.ForwardingServerCall;
import dev.gannet.api.ForwardingServerCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.Status;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.client.ManagedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The interceptor that was added first is the outermost, on either side. */
final class InterceptorOrderTest {
  private final Simulation simulation =
      new Simulation().with(Texts.UNARY, BlockingHandlers.unary(this::answer));
  private final List<String> seen = new ArrayList<>();

  private String answer(String request) {
    seen.add("handler");
    return request;
  }

  private final class OfServer implements ServerInterceptor {
    private final String name;

    OfServer(String name) {
      this.name = name;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      seen.add(name);
      return new HeardByServer<>(next.startCall(new ToldByServer<>(call, name), headers), name);
    }
  }

  private final class ToldByServer<Q, R> extends ForwardingServerCall<Q, R> {
    private final String name;

    ToldByServer(ServerCall<Q, R> call, String name) {
      super(call);
      this.name = name;
    }

    @Override
    public void close(Status status, Metadata trailers) {
      seen.add(name + " closes");
      super.close(status, trailers);
    }
  }

  private final class HeardByServer<Q> extends ForwardingServerCallListener<Q> {
    private final String name;

    HeardByServer(ServerCall.Listener<Q> listener, String name) {
      super(listener);
      this.name = name;
    }

    @Override
    public void onHalfClose() {
      seen.add(name + " is half-closed");
      super.onHalfClose();
    }
  }

  private final class OfClient implements ClientInterceptor {
    private final String name;

    OfClient(String name) {
      this.name = name;
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      seen.add(name);
      return new StartedByClient<>(next.newCall(method, options), name);
    }
  }

  private final class StartedByClient<Q, R> extends ForwardingClientCall<Q, R> {
    private final String name;

    StartedByClient(ClientCall<Q, R> call, String name) {
      super(call);
      this.name = name;
    }

    @Override
    public void start(Listener<? super R> listener, Metadata headers) {
      super.start(new HeardByClient<R>(listener, name), headers);
    }
  }

  private final class HeardByClient<R> extends ForwardingClientCallListener<R> {
    private final String name;

    HeardByClient(ClientCall.Listener<? super R> listener, String name) {
      super(listener);
      this.name = name;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      seen.add(name + " hears " + status);
      super.onClose(status, trailers);
    }
  }

  private void call(ManagedChannel channel) {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "hello");
    simulation.run();
    assertThat(call.messages()).containsExactly("hello");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void theFirstServerInterceptorSeesTheCallFirstAndItsEndLast() {
    Simulation.start(
        simulation
            .serverBuilder()
            .intercept(new OfServer("first"))
            .intercept(new OfServer("second")));
    call(simulation.channel());
    assertThat(seen)
        .containsExactly(
            "first",
            "second",
            "first is half-closed",
            "second is half-closed",
            "handler",
            "second closes",
            "first closes");
  }

  @Test
  void theFirstClientInterceptorSeesTheCallFirstAndItsEndLast() {
    simulation.serve();
    call(
        simulation
            .channelBuilder()
            .intercept(new OfClient("first"))
            .intercept(new OfClient("second"))
            .build());
    assertThat(seen)
        .containsExactly("first", "second", "handler", "second hears OK", "first hears OK");
  }
}
