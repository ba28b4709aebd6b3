package hello;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ForwardingServerCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.RepeatableClientCall;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.SingleRequestClientCall;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.testing.GannetExtension;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of docs/guide.md about interceptors that do more than look at a call. */
final class GuideInterceptorsTest {
  private static final Metadata.Key<String> TENANT = Metadata.Key.ascii("tenant");

  private final HelloRequest ada = HelloRequest.newBuilder().setName("Ada").build();
  private final HelloReply hello = HelloReply.newBuilder().setMessage("Hello Ada").build();

  @RegisterExtension final GannetExtension gannet = GannetExtension.inProcess();

  /** Says which tenant it serves. */
  private static final class Tenants implements Greeter {
    @Override
    public HelloReply sayHello(HelloRequest request) {
      Metadata headers = CallContext.current().orElseThrow().requestHeaders();
      return HelloReply.newBuilder().setMessage(headers.get(TENANT).orElse("none")).build();
    }
  }

  // begin repeatable call
  record OneRetry() implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      CallOptions shared = options.startingNow(); // one deadline for both calls
      return new RepeatableClientCall<>(method, shared, next) {
        private boolean repeated;

        @Override
        protected ClientCall<Q, R> newCall(Metadata headers) {
          return next.newCall(method, shared);
        }

        @Override
        protected void onUnanswered(Status status, Metadata trailers) {
          if (!repeated && status.code() == Status.Code.UNAVAILABLE) {
            repeated = true;
            repeat(); // now, or later on any thread
          } else {
            end(status, trailers);
          }
        }
      };
    }
  }

  // end

  private record BusyAtFirst(AtomicBoolean asked) implements Greeter {
    @Override
    public HelloReply sayHello(HelloRequest request) {
      if (asked.compareAndSet(false, true)) {
        throw Status.UNAVAILABLE.asException();
      }
      return HelloReply.newBuilder().setMessage("Hello " + request.getName()).build();
    }
  }

  @Test
  void aCallThatIsMadeAgain() {
    ManagedChannel channel = gannet.channelTo(new BusyAtFirst(new AtomicBoolean()));
    GreeterClient greeter = GreeterClient.of(channel).withInterceptors(new OneRetry());
    assertEquals(hello, greeter.sayHello(ada));
  }

  // begin single request call
  record KnownAnswers(Map<Object, Object> known) implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      if (!method.type().clientSendsOneMessage()) {
        return next.newCall(method, options);
      }
      return new SingleRequestClientCall<>(method, options, next) {
        @Override
        @SuppressWarnings("unchecked") // the requests of this method have its responses
        protected ClientCall<Q, R> callFor(Q request, Metadata headers) {
          Object answer = known.get(request);
          return answer == null ? next.newCall(method, options) : answered((R) answer);
        }
      };
    }
  }

  // end

  @Test
  void aCallThatNeedsNoServer() {
    HelloReply known = HelloReply.newBuilder().setMessage("Hello from here").build();
    GreeterClient greeter =
        GreeterClient.of(gannet.channelTo(new MyGreeter()))
            .withInterceptors(new KnownAnswers(Map.of(ada, known)));
    assertEquals(known, greeter.sayHello(ada));
    HelloRequest bob = HelloRequest.newBuilder().setName("Bob").build();
    assertEquals("Hello Bob", greeter.sayHello(bob).getMessage());
  }

  // begin ended call
  record TokenLifetime(Function<Metadata, Duration> left, ScheduledExecutorService timer)
      implements ServerInterceptor {
    private static final Status EXPIRED =
        Status.UNAUTHENTICATED.withDescription("the token has expired");

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      Future<?> expiry =
          timer.schedule(
              () -> call.end(EXPIRED, new Metadata()),
              left.apply(headers).toMillis(),
              TimeUnit.MILLISECONDS);
      return new ForwardingServerCallListener<>(next.startCall(call, headers)) {
        @Override
        public void onComplete() {
          expiry.cancel(false);
          super.onComplete();
        }

        @Override
        public void onCancel() {
          expiry.cancel(false);
          super.onCancel();
        }
      };
    }
  }

  // end

  /** Does not return before it is interrupted, so a test that does not end it fails. */
  private record Waiting() implements Greeter {
    @Override
    public HelloReply sayHello(HelloRequest request) throws InterruptedException {
      new CountDownLatch(1).await();
      throw new AssertionError("never");
    }
  }

  @Test
  void aCallThatLastsLongerThanItsToken() {
    try (ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor()) {
      TokenLifetime lifetime = new TokenLifetime(headers -> Duration.ofMillis(1), timer);
      Server server = gannet.serve(it -> it.add(new Waiting()).intercept(lifetime));
      GreeterClient greeter = GreeterClient.of(gannet.channelTo(server));
      StatusException ended = assertThrows(StatusException.class, () -> greeter.sayHello(ada));
      assertEquals(Status.Code.UNAUTHENTICATED, ended.status().code());
    }
  }

  @Test
  void fixedHeaders() {
    Server server = gannet.serve(it -> it.add(new Tenants()));
    ManagedChannel channel =
        gannet.channelTo(
            server,
            builder -> {
              // begin fixed headers
              builder.intercept(
                  ClientInterceptor.addingHeaders(headers -> headers.set(TENANT, "acme")));
              // end
              return builder;
            });
    assertEquals("acme", GreeterClient.of(channel).sayHello(ada).getMessage());
  }
}
