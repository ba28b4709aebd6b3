package hello;

import static dev.gannet.api.Status.Code.UNAUTHENTICATED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gannet.api.AsyncHeadersInterceptor;
import dev.gannet.api.CallContext;
import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallLimit;
import dev.gannet.api.CallScope;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.CompressorRegistry;
import dev.gannet.api.DecompressorRegistry;
import dev.gannet.api.Dispatch;
import dev.gannet.api.HeadersInterceptor;
import dev.gannet.api.Metadata;
import dev.gannet.api.Pem;
import dev.gannet.api.Registration;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.TestCallContext;
import dev.gannet.api.TlsIdentity;
import dev.gannet.api.stub.AsyncHandlers;
import dev.gannet.api.transport.HttpProxy;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.RetryThrottling;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.services.ChannelzService;
import dev.gannet.services.HealthService;
import dev.gannet.services.HealthStatus;
import dev.gannet.services.ReflectionService;
import dev.gannet.services.channelz.v1.ChannelzClient;
import dev.gannet.services.channelz.v1.GetServersRequest;
import dev.gannet.services.health.v1.HealthCheckRequest;
import dev.gannet.services.health.v1.HealthClient;
import dev.gannet.testing.GannetExtension;
import dev.gannet.testing.StreamRecorder;
import dev.gannet.transport.inprocess.InProcessAddress;
import dev.gannet.zstd.ZstdCodec;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The Java examples of docs/guide.md: {@code PagesTest} compares them. */
@SuppressWarnings({"FutureReturnValueIgnored", "UnusedVariable"}) // they show, and do not use
final class GuidePageTest {
  private static final Logger LOG = System.getLogger(GuidePageTest.class.getName());
  private static final Metadata.Key<String> TOKEN = Metadata.Key.ascii("token");
  private static final CallContext.Key<String> JOB = CallContext.Key.of("job");

  private final HelloRequest ada = HelloRequest.newBuilder().setName("Ada").build();
  private final HelloReply hello = HelloReply.newBuilder().setMessage("Hello Ada").build();

  @RegisterExtension final GannetExtension gannet = GannetExtension.inProcess();

  record User(String name) {}

  @Test
  void asynchronousCalls() throws InterruptedException {
    ManagedChannel channel = gannet.channelTo(new MyGreeter());
    CountRequest toThree = CountRequest.newBuilder().setTo(3).build();
    StreamRecorder<HelloReply> mySubscriber = StreamRecorder.create();
    // begin asynchronous
    GreeterAsyncClient greeter = GreeterAsyncClient.of(channel).withDeadline(Duration.ofSeconds(5));

    CompletableFuture<HelloReply> hello = greeter.sayHello(ada);
    hello.thenAccept(reply -> System.out.println(reply.getMessage()));
    hello.cancel(true); // cancels the call

    Flow.Publisher<HelloReply> replies = greeter.count(toThree); // a call per subscription
    replies.subscribe(mySubscriber); // its request(n) is the call's back-pressure
    // end
    assertTrue(hello.isDone());
    assertEquals(3, mySubscriber.awaitCompletion(Duration.ofSeconds(10)).size());
  }

  // begin mixed
  record MixedGreeter() implements Greeter {
    @Override
    public ServerServiceDefinition bindService() {
      return Greeter.super
          .bindService()
          .with(GreeterMethods.SAY_HELLO, AsyncHandlers.unary(this::sayHelloLater));
    }

    private CompletableFuture<HelloReply> sayHelloLater(HelloRequest request) {
      return CompletableFuture.completedFuture(
          HelloReply.newBuilder().setMessage("Hello " + request.getName()).build());
    }
  }

  // end

  @Test
  void aServiceMixesStyles() {
    assertEquals(hello, GreeterClient.of(gannet.channelTo(new MixedGreeter())).sayHello(ada));
  }

  static void tls() throws IOException {
    // begin tls
    TlsIdentity identity =
        TlsIdentity.of(Pem.of(Path.of("server.pem")), Pem.of(Path.of("server.key")));
    Server.builder(50051).credentials(ServerCredentials.tls(identity)).add(new MyGreeter()).start();

    // Trusts the certificate authorities of the JVM.
    ManagedChannel.builder("greeter.example.com:50051").build();
    // Trusts the certificate authorities in a file.
    ChannelCredentials ours = ChannelCredentials.tls().withTrust(Pem.of(Path.of("ca.pem")));
    ManagedChannel.builder("localhost:50051").credentials(ours).build();
    // end
  }

  static void mutualTls(TlsIdentity identity) throws IOException {
    // begin mutual tls
    Pem authority = Pem.of(Path.of("ca.pem"));
    ServerCredentials mutual =
        ServerCredentials.tls(identity)
            .withClientAuth(ServerCredentials.ClientAuth.REQUIRE, authority);
    ChannelCredentials mine = ChannelCredentials.tls().withTrust(authority).withIdentity(identity);
    // end
    Server.builder(50051).credentials(mutual).add(new MyGreeter()).start();
    ManagedChannel.builder("localhost:50051").credentials(mine).build();
  }

  static void callCredentials(GreeterClient client, HelloRequest request) {
    // begin call credentials
    // The file is read again when it changes.
    CallCredentials token = CallCredentials.tokenFile(Path.of("/var/run/secrets/tokens/greeter"));
    ManagedChannel channel =
        ManagedChannel.builder("greeter.example.com:443")
            .credentials(ChannelCredentials.tls().withCallCredentials(token))
            .build();

    // For one client, in addition to those of the channel.
    client.withCallCredentials(CallCredentials.bearer("...")).sayHello(request);
    // end
  }

  /** Reads secrets, and may block. */
  private interface Vault {
    String readSecret() throws IOException;
  }

  private static CallCredentials blockingCredentials(Vault vault) {
    // begin blocking credentials
    CallCredentials secrets =
        CallCredentials.blocking(request -> {
          Metadata headers = new Metadata();
          headers.set(TOKEN, vault.readSecret()); // on a virtual thread
          return headers;
        });
    // end
    return secrets;
  }

  @Test
  void credentialsMayBlock() {
    Map<String, User> users = Map.of("secret", new User("Ada"));
    Server server = gannet.serve(it -> it.intercept(new Authentication(users)).add(new Personal()));
    GreeterClient greeter = GreeterClient.of(gannet.channelTo(server));
    CallCredentials secrets = blockingCredentials(() -> "secret");
    assertEquals(hello, greeter.withCallCredentials(secrets).sayHello(ada));
  }

  // begin refused tokens
  /** Keeps a token until a server refuses it. */
  static final class KeptToken implements CallCredentials {
    private final Supplier<CompletableFuture<Metadata>> identityProvider;
    private CompletableFuture<Metadata> headers;

    KeptToken(Supplier<CompletableFuture<Metadata>> identityProvider) {
      this.identityProvider = identityProvider;
      this.headers = identityProvider.get();
    }

    @Override
    public synchronized CompletionStage<Metadata> headersFor(Request request) {
      if (headers.isCompletedExceptionally() || isRefused(request)) {
        headers = identityProvider.get();
      }
      return headers;
    }

    /** Not if another call has already replaced the token that was refused. */
    private boolean isRefused(Request request) {
      return request.previousFailure().filter(it -> it.code() == UNAUTHENTICATED).isPresent()
          && headers.isDone()
          && headers.join().get(TOKEN).equals(request.previousHeaders().get(TOKEN));
    }
  }

  // end

  @Test
  void aTokenThatTheServerRefusesIsRenewed() {
    Server server =
        gannet.serve(it ->
            it.intercept(new Authentication(Map.of("new", new User("Ada")))).add(new Personal()));
    RetryPolicy retries =
        RetryPolicy.of(2, UNAUTHENTICATED)
            .withInitialBackoff(Duration.ofMillis(1))
            .withMaxBackoff(Duration.ofMillis(1))
            .withBackoffMultiplier(1);
    ServiceConfig config =
        ServiceConfig.builder()
            .forAllMethods(MethodConfig.builder().retryPolicy(retries).build())
            .build();
    Iterator<String> tokens = List.of("old", "new").iterator();
    KeptToken token =
        new KeptToken(() -> {
          Metadata headers = new Metadata();
          headers.set(TOKEN, tokens.next());
          return CompletableFuture.completedFuture(headers);
        });
    GreeterClient greeter =
        GreeterClient.of(gannet.channelTo(server, it -> it.defaultServiceConfig(config)))
            .withCallCredentials(token);
    assertEquals(hello, greeter.sayHello(HelloRequest.getDefaultInstance()));
    assertEquals(hello, greeter.sayHello(HelloRequest.getDefaultInstance()));
  }

  static void proxies() {
    // begin proxies
    HttpProxy proxy = HttpProxy.of("proxy.example.com", 3128);
    ManagedChannel.builder("greeter.example.com:443").proxy(proxy).build();
    ManagedChannel.builder("greeter.example.com:443").noProxy().build(); // ignores the JVM's proxy
    // end
  }

  @Test
  void deadlines() {
    GreeterClient greeter = GreeterClient.of(gannet.channelTo(new MyGreeter()));
    // begin deadlines
    GreeterClient hurried = greeter.withDeadline(Duration.ofMillis(500)); // for each call
    // end
    assertEquals(Duration.ofMillis(500), hurried.options().deadlineAfter().orElseThrow());
  }

  @Test
  void callsThatBelongTogether() throws Exception {
    GreeterAsyncClient greeter = GreeterAsyncClient.of(gannet.channelTo(new MyGreeter()));
    List<HelloRequest> requests = List.of(ada, ada);
    List<String> messages = new ArrayList<>();
    // begin call scope
    try (CallScope scope =
        CallScope.builder().deadline(Duration.ofSeconds(30)).value(JOB, "nightly").open()) {
      List<CompletableFuture<HelloReply>> replies =
          scope.call(() -> requests.stream().map(greeter::sayHello).toList());
      for (CompletableFuture<HelloReply> reply : replies) {
        messages.add(reply.join().getMessage());
      }
    } // cancels what still runs, for example after one call has failed
    // end
    assertEquals(List.of("Hello Ada", "Hello Ada"), messages);
  }

  @Test
  void compression() {
    // begin compression
    var codec = ZstdCodec.DEFAULT; // module gannet-zstd
    ServerBuilder builder =
        Server.builder(50051)
            .plaintext()
            .decompressorRegistry(DecompressorRegistry.DEFAULT.with(codec))
            .compressorRegistry(CompressorRegistry.DEFAULT.with(codec));
    // end
    assertEquals("zstd", codec.messageEncoding());
  }

  static void balancing(List<InetSocketAddress> known) {
    // begin balancing
    // Uses each address in turn.
    ManagedChannel.builder("dns:///greeter.example.com:50051").roundRobin().build();
    ManagedChannel.builder("ipv4:192.0.2.1:50051,192.0.2.2:50051").roundRobin().plaintext().build();
    // No lookup: the target is only used as the name of the servers.
    ManagedChannel.builder("greeter.example.com:50051").addresses(known).build();
    // end
  }

  @Test
  void serviceConfig() {
    // begin service config
    RetryPolicy retries =
        RetryPolicy.of(4, Status.Code.UNAVAILABLE)
            .withInitialBackoff(Duration.ofMillis(100))
            .withMaxBackoff(Duration.ofSeconds(1))
            .withBackoffMultiplier(2);
    ServiceConfig config =
        ServiceConfig.builder()
            .forService(
                "hello.Greeter",
                MethodConfig.builder().timeout(Duration.ofSeconds(2)).retryPolicy(retries).build())
            .retryThrottling(RetryThrottling.of(10, 0.1))
            .build();
    ManagedChannel channel =
        ManagedChannel.builder("localhost:50051").plaintext().defaultServiceConfig(config).build();
    // end
    channel.close();
    assertEquals(4, retries.maxAttempts());
  }

  // begin interceptor
  static final CallContext.Key<User> USER = CallContext.Key.of("user");

  record Authentication(Map<String, User> usersByToken) implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      User user =
          headers
              .get(TOKEN)
              .map(usersByToken::get)
              .orElseThrow(() -> Status.UNAUTHENTICATED.asException());
      call.context().setValue(USER, user);
      return next.startCall(call, headers);
    }
  }

  // end

  private record Personal() implements Greeter {
    @Override
    public HelloReply sayHello(HelloRequest request) {
      // begin principal
      User user = CallContext.current().flatMap(it -> it.value(USER)).orElseThrow();
      // end
      return HelloReply.newBuilder().setMessage("Hello " + user.name()).build();
    }
  }

  static void anInterceptedServer(Map<String, User> users, ServerCredentials.Tls tls)
      throws IOException {
    // begin intercepted server
    Server.builder(50051)
        .credentials(tls)
        .intercept(new Authentication(users))
        .add(new MyGreeter())
        .start();
    // end
  }

  static void aServerThatChecksHeaders(Map<String, User> users, ServerCredentials.Tls tls) {
    // begin headers interceptor
    HeadersInterceptor authentication =
        (call, headers) ->
            call.setValue(
                USER,
                headers
                    .get(TOKEN)
                    .map(users::get)
                    .orElseThrow(() -> Status.UNAUTHENTICATED.asException()));
    Server.builder(50051)
        .credentials(tls)
        .add(new HealthService()) // its clients need no token
        .add(new MyGreeter(), it -> it.withHeadersInterceptor(authentication));
    // end
  }

  private static CompletableFuture<User> userOf(String token) {
    return token.equals("secret")
        ? CompletableFuture.supplyAsync(() -> new User("Ada"))
        : CompletableFuture.failedFuture(Status.UNAUTHENTICATED.asException());
  }

  private static ServerBuilder checkedByAnotherServer(ServerBuilder builder) {
    // begin async headers interceptor
    AsyncHeadersInterceptor introspection =
        (call, headers) ->
            userOf(headers.get(TOKEN).orElse("")) // a CompletableFuture, which asks another server
                .orTimeout(1, TimeUnit.SECONDS)
                .thenAccept(user -> call.setValue(USER, user));
    builder.add(new MyGreeter(), it -> it.withAsyncHeadersInterceptor(introspection));
    // end
    return builder;
  }

  @Test
  void aCallIsHeldUntilAnotherServerHasAnswered() {
    Server server = gannet.serve(GuidePageTest::checkedByAnotherServer);
    GreeterClient greeter = GreeterClient.of(gannet.channelTo(server));
    assertEquals(hello, greeter.withHeader(TOKEN, "secret").sayHello(ada));
    StatusException refused =
        assertThrows(StatusException.class, () -> greeter.withHeader(TOKEN, "guess").sayHello(ada));
    assertEquals(UNAUTHENTICATED, refused.status().code());
  }

  @Test
  void anInterceptorLeavesThePrincipalToTheHandler() {
    Map<String, User> users = Map.of("secret", new User("Ada"));
    Server server = gannet.serve(it -> it.intercept(new Authentication(users)).add(new Personal()));
    GreeterClient greeter = GreeterClient.of(gannet.channelTo(server));
    Metadata token = new Metadata();
    token.set(TOKEN, "secret");
    assertEquals(hello, greeter.withMetadata(token).sayHello(HelloRequest.getDefaultInstance()));
    assertThrows(StatusException.class, () -> greeter.sayHello(ada));
  }

  @Test
  void shutdown() throws InterruptedException {
    Server server = gannet.serve(new MyGreeter());
    // begin shutdown
    server.shutdown(); // no new connections and calls; does not wait for calls
    if (!server.awaitTermination(Duration.ofSeconds(30))) {
      server.shutdownNow(); // cancels the calls that are left
    }
    // end
    assertTrue(server.isTerminated());
  }

  // begin call limit
  static final class CallsPerPeer implements CallLimit {
    private final int max;
    private final Map<Object, Integer> calls = new ConcurrentHashMap<>();

    CallsPerPeer(int max) {
      this.max = max;
    }

    @Override
    public Registration enter(CallContext call) {
      Object peer = call.peer() instanceof InetSocketAddress tcp ? tcp.getAddress() : call.peer();
      if (calls.merge(peer, 1, Integer::sum) > max) {
        leave(peer);
        throw Status.RESOURCE_EXHAUSTED.withDescription("too many calls of yours").asException();
      }
      return () -> leave(peer);
    }

    private void leave(Object peer) {
      calls.computeIfPresent(peer, (key, now) -> now == 1 ? null : now - 1);
    }
  }

  // end

  static void aLimitedServer(ServerBuilder builder) {
    // begin limited server
    builder.limitCalls(new CallsPerPeer(100));
    // end
  }

  @Test
  void eachPeerHasItsOwnPlaces() throws UnknownHostException {
    CallsPerPeer limit = new CallsPerPeer(1);
    InetAddress peer = InetAddress.getByAddress(new byte[] {10, 0, 0, 1});
    InetAddress other = InetAddress.getByAddress(new byte[] {10, 0, 0, 2});
    CallContext same = callFrom(peer, 2);
    Registration place = limit.enter(callFrom(peer, 1));
    assertThrows(StatusException.class, () -> limit.enter(same));
    limit.enter(callFrom(other, 1)).close();
    place.close();
    limit.enter(same).close();
    assertTrue(limit.calls.isEmpty());
  }

  private static CallContext callFrom(InetAddress peer, int port) {
    return CallContext.forTest().peer(new InetSocketAddress(peer, port)).build();
  }

  @Test
  void callsOneAfterTheOtherAreWithinTheLimit() {
    Server server = gannet.serve(it -> it.limitCalls(new CallsPerPeer(1)).add(new MyGreeter()));
    GreeterClient greeter = GreeterClient.of(gannet.channelTo(server));
    assertEquals(hello, greeter.sayHello(ada));
    assertEquals(hello, greeter.sayHello(ada));
  }

  @Test
  void aHandlerAlone() throws Exception {
    HelloRequest request = ada;
    User ada = new User("Ada");
    // begin testing
    TestCallContext context = CallContext.forTest().value(USER, ada).build();
    HelloReply reply = context.call(() -> new MyGreeter().sayHello(request));
    context.responseTrailers(); // what the handler has put there
    // end
    assertEquals(hello, reply);
  }

  // begin access log
  static final class AccessLog implements ServerStreamTracer.Factory {
    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(10_000);
    private final LongAdder dropped = new LongAdder(); // for your metrics

    AccessLog() {
      Thread.ofPlatform().name("access-log").daemon().start(this::write);
    }

    @Override
    public ServerStreamTracer newTracer(ServerStreamTracer.Start call) {
      return new Line(this, call.peer() + " " + call.path(), System.nanoTime());
    }

    /** Never waits, because event loops call it. */
    void add(String line) {
      if (!lines.offer(line)) {
        dropped.increment();
      }
    }

    private void write() {
      try {
        while (true) {
          write(lines.take());
        }
      } catch (InterruptedException e) {
        // nobody interrupts this thread
      }
    }

    private void write(String line) {
      try {
        LOG.log(Level.INFO, line);
      } catch (RuntimeException e) {
        dropped.increment(); // the next line may be written
      }
    }

    record Line(AccessLog log, String what, long beganNanos) implements ServerStreamTracer {
      @Override
      public void onEnd(Status status, Metadata trailers) {
        log.add(what + " " + status + " " + (System.nanoTime() - beganNanos) + " ns");
      }
    }
  }

  // end

  static void aTracedServer() throws IOException {
    // begin traced server
    Server.builder(50051).plaintext().addTracer(new AccessLog()).add(new MyGreeter()).start();
    // end
  }

  @Test
  void everyCallIsLogged() throws InterruptedException {
    Server server = gannet.serve(it -> it.addTracer(new AccessLog()).add(new MyGreeter()));
    try (Lines log = Lines.ofLog()) {
      assertEquals(hello, GreeterClient.of(gannet.channelTo(server)).sayHello(ada));
      assertTrue(log.next().matches("\\S+ /hello.Greeter/SayHello OK \\d+ ns"));
    }
  }

  @Test
  @Timeout(20)
  void aLineThatCannotBeWrittenDoesNotEndTheLog() throws InterruptedException {
    Broken broken = new Broken();
    Lines.LOGGER.addHandler(broken);
    AccessLog accessLog = new AccessLog();
    try (Lines log = Lines.ofLog()) {
      accessLog.add("first");
      accessLog.add("second");
      assertEquals("second", log.next());
      assertEquals(1, accessLog.dropped.sum());
    } finally {
      Lines.LOGGER.removeHandler(broken);
    }
  }

  // begin access log with users
  static final class UserLog implements ServerStreamTracer {
    private final AccessLog log;
    private final String what;
    private Optional<CallContext> call = Optional.empty();

    UserLog(AccessLog log, ServerStreamTracer.Start start) {
      this.log = log;
      this.what = start.peer() + " " + start.path();
    }

    @Override
    public void onCall(CallContext context) {
      call = Optional.of(context);
    }

    @Override
    public void onEnd(Status status, Metadata trailers) {
      String user = call.flatMap(it -> it.value(USER)).map(User::name).orElse("-");
      log.add(what + " " + user + " " + status);
    }
  }

  // end

  /** Collects the lines of {@link #LOG}. */
  private static final class Lines extends Handler implements AutoCloseable {
    private static final java.util.logging.Logger LOGGER =
        java.util.logging.Logger.getLogger(LOG.getName());

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    static Lines ofLog() {
      Lines lines = new Lines();
      LOGGER.addHandler(lines);
      return lines;
    }

    @Override
    public void publish(LogRecord line) {
      lines.add(line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      LOGGER.removeHandler(this);
    }

    /** An answer may arrive before the line about it is written. */
    String next() throws InterruptedException {
      return lines.take();
    }
  }

  /** Fails once. */
  private static final class Broken extends Handler {
    private boolean hasFailed;

    @Override
    public void publish(LogRecord line) {
      if (!hasFailed) {
        hasFailed = true;
        throw new IllegalStateException("the disk is full");
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void theAccessLogNamesTheUserThatAnInterceptorHasFound() throws InterruptedException {
    Authentication authentication = new Authentication(Map.of("secret", new User("Ada")));
    AccessLog accessLog = new AccessLog();
    Server server =
        gannet.serve(it ->
            it.addTracer(call -> new UserLog(accessLog, call))
                .intercept(authentication)
                .add(new Personal()));
    ManagedChannel channel = gannet.channelTo(server);
    GreeterClient greeter = GreeterClient.of(channel);
    Metadata token = new Metadata();
    token.set(TOKEN, "secret");
    try (Lines log = Lines.ofLog()) {
      greeter.withMetadata(token).sayHello(ada);
      assertTrue(log.next().endsWith(" /hello.Greeter/SayHello Ada OK"));
      assertThrows(StatusException.class, () -> greeter.sayHello(ada));
      assertTrue(log.next().endsWith(" /hello.Greeter/SayHello - UNAUTHENTICATED"));
      HealthClient health = HealthClient.of(channel);
      assertThrows(
          StatusException.class, () -> health.check(HealthCheckRequest.getDefaultInstance()));
      assertTrue(log.next().contains(" /grpc.health.v1.Health/Check - UNIMPLEMENTED"));
    }
  }

  @Test
  void inProcess() throws IOException {
    // begin in process
    Server server = Server.builder(InProcessAddress.of("greeter")).add(new MyGreeter()).start();
    ManagedChannel channel = ManagedChannel.builder(InProcessAddress.of("greeter")).build();
    // end
    assertEquals(hello, GreeterClient.of(channel).sayHello(ada));
    channel.close();
    server.close();
  }

  static void services() throws IOException {
    // begin services
    HealthService health = new HealthService();
    Server server =
        Server.builder(50_051)
            .plaintext()
            .add(new MyGreeter())
            .add(health) // grpc.health.v1
            .add(new ReflectionService()) // for grpcurl and similar tools
            .add(new ChannelzService()) // state and counters of the server and its connections
            .shutdownDelay(Duration.ofSeconds(5))
            .closeOnSigterm()
            .start();
    health.setStatus("hello.Greeter", HealthStatus.SERVING);
    // end
  }

  /** In place of that of SLF4J, which these examples do not use. */
  private static final class MDC {
    static final ThreadLocal<Map<String, String>> ENTRIES = ThreadLocal.withInitial(HashMap::new);

    private MDC() {}

    static Closeable putCloseable(String key, String value) {
      ENTRIES.get().put(key, value);
      return () -> ENTRIES.get().remove(key);
    }
  }

  private record GreeterWithMdc() implements Greeter {
    @Override
    public HelloReply sayHello(HelloRequest request) {
      return HelloReply.newBuilder().setMessage(MDC.ENTRIES.get().get("user")).build();
    }
  }

  @Test
  void theMdcNamesTheUserOfTheCall() {
    Map<String, User> users = Map.of("secret", new User("Ada"));
    Server server =
        gannet.serve(builder -> {
          // begin mdc
          ServerInterceptor mdc =
              ServerInterceptor.around(
                  call -> MDC.putCloseable("user", call.value(USER).orElseThrow().name()));
          builder.intercept(new Authentication(users)).intercept(mdc);
          // end
          return builder.add(new GreeterWithMdc());
        });
    GreeterClient greeter = GreeterClient.of(gannet.channelTo(server)).withHeader(TOKEN, "secret");
    assertEquals("Ada", greeter.sayHello(ada).getMessage());
  }

  /** Says what it finds in a thread-local, and leaves its request there. */
  private static final class Forgetful implements Greeter {
    private static final ThreadLocal<String> LEFT = ThreadLocal.withInitial(() -> "nothing");

    @Override
    public HelloReply sayHello(HelloRequest request) {
      HelloReply found = HelloReply.newBuilder().setMessage(LEFT.get()).build();
      LEFT.set(request.getName());
      return found;
    }
  }

  @Test
  void aNewVirtualThreadForEachCallFindsNoThreadLocals() {
    Server server =
        gannet.serve(builder -> {
          // begin new virtual threads
          builder.dispatch(Dispatch.newVirtualThreads());
          // end
          return builder.add(new Forgetful());
        });
    GreeterClient greeter = GreeterClient.of(gannet.channelTo(server));
    for (int i = 0; i < 100; i++) {
      assertEquals("nothing", greeter.sayHello(ada).getMessage());
    }
  }

  @Test
  void interceptedChannelz() {
    Map<String, User> operators = Map.of("secret", new User("Ada"));
    Server server =
        gannet.serve(builder -> {
          // begin intercepted channelz
          builder.add(
              new ChannelzService(), it -> it.withInterceptor(new Authentication(operators)));
          // end
          return builder.add(new MyGreeter());
        });
    ManagedChannel channel = gannet.channelTo(server);
    ChannelzClient channelz = ChannelzClient.of(channel);
    GetServersRequest all = GetServersRequest.getDefaultInstance();
    assertThrows(StatusException.class, () -> channelz.getServers(all));
    assertEquals(1, channelz.withHeader(TOKEN, "secret").getServers(all).getServerCount());
    assertEquals(hello, GreeterClient.of(channel).sayHello(ada));
  }
}
