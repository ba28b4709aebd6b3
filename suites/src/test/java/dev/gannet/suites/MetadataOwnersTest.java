package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.ForwardingClientCallListener;
import dev.gannet.api.ForwardingServerCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import dev.gannet.api.stub.AsyncCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.api.stub.Response;
import dev.gannet.server.ServerBuilder;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Interceptors can add to all metadata of a call, also where there is none before. */
@ParameterizedClass
@EnumSource
final class MetadataOwnersTest {
  private static final Metadata.Key<String> ADDED = Metadata.Key.ascii("added");

  /** The listener runs as soon as the response arrives. */
  private static final CallOptions INLINE = CallOptions.DEFAULT.withExecutor(Runnable::run);

  private final Simulation simulation;
  private final Traced traced = new Traced();

  MetadataOwnersTest(Medium medium) {
    this.simulation = new Simulation(medium);
  }

  /** What a tracer of the server sees of the only call. */
  private static final class Traced implements ServerStreamTracer {
    List<String> received = List.of();
    List<String> sent = List.of();

    ServerStreamTracer begin(ServerStreamTracer.Start call) {
      received = call.headers().getAll(ADDED);
      return this;
    }

    @Override
    public void onEnd(Status status, Metadata trailers) {
      sent = trailers.getAll(ADDED);
    }
  }

  /** Adds to all that the client sends and receives. */
  private static final class OfClient implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new ForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void start(Listener<? super R> listener, Metadata headers) {
          headers.add(ADDED, "by the client");
          super.start(new Adding<>(listener), headers);
        }
      };
    }
  }

  private static final class Adding<R> extends ForwardingClientCallListener<R> {
    Adding(ClientCall.Listener<? super R> delegate) {
      super(delegate);
    }

    @Override
    public void onHeaders(Metadata headers) {
      headers.add(ADDED, "to the headers");
      super.onHeaders(headers);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      trailers.add(ADDED, "to the trailers");
      super.onClose(status, trailers);
    }
  }

  /** Adds to all that the server sends and receives. */
  private static final class OfServer implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      headers.add(ADDED, "by the server");
      return next.startCall(
          new ForwardingServerCall<>(call) {
            @Override
            public void sendHeaders(Metadata headers) {
              headers.add(ADDED, "by the server");
              super.sendHeaders(headers);
            }

            @Override
            public void close(Status status, Metadata trailers) {
              trailers.add(ADDED, "by the server");
              super.close(status, trailers);
            }
          },
          headers);
    }
  }

  private Response<String> answer(
      UnaryOperator<ServerBuilder> server, ClientInterceptor... interceptors) {
    simulation.with(Texts.UNARY, BlockingHandlers.unary(it -> it));
    Simulation.start(server.apply(simulation.serverBuilder().addTracer(traced::begin)));
    Channel channel = ClientInterceptor.intercept(simulation.channel(), List.of(interceptors));
    CompletableFuture<Response<String>> response =
        AsyncCalls.response(channel, Texts.UNARY, INLINE, "hello");
    simulation.run();
    return response.join();
  }

  @Test
  void aClientAddsToWhatIsEmpty() {
    Response<String> response = answer(it -> it, new OfClient());
    assertThat(traced.received).containsExactly("by the client");
    assertThat(response.headers().getAll(ADDED)).containsExactly("to the headers");
    assertThat(response.trailers().getAll(ADDED)).containsExactly("to the trailers");
  }

  @Test
  void aServerAddsToWhatIsEmpty() {
    Response<String> response = answer(it -> it.intercept(new OfServer()));
    assertThat(response.headers().getAll(ADDED)).containsExactly("by the server");
    assertThat(response.trailers().getAll(ADDED)).containsExactly("by the server");
  }

  @Test
  void whatAClientAddsIsNotSeenByTheServersTracers() {
    Response<String> response = answer(it -> it.intercept(new OfServer()), new OfClient());
    assertThat(response.trailers().getAll(ADDED))
        .containsExactly("by the server", "to the trailers");
    assertThat(traced.sent).containsExactly("by the server");
  }
}
