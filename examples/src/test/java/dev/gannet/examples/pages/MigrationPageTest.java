package dev.gannet.examples.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.rpc.BadRequest;
import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.CallParent;
import dev.gannet.api.CallScope;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.ClientCallStreamObserver;
import dev.gannet.api.stub.ClientResponseObserver;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import dev.gannet.api.stub.Response;
import dev.gannet.api.stub.StreamObserver;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.examples.greeter.Greeter;
import dev.gannet.examples.greeter.GreeterAsync;
import dev.gannet.examples.greeter.GreeterAsyncClient;
import dev.gannet.examples.greeter.GreeterClient;
import dev.gannet.examples.greeter.GreeterMethods;
import dev.gannet.examples.greeter.GreeterObserverClient;
import dev.gannet.examples.greeter.GroupReply;
import dev.gannet.examples.greeter.HelloReply;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.examples.greeter.MyGreeter;
import dev.gannet.examples.greeter.RepeatRequest;
import dev.gannet.protobuf.ProtobufMetadata;
import dev.gannet.server.Server;
import dev.gannet.status.DetailedStatus;
import dev.gannet.testing.FakeServer;
import dev.gannet.testing.GannetExtension;
import dev.gannet.testing.Reply;
import dev.gannet.testing.StreamRecorder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Gannet's side of {@code docs/from-grpc-java.md}, between marks; see {@link PagesTest}. */
@Timeout(60)
final class MigrationPageTest {
  private static final HelloRequest ada = HelloRequest.newBuilder().setName("Ada").build();
  private static final HelloReply hello = HelloReply.newBuilder().setMessage("Hello Ada").build();
  private static final Metadata.Key<String> TENANT = Metadata.Key.ascii("tenant");
  private static final CallContext.Key<String> JOB = CallContext.Key.of("job");

  @RegisterExtension final GannetExtension gannet = GannetExtension.onLoopback();

  private GreeterClient greeter() {
    return GreeterClient.of(gannet.channelTo(new MyGreeter()));
  }

  // begin service
  static final class FriendlyGreeter implements Greeter {
    @Override
    public HelloReply sayHello(HelloRequest request) {
      if (request.getName().isEmpty()) {
        throw Status.INVALID_ARGUMENT.withDescription("a name is needed").asException();
      }
      return HelloReply.newBuilder().setMessage("Hello " + request.getName()).build();
    }

    @Override
    public void converse(Incoming<HelloRequest> requests, Outgoing<HelloReply> responses) {
      for (HelloRequest request : requests) {
        responses.send(sayHello(request)); // blocks while the client does not read
      }
    } // the call ends when the method returns
  }

  // end

  @Test
  void aServer() throws IOException {
    int port = 0;
    // begin server
    Server server = Server.builder(port).plaintext().add(new FriendlyGreeter()).start();
    ManagedChannel channel = ManagedChannel.builder("localhost", server.port()).plaintext().build();
    // end
    assertEquals(hello, GreeterClient.of(channel).sayHello(ada));
    assertThrows(
        StatusException.class,
        () -> GreeterClient.of(channel).sayHello(HelloRequest.getDefaultInstance()));
    try (var call = GreeterClient.of(channel).converse()) {
      call.send(ada);
      assertEquals(hello, call.next());
    }
    channel.close();
    server.close();
  }

  @Test
  void aBlockingClient() {
    ManagedChannel channel = gannet.channelTo(new MyGreeter());
    List<String> messages = new ArrayList<>();
    RepeatRequest request = RepeatRequest.newBuilder().setName("Ada").setTimes(3).build();
    // begin blocking client
    GreeterClient greeter = GreeterClient.of(channel).withDeadline(Duration.ofSeconds(5));
    HelloReply reply = greeter.sayHello(ada);

    try (Incoming<HelloReply> replies = greeter.repeatHello(request)) {
      for (HelloReply each : replies) {
        messages.add(each.getMessage());
      }
    } // leaving the block early cancels the call
    // end
    assertEquals(hello, reply);
    assertEquals(3, messages.size());
  }

  @Test
  void aBidiClient() {
    GreeterClient greeter = greeter();
    // begin bidi client
    try (BidiStreamingCall<HelloRequest, HelloReply> call = greeter.converse()) {
      call.send(ada); // blocks while the server does not read
      HelloReply reply = call.next();
      assertEquals("Hello Ada", reply.getMessage());
      call.halfClose();
      assertEquals(false, call.hasNext()); // the end; a failure would throw
    }
    // end
  }

  @Test
  void anAsyncClient() throws InterruptedException {
    ManagedChannel channel = gannet.channelTo(new MyGreeter());
    RepeatRequest request = RepeatRequest.newBuilder().setName("Ada").setTimes(3).build();
    StreamRecorder<HelloReply> subscriber = StreamRecorder.create();
    // begin async client
    GreeterAsyncClient greeter = GreeterAsyncClient.of(channel);
    CompletableFuture<HelloReply> reply = greeter.sayHello(ada); // cancel(true) cancels the call
    greeter.repeatHello(request).subscribe(subscriber); // a Flow.Subscriber
    // end
    assertEquals(hello, reply.join());
    assertEquals(3, subscriber.awaitCompletion(Duration.ofSeconds(10)).size());
  }

  // begin server interceptor
  static final class Tenants implements ServerInterceptor {
    static final CallContext.Key<String> NAME = CallContext.Key.of("tenant");

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      String tenant = headers.get(TENANT).orElseThrow(() -> Status.UNAUTHENTICATED.asException());
      call.context().setValue(NAME, tenant);
      return next.startCall(call, headers);
    }
  }

  // end

  // begin client interceptor
  static ClientInterceptor ofTenant(String name) {
    return ClientInterceptor.addingHeaders(headers -> headers.set(TENANT, name));
  }

  // end

  static final class TenantGreeter implements Greeter {
    @Override
    public HelloReply sayHello(HelloRequest request) {
      // begin context
      String tenant = CallContext.current().flatMap(it -> it.value(Tenants.NAME)).orElse("nobody");
      // end
      return HelloReply.newBuilder().setMessage("Hello " + tenant).build();
    }
  }

  @Test
  void interceptors() {
    Server server = gannet.serve(it -> it.intercept(new Tenants()).add(new TenantGreeter()));
    GreeterClient greeter =
        GreeterClient.of(gannet.channelTo(server, it -> it.intercept(ofTenant("acme"))));
    assertEquals("Hello acme", greeter.sayHello(ada).getMessage());
  }

  @Test
  void metadata() {
    GreeterClient greeter = greeter();
    // begin metadata
    Metadata metadata = new Metadata();
    metadata.set(TENANT, "acme"); // in place of what is there; add() adds
    Response<HelloReply> response =
        greeter.withMetadata(metadata).response(GreeterMethods.SAY_HELLO, ada);
    response.headers(); // and response.trailers(), for good calls
    // end
    assertEquals(hello, response.message());
  }

  @Test
  void deadlines() {
    GreeterClient greeter = greeter();
    // begin deadlines
    greeter.withDeadline(Duration.ofSeconds(5)); // each call, counted from its own start
    greeter.withDeadline(Deadline.after(Duration.ofSeconds(5))); // all calls, from now
    // end
  }

  @Test
  void errorDetails() {
    FakeServer fake = gannet.fake(new Greeter() {});
    Metadata.Key<HelloReply> details = ProtobufMetadata.key(hello);
    Metadata trailers = new Metadata();
    trailers.set(details, hello);
    fake.on(
        GreeterMethods.SAY_HELLO,
        Reply.<HelloReply>failure(Status.NOT_FOUND.withDescription("nobody"))
            .withTrailers(trailers));
    GreeterClient greeter = GreeterClient.of(gannet.channelTo(fake.address()));
    // begin errors
    Metadata.Key<HelloReply> DETAILS = ProtobufMetadata.key(HelloReply.getDefaultInstance());
    try {
      greeter.sayHello(ada);
    } catch (StatusException e) { // unchecked, and the only one
      Status status = e.status(); // NOT_FOUND: nobody
      HelloReply sent = e.trailers().get(DETAILS).orElseThrow();
      assertEquals(Status.Code.NOT_FOUND, status.code());
      assertEquals(hello, sent);
    }
    // end
  }

  @Test
  void callsThatBelongTogether() throws Exception {
    List<HelloRequest> requests = List.of(ada, ada);
    List<String> jobs = new CopyOnWriteArrayList<>();
    ClientInterceptor looking =
        ClientInterceptor.addingHeaders(
            headers -> jobs.add(CallParent.current().flatMap(it -> it.value(JOB)).orElse("none")));
    GreeterAsyncClient greeter =
        GreeterAsyncClient.of(gannet.channelTo(new MyGreeter())).withInterceptors(looking);
    // begin call scope
    try (CallScope batch =
        CallScope.builder().deadline(Duration.ofSeconds(30)).value(JOB, "nightly").open()) {
      List<CompletableFuture<HelloReply>> replies =
          batch.call(() -> requests.stream().map(greeter::sayHello).toList());
      replies.forEach(CompletableFuture::join);
    } // cancels the calls that still run
    // end
    assertEquals(List.of("nightly", "nightly"), jobs);
  }

  @Test
  void balancing() throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Server one = Server.builder(any).add(new MyGreeter()).start();
        Server other = Server.builder(any).add(new MyGreeter()).start()) {
      List<InetSocketAddress> addresses =
          List.of(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), one.port()),
              new InetSocketAddress(InetAddress.getLoopbackAddress(), other.port()));
      // begin balancing
      ManagedChannel channel =
          ManagedChannel.builder("greeter.example.com:50051")
              .addresses(addresses) // without this, the name is looked up
              .roundRobin()
              .plaintext()
              .build();
      // end
      assertEquals(hello, GreeterClient.of(channel).sayHello(ada));
      assertEquals(ConnectivityState.READY, channel.state());
      channel.close();
    }
  }

  @Test
  void shutdown() throws IOException, InterruptedException {
    Server server = Server.builder(0).plaintext().add(new MyGreeter()).start();
    ManagedChannel channel = ManagedChannel.builder("localhost", server.port()).plaintext().build();
    // begin shutdown
    channel.close(); // shutdown(), 5 s for calls that run, then shutdownNow()
    server.shutdown(); // GOAWAY; calls that run may end
    if (!server.awaitTermination(Duration.ofSeconds(20))) {
      server.shutdownNow();
    }
    // end
    assertTrue(server.isTerminated());
  }

  // begin async service
  record LaterGreeter() implements GreeterAsync {
    @Override
    public CompletionStage<HelloReply> sayHello(HelloRequest request) {
      return CompletableFuture.supplyAsync(() -> greetingOf(request)); // a database's future, say
    }

    @Override
    public Flow.Publisher<HelloReply> converse(Flow.Publisher<HelloRequest> requests) {
      return new Greetings(requests); // requests as many names as its subscriber requests
    }
  }

  // end

  private static HelloReply greetingOf(HelloRequest request) {
    return HelloReply.newBuilder().setMessage("Hello " + request.getName()).build();
  }

  private record Greetings(Flow.Publisher<HelloRequest> requests)
      implements Flow.Publisher<HelloReply> {
    @Override
    public void subscribe(Flow.Subscriber<? super HelloReply> subscriber) {
      requests.subscribe(new Greeting(subscriber));
    }
  }

  private record Greeting(Flow.Subscriber<? super HelloReply> replies)
      implements Flow.Subscriber<HelloRequest> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      replies.onSubscribe(subscription);
    }

    @Override
    public void onNext(HelloRequest request) {
      replies.onNext(greetingOf(request));
    }

    @Override
    public void onError(Throwable thrown) {
      replies.onError(thrown);
    }

    @Override
    public void onComplete() {
      replies.onComplete();
    }
  }

  @Test
  void anAsynchronousService() {
    GreeterClient greeter = GreeterClient.of(gannet.channelTo(new LaterGreeter()));
    assertEquals(hello, greeter.sayHello(ada));
    try (var call = greeter.converse()) {
      call.send(ada);
      assertEquals(hello, call.next());
      call.halfClose();
      assertEquals(false, call.hasNext());
    }
  }

  @Test
  void aStreamingClient() throws InterruptedException {
    GreeterAsyncClient greeter = GreeterAsyncClient.of(gannet.channelTo(new MyGreeter()));
    StreamRecorder<HelloReply> subscriber = StreamRecorder.create();
    // begin streaming client
    SubmissionPublisher<HelloRequest> names = new SubmissionPublisher<>();
    CompletableFuture<GroupReply> reply = greeter.greetAll(names);
    names.submit(ada); // blocks while the call is not ready
    names.close(); // the half-close
    assertEquals(1, reply.join().getNames());

    SubmissionPublisher<HelloRequest> requests = new SubmissionPublisher<>();
    greeter.converse(requests).subscribe(subscriber); // the call begins here
    requests.submit(ada);
    requests.close();
    // end
    assertEquals(List.of(hello), subscriber.awaitCompletion(Duration.ofSeconds(10)));
  }

  // begin observer
  static final class Asking implements ClientResponseObserver<HelloRequest, HelloReply> {
    final Queue<String> heard = new ConcurrentLinkedQueue<>();
    final CountDownLatch ended = new CountDownLatch(1);
    private ClientCallStreamObserver<HelloRequest> call;

    @Override
    public void beforeStart(ClientCallStreamObserver<HelloRequest> requests) {
      call = requests;
      call.disableAutoRequestWithInitial(1);
      call.setOnReadyHandler(() -> heard.add("ready"));
    }

    @Override
    public void onNext(HelloReply reply) {
      heard.add(reply.getMessage());
      call.request(1);
    }

    @Override
    public void onError(Throwable t) { // a StatusException
      ended.countDown();
    }

    @Override
    public void onCompleted() {
      ended.countDown();
    }
  }

  // end

  @Test
  void anObserverClient() throws InterruptedException {
    ManagedChannel channel = gannet.channelTo(new MyGreeter());
    // begin observer client
    Asking asking = new Asking();
    StreamObserver<HelloRequest> requests = GreeterObserverClient.of(channel).converse(asking);
    requests.onNext(ada);
    requests.onCompleted();
    // end
    assertTrue(asking.ended.await(10, TimeUnit.SECONDS));
    assertTrue(asking.heard.contains("Hello Ada"));
  }

  @Test
  void theOrderOfInterceptors() {
    List<String> seen = new CopyOnWriteArrayList<>();
    Server server = gannet.serve(new MyGreeter());
    // begin interceptor order
    ManagedChannel channel =
        gannet.channelTo(
            server,
            it -> it.intercept(new Named("first", seen)).intercept(new Named("second", seen)));
    GreeterClient.of(channel).sayHello(ada);
    assertEquals(List.of("first", "second"), seen); // grpc-java: second, first
    // end
  }

  private record Named(String name, List<String> seen) implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      seen.add(name);
      return next.newCall(method, options);
    }
  }

  // begin detailed service
  record CheckingGreeter() implements Greeter {
    @Override
    public HelloReply sayHello(HelloRequest request) {
      throw DetailedStatus.of(
              Status.INVALID_ARGUMENT, it -> it.violatedField("name", "must not be empty"))
          .asException();
    }
  }

  // end

  @Test
  void detailedStatuses() {
    GreeterClient greeter = GreeterClient.of(gannet.channelTo(new CheckingGreeter()));
    // begin detailed client
    try {
      greeter.sayHello(ada);
    } catch (StatusException e) {
      BadRequest.FieldViolation wrong = DetailedStatus.of(e).violatedFields().getFirst();
      assertEquals("name", wrong.getField());
    }
    // end
  }

  @Test
  void retries() throws InterruptedException {
    FakeServer fake = gannet.fake(new Greeter() {});
    fake.on(GreeterMethods.SAY_HELLO, Reply.failure(Status.UNAVAILABLE), Reply.of(hello));
    InetSocketAddress address = (InetSocketAddress) fake.address();
    // begin retries
    RetryPolicy policy =
        RetryPolicy.of(4, Status.Code.UNAVAILABLE)
            .withInitialBackoff(Duration.ofMillis(100))
            .withMaxBackoff(Duration.ofSeconds(1))
            .withBackoffMultiplier(2);
    MethodConfig ofAll = MethodConfig.builder().retryPolicy(policy).build();
    ManagedChannel channel =
        ManagedChannel.builder(address)
            .plaintext()
            .defaultServiceConfig(ServiceConfig.builder().forAllMethods(ofAll).build())
            .build();
    // end
    assertEquals(hello, GreeterClient.of(channel).sayHello(ada));
    channel.close();
  }

  // begin testing
  static final class HelloTest {
    @RegisterExtension final GannetExtension gannet = GannetExtension.inProcess();

    @Test
    void greetsByName() {
      GreeterClient greeter = GreeterClient.of(gannet.channelTo(new FriendlyGreeter()));
      assertEquals("Hello Ada", greeter.sayHello(ada).getMessage());
    } // what is left open fails the test
  }

  // end

  @Nested
  final class RunsHelloTest {
    private final HelloTest test = new HelloTest();

    @RegisterExtension final GannetExtension ofTest = test.gannet;

    @Test
    @SuppressWarnings("JUnitMethodInvoked") // it is shown as a test of its own
    void greetsByName() {
      test.greetsByName();
    }
  }
}
