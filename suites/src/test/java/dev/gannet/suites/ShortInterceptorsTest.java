package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientCallTracer;
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
import dev.gannet.client.ManagedChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What users write most often is short: an access log that misses no call, a log of status and
 * latency, a header. Each stands between two marks here, and in docs/guide.md; its lines are
 * counted.
 */
final class ShortInterceptorsTest {
  private static final List<String> LOG = new ArrayList<>();
  private static final Metadata.Key<String> TENANT = Metadata.Key.ascii("tenant");

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();

  ShortInterceptorsTest() {
    LOG.clear();
  }

  // begin access log of a server
  record AccessLog(String path, long beganNanos) implements ServerStreamTracer {
    @Override
    public void onEnd(Status status, Metadata trailers) {
      LOG.add(path + " " + status + " " + (System.nanoTime() - beganNanos) + " ns");
    }
  }

  // end

  // begin access log of a client
  record CallLog(String method, long beganNanos) implements ClientCallTracer {
    @Override
    public void onEnd(Status status, Metadata trailers) {
      LOG.add(method + " " + status + " " + (System.nanoTime() - beganNanos) + " ns");
    }
  }

  // end

  @Test
  void anAccessLogOfAServerContainsEveryCall() {
    simulation.with(Texts.UNARY, BlockingHandlers.unary(request -> request));
    Simulation.start(
        simulation
            .serverBuilder()
            .addTracer(call -> new AccessLog(call.path(), System.nanoTime())));
    ManagedChannel channel = simulation.channel();
    MadeCall.whole(channel, Texts.UNARY, "hello");
    simulation.run();
    MadeCall.whole(channel, Texts.BIDI, "hello");
    simulation.run();
    assertThat(LOG.getFirst()).matches("/test.Texts/Unary OK \\d+ ns");
    assertThat(LOG.getLast())
        .matches("/test.Texts/Bidi UNIMPLEMENTED: Method not found: test.Texts/Bidi \\d+ ns");
    assertThat(linesOf("access log of a server")).isLessThan(10);
  }

  @Test
  void aLogOfAClientContainsEveryCall() {
    ManagedChannel channel =
        simulation
            .channelBuilder()
            .addTracer(call -> new CallLog(call.method().fullMethodName(), System.nanoTime()))
            .build();
    MadeCall.whole(channel, Texts.UNARY, "hello"); // nobody listens
    simulation.run();
    assertThat(LOG).hasSize(1);
    assertThat(LOG.getFirst()).matches("test.Texts/Unary UNAVAILABLE: .*refused.* \\d+ ns");
    assertThat(linesOf("access log of a client")).isLessThan(10);
  }

  private static void log(MethodDescriptor<?, ?> method, Status status, long beganNanos) {
    LOG.add(method.fullMethodName() + " " + status + " " + (System.nanoTime() - beganNanos));
  }

  private static final class OfServer implements ServerInterceptor {
    // begin interceptor of a server
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      long beganNanos = System.nanoTime();
      return next.startCall(
          new ForwardingServerCall<>(call) {
            @Override
            public void close(Status status, Metadata trailers) {
              log(method(), status, beganNanos);
              super.close(status, trailers);
            }
          },
          headers);
    }
    // end
  }

  private static final class OfClient implements ClientInterceptor {
    // begin interceptor of a client
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      long beganNanos = System.nanoTime();
      return new ForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void start(Listener<? super R> listener, Metadata headers) {
          super.start(
              new ForwardingClientCallListener<R>(listener) {
                @Override
                public void onClose(Status status, Metadata trailers) {
                  log(method, status, beganNanos);
                  super.onClose(status, trailers);
                }
              },
              headers);
        }
      };
    }
    // end
  }

  private static final class AddingHeader implements ClientInterceptor {
    // begin header
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return next.newCall(method, options.withHeader(TENANT, "acme"));
    }
    // end
  }

  @Test
  void interceptorsThatLogStatusAndLatencyNeedAtMostTenStatements() {
    simulation.with(Texts.UNARY, BlockingHandlers.unary(request -> request));
    Simulation.start(simulation.serverBuilder().intercept(new OfServer()));
    ManagedChannel channel = simulation.channelBuilder().intercept(new OfClient()).build();
    MadeCall.whole(channel, Texts.UNARY, "hello");
    simulation.run();
    assertThat(LOG).hasSize(2).allMatch(line -> line.matches("test.Texts/Unary OK \\d+"));
    assertThat(statementsOf("interceptor of a server")).isLessThanOrEqualTo(10);
    assertThat(statementsOf("interceptor of a client")).isLessThanOrEqualTo(10);
  }

  @Test
  void anInterceptorThatAddsAHeaderNeedsAtMostThreeStatements() {
    simulation.with(Texts.UNARY, held).serve();
    ManagedChannel channel = simulation.channelBuilder().intercept(new AddingHeader()).build();
    CallOptions options = CallOptions.DEFAULT.withHeader(Metadata.Key.ascii("other"), "stays");
    MadeCall.whole(channel, Texts.UNARY, options, "hello");
    simulation.run();
    assertThat(held.only().headers().getAll(TENANT)).containsExactly("acme");
    assertThat(held.only().headers().get(Metadata.Key.ascii("other"))).hasValue("stays");
    assertThat(statementsOf("header")).isLessThanOrEqualTo(3);
  }

  @Test
  void aHeaderSetByAnInterceptorReplacesThatOfTheCaller() {
    simulation.with(Texts.UNARY, held).serve();
    ManagedChannel channel = simulation.channelBuilder().intercept(new AddingHeader()).build();
    CallOptions options = CallOptions.DEFAULT.withHeader(TENANT, "of the client");
    var unused = AsyncCalls.unary(channel, Texts.UNARY, options, "hello");
    simulation.run();
    assertThat(held.only().headers().getAll(TENANT)).containsExactly("acme");
  }

  @Test
  void anInterceptorOfAServerSeesTheStatusOfAHandlerThatThrows() {
    simulation.with(
        Texts.UNARY,
        BlockingHandlers.unary(request -> {
          throw new IllegalStateException("a secret");
        }));
    Simulation.start(simulation.serverBuilder().intercept(new OfServer()));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "hello");
    simulation.run();
    assertThat(LOG).hasSize(1);
    assertThat(LOG.getFirst()).matches("test.Texts/Unary UNKNOWN: a handler .* threw .* \\d+");
    assertThat(call.status().code()).isEqualTo(Status.Code.UNKNOWN);
  }

  @Test
  void anInterceptorOfAServerSeesTheStatusThatAHandlerFailsWithOnce() {
    simulation.with(Texts.UNARY, held);
    Simulation.start(
        simulation.serverBuilder().intercept(new OfServer()).intercept(new OfServer()));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "hello");
    simulation.run();
    held.only().call().fail(Status.NOT_FOUND.withDescription("no such text").asException());
    simulation.run();
    assertThat(LOG).hasSize(2).allMatch(line -> line.contains("NOT_FOUND: no such text"));
    assertThat(call.status().toString()).isEqualTo("NOT_FOUND: no such text");
  }

  /** Lines that begin or end something: what there would be if no line was too long. */
  private static long statementsOf(String name) {
    return between(name).filter(line -> line.endsWith("{") || line.endsWith(";")).count();
  }

  private static long linesOf(String name) {
    return between(name).count();
  }

  /** The lines between the marks of that name. */
  private static Stream<String> between(String name) {
    Path source =
        Path.of(
            "src/test/java/dev/gannet/suites",
            ShortInterceptorsTest.class.getSimpleName() + ".java");
    try {
      return Files.readAllLines(source).stream()
          .map(String::strip)
          .dropWhile(line -> !line.equals("// begin " + name))
          .skip(1)
          .takeWhile(line -> !line.equals("// end"))
          .filter(line -> !line.isEmpty());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
