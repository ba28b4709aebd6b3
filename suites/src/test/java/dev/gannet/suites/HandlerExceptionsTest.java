package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gannet.api.CallContext;
import dev.gannet.api.ForwardingServerCall;
import dev.gannet.api.ForwardingServerCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.Status;
import dev.gannet.api.stub.AsyncHandlers;
import dev.gannet.api.stub.BlockingHandlers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What interceptors see of a method of a generated service that throws, and what they may do. */
final class HandlerExceptionsTest {
  private static final Metadata.Key<String> SHOP = Metadata.Key.ascii("shop");

  private final Simulation simulation = new Simulation();
  private final List<String> seen = new ArrayList<>();

  /** Writes down the end of each call. */
  private final class Ends implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return next.startCall(
          new ForwardingServerCall<>(call) {
            @Override
            public void close(Status status, Metadata trailers) {
              seen.add(status.code().name());
              super.close(status, trailers);
            }
          },
          headers);
    }
  }

  /** What an interceptor does with an exception that it catches. */
  private interface Reaction {
    void to(RuntimeException thrown, ServerCall<?, ?> call);
  }

  private record Catching(Reaction reaction) implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return new ForwardingServerCallListener<>(next.startCall(call, headers)) {
        @Override
        public void onHalfClose() {
          try {
            super.onHalfClose();
          } catch (RuntimeException e) {
            reaction.to(e, call);
          }
        }
      };
    }
  }

  private MadeCall called(
      MethodDescriptor<String, String> method,
      ServerCallHandler<String, String> handler,
      ServerInterceptor... interceptors) {
    var builder = simulation.with(method, handler).serverBuilder();
    for (ServerInterceptor each : interceptors) {
      builder.intercept(each);
    }
    Simulation.start(builder);
    MadeCall call = MadeCall.start(simulation.channel(), method).wants(10).says("a");
    simulation.run();
    return call;
  }

  private static String fails(boolean withError) {
    if (withError) {
      throw new AssertionError("a mistake");
    }
    throw new IllegalStateException("a mistake");
  }

  static Stream<Arguments> handlers() {
    return Stream.of(false, true).flatMap(HandlerExceptionsTest::handlers);
  }

  private static Stream<Arguments> handlers(boolean error) {
    return Stream.of(
        Arguments.of(Texts.UNARY, BlockingHandlers.<String, String>unary(q -> fails(error))),
        Arguments.of(
            Texts.SERVER_STREAMING,
            BlockingHandlers.<String, String>serverStreaming((q, out) -> out.send(fails(error)))),
        Arguments.of(
            Texts.CLIENT_STREAMING,
            BlockingHandlers.<String, String>clientStreaming(in -> fails(error))),
        Arguments.of(
            Texts.BIDI,
            BlockingHandlers.<String, String>bidiStreaming((in, out) -> out.send(fails(error)))),
        Arguments.of(
            Texts.UNARY,
            AsyncHandlers.<String, String>unary(
                q -> CompletableFuture.completedFuture(fails(error)))),
        Arguments.of(
            Texts.BIDI,
            AsyncHandlers.<String, String>bidiStreaming(in -> Texter.of(fails(error)))));
  }

  @ParameterizedTest
  @MethodSource("handlers")
  void theStatusOfWhateverIsThrownPassesClose(
      MethodDescriptor<String, String> method, ServerCallHandler<String, String> handler) {
    MadeCall call = called(method, handler, new Ends());
    assertThat(call.code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(seen).containsExactly("UNKNOWN");
  }

  private MadeCall caught(Reaction reaction) {
    return called(
        Texts.UNARY,
        BlockingHandlers.unary(request -> fails(false)),
        new Catching(reaction),
        new Ends());
  }

  @Test
  void aListenerMayCatchTheExceptionAndCloseTheCall() {
    MadeCall call =
        caught((thrown, its) ->
            its.close(
                Status.INVALID_ARGUMENT.withDescription(thrown.getMessage()), new Metadata()));
    assertThat(call.status().toString()).isEqualTo("INVALID_ARGUMENT: a mistake");
    assertThat(seen).isEmpty(); // it closed the call that it was given itself
  }

  @Test
  void aListenerMayThrowAnotherException() {
    MadeCall call =
        caught((thrown, its) -> {
          throw Status.NOT_FOUND.asException();
        });
    assertThat(call.code()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(seen).containsExactly("NOT_FOUND");
  }

  @Test
  void aCallThatAListenerHasClosedIsNotClosedAgain() {
    Reaction reaction =
        (thrown, its) -> {
          its.close(Status.INVALID_ARGUMENT, new Metadata());
          throw thrown;
        };
    MadeCall call =
        called(
            Texts.UNARY,
            BlockingHandlers.unary(request -> fails(false)),
            new Ends(),
            new Catching(reaction));
    assertThat(call.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(seen).containsExactly("INVALID_ARGUMENT");
  }

  /** Throws what it does not declare, as code in other languages may. */
  private static final class Sneaky implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return next.startCall(
          new ForwardingServerCall<>(call) {
            @Override
            public void close(Status status, Metadata trailers) {
              throw Sneaky.<RuntimeException>unchecked(new IOException("no file"));
            }

            @Override
            public boolean isCancelled() {
              throw new IllegalStateException("broken");
            }
          },
          headers);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the cast is erased
    private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
      throw (E) thrown;
    }
  }

  @Test
  void aBrokenInterceptorDoesNotKeepACallOpen() {
    MadeCall call =
        called(Texts.UNARY, BlockingHandlers.unary(request -> fails(false)), new Sneaky());
    assertThat(call.code()).isEqualTo(Status.Code.UNKNOWN);
  }

  @Test
  void anExceptionThatAListenerSwallowsEndsTheCall() {
    MadeCall call = caught((thrown, its) -> {});
    assertThat(call.code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(seen).containsExactly("UNKNOWN");
  }

  /** Adds a header to each response. */
  private static final class Adding implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return next.startCall(
          new ForwardingServerCall<>(call) {
            @Override
            public void sendHeaders(Metadata headers) {
              headers.set(SHOP, "one");
              super.sendHeaders(headers);
            }
          },
          headers);
    }
  }

  static Stream<Arguments> answers() {
    return Stream.of(
        Arguments.of(Texts.UNARY, BlockingHandlers.<String, String>unary(q -> q)),
        Arguments.of(
            Texts.SERVER_STREAMING,
            BlockingHandlers.<String, String>serverStreaming((q, out) -> out.send(q))),
        Arguments.of(
            Texts.SERVER_STREAMING,
            AsyncHandlers.<String, String>serverStreaming(q -> Texter.of(q))));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void interceptorsSeeTheHeadersOfEveryResponse(
      MethodDescriptor<String, String> method, ServerCallHandler<String, String> handler) {
    MadeCall call = called(method, handler, new Adding());
    assertThat(call.messages()).containsExactly("a");
    assertThat(call.heard().headers().orElseThrow().get(SHOP)).hasValue("one");
  }

  /** Adds a header to each response, with a call that implements the interface itself. */
  private static final class AddingByItself implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return next.startCall(new OwnCall<>(call), headers);
    }
  }

  /** Extends nothing. */
  private record OwnCall<Q, R>(ServerCall<Q, R> delegate) implements ServerCall<Q, R> {
    @Override
    public MethodDescriptor<Q, R> method() {
      return delegate.method();
    }

    @Override
    public CallContext context() {
      return delegate.context();
    }

    @Override
    public void request(int messages) {
      delegate.request(messages);
    }

    @Override
    public void sendHeaders(Metadata headers) {
      headers.set(SHOP, "one");
      delegate.sendHeaders(headers);
    }

    @Override
    public boolean hasSentHeaders() {
      return delegate.hasSentHeaders();
    }

    @Override
    public void sendMessage(R message) {
      delegate.sendMessage(message);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      delegate.close(status, trailers);
    }

    @Override
    public void fail(Throwable thrown) {
      ServerCall.closeWith(this, thrown);
      delegate.fail(thrown);
    }

    @Override
    public boolean isReady() {
      return delegate.isReady();
    }

    @Override
    public boolean isCancelled() {
      return delegate.isCancelled();
    }

    @Override
    public void setCompression(String encoding) {
      delegate.setCompression(encoding);
    }

    @Override
    public void setMessageCompression(boolean enabled) {
      delegate.setMessageCompression(enabled);
    }

    @Override
    public void awaitEvent(BooleanSupplier until) throws InterruptedException {
      delegate.awaitEvent(until);
    }

    @Override
    public void awaitEvent(BooleanSupplier until, Duration atMost) throws InterruptedException {
      delegate.awaitEvent(until, atMost);
    }
  }

  @ParameterizedTest
  @MethodSource("answers")
  void theOwnCallOfAnInterceptorSeesTheHeadersOfEveryResponse(
      MethodDescriptor<String, String> method, ServerCallHandler<String, String> handler) {
    MadeCall call = called(method, handler, new AddingByItself());
    assertThat(call.messages()).containsExactly("a");
    assertThat(call.heard().headers().orElseThrow().get(SHOP)).hasValue("one");
  }

  @Test
  void theOwnCallOfAnInterceptorIsClosedWithATranslatedStatus() {
    MadeCall call =
        called(
            Texts.UNARY,
            AsyncHandlers.unary(q -> CompletableFuture.failedFuture(new IOException("no file"))),
            new Ends(),
            ServerInterceptor.translating(e -> Optional.of(Status.NOT_FOUND.asException())),
            new AddingByItself());
    assertThat(call.code()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(seen).containsOnly("NOT_FOUND");
  }

  @Test
  void anOwnCallThatKnowsNoEndIsClosed() {
    ServerInterceptor ending =
        new ServerInterceptor() {
          @Override
          public <Q, R> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            assertThatIllegalArgumentException()
                .isThrownBy(() -> call.end(Status.OK, new Metadata()));
            call.end(Status.NOT_FOUND, new Metadata());
            return new ServerCall.Listener<>() {};
          }
        };
    MadeCall call =
        called(
            Texts.UNARY, BlockingHandlers.unary(q -> q), new Ends(), new AddingByItself(), ending);
    assertThat(call.code()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(seen).containsExactly("NOT_FOUND");
  }

  @Test
  void anOwnCallAroundHeadersThatWereSentSendsThemNotAgain() {
    ServerInterceptor sending =
        new ServerInterceptor() {
          @Override
          public <Q, R> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            call.sendHeaders(new Metadata());
            return next.startCall(call, headers);
          }
        };
    MadeCall call =
        called(
            Texts.UNARY,
            BlockingHandlers.unary(q -> q),
            new Adding(),
            sending,
            new AddingByItself());
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void headersThatAnInterceptorHasSentAreNotSentAgain() {
    ServerCallHandler<String, String> handler = BlockingHandlers.unary(q -> q);
    MadeCall call =
        called(
            Texts.UNARY,
            (given, headers) -> {
              given.sendHeaders(new Metadata());
              return handler.startCall(given, headers);
            },
            new Adding());
    assertThat(call.status()).isEqualTo(Status.OK);
  }
}
