package dev.gannet.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallContext;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.CallCounts;
import dev.gannet.server.ConnectionContext;
import dev.gannet.server.ConnectionSnapshot;
import dev.gannet.server.HandlerRegistry;
import dev.gannet.server.LoadShedding;
import dev.gannet.server.MutableHandlerRegistry;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.server.ServerExtension;
import dev.gannet.server.ServerObserver;
import dev.gannet.server.ServerTransportFilter;
import dev.gannet.services.reflection.v1.ServerReflectionClient;
import dev.gannet.services.reflection.v1.ServerReflectionRequest;
import dev.gannet.services.reflection.v1.ServiceResponse;
import dev.gannet.services.test.Book;
import dev.gannet.services.test.Shelf;
import dev.gannet.services.test.Shelves;
import dev.gannet.services.test.ShelvesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Registries, transport filters and the life of a server, over real connections. */
@Timeout(30)
final class ServerLifecycleTest {
  private static final CallContext.Key<String> TENANT = CallContext.Key.of("tenant");
  private static final Book BOOK = Book.getDefaultInstance();
  private static final Book EMMA = Book.newBuilder().setTitle("Emma").build();

  private record Row(int row) implements Shelves {
    @Override
    public Shelf put(Book book) {
      return Shelf.newBuilder().setRow(row).build();
    }
  }

  private static InetSocketAddress free() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static void assertCode(ThrowingCallable call, Status.Code code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StatusException.class, it -> assertThat(it.status().code()).isEqualTo(code));
  }

  private static int row(Started started) {
    return ShelvesClient.of(started.channel()).put(BOOK).getRow();
  }

  // Registries.

  @Test
  void aServiceIsServedUntilItIsRemovedFromTheRegistry() throws IOException {
    MutableHandlerRegistry registry = new MutableHandlerRegistry();
    try (Started started = Started.with(it -> it.addFallbackHandlerRegistry(registry))) {
      assertCode(() -> row(started), Status.Code.UNIMPLEMENTED);

      ServerServiceDefinition one = new Row(1).bindService();
      registry.add(one);
      assertThat(row(started)).isEqualTo(1);

      assertThat(registry.add(new Row(2))).contains(one);
      assertThat(row(started)).isEqualTo(2);

      assertThat(registry.remove(one)).isFalse(); // another is in its place
      assertThat(row(started)).isEqualTo(2);
      assertThat(registry.remove(registry.services().getFirst())).isTrue();
      assertCode(() -> row(started), Status.Code.UNIMPLEMENTED);
    }
  }

  @Test
  void theRegistryIsNotAskedForMethodsOfTheServer() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    HandlerRegistry registry =
        name -> {
          asked.incrementAndGet();
          return Optional.empty();
        };
    try (Started started =
        Started.with(it -> it.add(new Row(7)).addFallbackHandlerRegistry(registry))) {
      assertThat(row(started)).isEqualTo(7);
      assertThat(asked).hasValue(0);
    }
  }

  @Test
  void ofSeveralRegistriesTheFirstOneAddedIsAskedFirst() throws IOException {
    MutableHandlerRegistry first = new MutableHandlerRegistry();
    MutableHandlerRegistry second = new MutableHandlerRegistry();
    second.add(new Row(2));
    ServerExtension extension = it -> it.addFallbackHandlerRegistry(second);
    try (Started started =
        Started.with(it -> it.addFallbackHandlerRegistry(first).add(extension))) {
      assertThat(row(started)).isEqualTo(2);
      first.add(new Row(1));
      assertThat(row(started)).isEqualTo(1);
    }
  }

  @Test
  void aRunningCallContinuesAfterItsServiceWasRemoved() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch removed = new CountDownLatch(1);
    Shelves slow =
        new Shelves() {
          @Override
          public Shelf put(Book book) throws InterruptedException {
            begun.countDown();
            removed.await();
            return Shelf.newBuilder().setRow(3).build();
          }
        };
    MutableHandlerRegistry registry = new MutableHandlerRegistry();
    ServerServiceDefinition service = slow.bindService();
    registry.add(service);
    try (Started started = Started.with(it -> it.addFallbackHandlerRegistry(registry))) {
      CompletableFuture<Integer> row = CompletableFuture.supplyAsync(() -> row(started));
      begun.await();
      registry.remove(service);
      removed.countDown();

      assertThat(row.get()).isEqualTo(3);
    }
  }

  @Test
  void interceptorsSeeCallsOfTheRegistry() throws IOException {
    MutableHandlerRegistry registry = new MutableHandlerRegistry();
    registry.add(new Row(1));
    AtomicInteger seen = new AtomicInteger();
    try (Started started =
        Started.with(it -> it.addFallbackHandlerRegistry(registry).intercept(new Counting(seen)))) {
      row(started);
      assertThat(seen).hasValue(1);
    }
  }

  private record Counting(AtomicInteger seen) implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      seen.incrementAndGet();
      return next.startCall(call, headers);
    }
  }

  @Test
  void aRegistryThatThrowsEndsOnlyTheCall() throws IOException {
    HandlerRegistry registry =
        name -> {
          throw new IllegalStateException("out of order");
        };
    try (Started started =
        Started.with(it -> it.addFallbackHandlerRegistry(registry).add(new HealthService()))) {
      assertCode(() -> row(started), Status.Code.INTERNAL);
      assertCode(() -> row(started), Status.Code.INTERNAL);
    }
  }

  @Test
  void reflectionListsTheServicesThatTheRegistryHasNow() throws IOException {
    MutableHandlerRegistry registry = new MutableHandlerRegistry();
    try (Started started =
            Started.with(
                it -> it.addFallbackHandlerRegistry(registry).add(new ReflectionService()));
        var stream = ServerReflectionClient.of(started.channel()).serverReflectionInfo()) {
      ServerReflectionRequest list =
          ServerReflectionRequest.newBuilder().setListServices("").build();
      stream.send(list);
      assertThat(stream.next().getListServicesResponse().getServiceList()).hasSize(2);

      registry.add(new Row(1));
      stream.send(list);
      assertThat(stream.next().getListServicesResponse().getServiceList())
          .extracting(ServiceResponse::getName)
          .contains("gannet.services.test.Shelves")
          .hasSize(3);
    }
  }

  // Transport filters.

  private static final class Tenants implements ServerTransportFilter {
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final String tenant;

    Tenants(String tenant) {
      this.tenant = tenant;
    }

    @Override
    public void onTransportReady(ConnectionContext connection) {
      connection.setValue(TENANT, tenant);
      boolean plain =
          connection.sslSession().isEmpty()
              && connection.applicationProtocol().isEmpty()
              && connection.peerCertificates().isEmpty();
      InetSocketAddress from = (InetSocketAddress) connection.remoteAddress();
      events.add("ready " + plain + " " + from.getAddress().isLoopbackAddress());
    }

    @Override
    public void onTransportTerminated(ConnectionContext connection) {
      events.add("terminated " + connection.value(TENANT).orElseThrow());
    }
  }

  private static final class TellsTenant implements Shelves {
    @Override
    public Shelf put(Book book) {
      String tenant = CallContext.current().orElseThrow().value(TENANT).orElse("none");
      return Shelf.newBuilder().setLabel(Shelf.Label.newBuilder().setText(tenant)).build();
    }
  }

  @Test
  void callsSeeWhatFiltersHaveSet() throws Exception {
    Tenants tenants = new Tenants("blue");
    Started started = Started.with(it -> it.add(new TellsTenant()).addTransportFilter(tenants));
    try (started) {
      ShelvesClient client = ShelvesClient.of(started.channel());
      assertThat(client.put(BOOK).getLabel().getText()).isEqualTo("blue");
      assertThat(client.put(BOOK).getLabel().getText()).isEqualTo("blue");
      assertThat(tenants.events.take()).isEqualTo("ready true true");
      assertThat(tenants.events).isEmpty();
    }
    assertThat(tenants.events.take()).isEqualTo("terminated blue");
  }

  @Test
  void tracersSeeCallsOfFilteredAndCountedConnections() throws Exception {
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    ServerStreamTracer tracer =
        new ServerStreamTracer() {
          @Override
          public void onCall(CallContext context) {
            seen.add(context.value(TENANT).orElseThrow());
          }
        };
    try (Started started =
        Started.with(it ->
            it.add(new TellsTenant())
                .addTransportFilter(new Tenants("blue"))
                .countCalls()
                .addTracer(call -> tracer))) {
      ShelvesClient.of(started.channel()).put(BOOK);
      assertThat(seen.take()).isEqualTo("blue");
    }
  }

  @Test
  void aFilterThatThrowsRefusesTheConnection() throws Exception {
    Tenants first = new Tenants("blue");
    ServerTransportFilter refusing =
        new ServerTransportFilter() {
          @Override
          public void onTransportReady(ConnectionContext connection) {
            throw new IllegalArgumentException("not from there");
          }
        };
    try (Started started =
        Started.with(it ->
            it.add(new TellsTenant()).addTransportFilter(first).addTransportFilter(refusing))) {
      assertCode(() -> ShelvesClient.of(started.channel()).put(BOOK), Status.Code.UNAVAILABLE);
      assertThat(first.events.take()).startsWith("ready");
      assertThat(first.events.take()).isEqualTo("terminated blue");
      assertThat(started.server().peerFaults()).containsKey(PeerFault.REFUSED_BY_FILTER);
    }
  }

  // Counters.

  @Test
  void callsAreCountedByMethodAndByHowTheyEnd() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    Shelves shelves =
        new Shelves() {
          @Override
          public Shelf put(Book book) throws InterruptedException {
            if (book.hasTitle()) {
              throw Status.NOT_FOUND.asException();
            }
            begun.countDown();
            released.await();
            return Shelf.getDefaultInstance();
          }
        };
    Server server;
    try (Started started =
        Started.with(it -> it.add(shelves).add(new HealthService()).countCalls())) {
      server = started.server();
      ShelvesClient client = ShelvesClient.of(started.channel());
      CompletableFuture<?> waiting = CompletableFuture.runAsync(() -> client.put(BOOK));
      begun.await();
      assertThat(counts(server).underWay()).isOne();
      assertThat(counts(server).ended()).isEmpty();
      assertThat(server.snapshot().methods()).containsKey("grpc.health.v1.Health/Check");

      released.countDown();
      waiting.get();
      for (int i = 0; i < 2; i++) {
        assertCode(() -> client.put(EMMA), Status.Code.NOT_FOUND);
      }
    }
    assertThat(counts(server).started()).isEqualTo(3); // its connections are closed: all is counted
    assertThat(counts(server).ended(Status.Code.OK)).isOne();
    assertThat(counts(server).ended(Status.Code.NOT_FOUND)).isEqualTo(2);
    assertThat(counts(server).underWay()).isZero();
    assertThat(counts(server).receivedBytes())
        .isEqualTo(BOOK.getSerializedSize() + 2L * EMMA.getSerializedSize());
    assertThat(counts(server).sentBytes()).isZero(); // an empty message
  }

  @Test
  void aCallIsQueuedUntilItsHandlerStarts() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    CountDownLatch arrived = new CountDownLatch(1);
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      thread.execute(() -> awaitQuietly(released));
      Executor busy =
          task -> {
            arrived.countDown();
            thread.execute(task);
          };
      Server server;
      try (Started started =
          Started.with(it -> it.add(new TellsTenant()).dispatch(Dispatch.on(busy)).countCalls())) {
        server = started.server();
        ShelvesClient client = ShelvesClient.of(started.channel());
        CompletableFuture<?> waiting = CompletableFuture.runAsync(() -> client.put(BOOK));
        arrived.await();
        ConnectionSnapshot connection = server.snapshot().connections().getFirst();
        assertThat(counts(server).queued()).isOne();
        assertThat(connection.calls().queued()).isOne();
        assertThat(connection.calls().ended()).isEmpty();

        released.countDown();
        waiting.get();
        assertThat(counts(server).queued()).isZero();
      }
      assertThat(counts(server).ended(Status.Code.OK)).isOne();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void callsOfARegistrysMethodsAreCountedToo() throws IOException {
    MutableHandlerRegistry registry = new MutableHandlerRegistry();
    registry.add(new Row(1));
    Server server;
    try (Started started =
        Started.with(it -> it.addFallbackHandlerRegistry(registry).countCalls())) {
      server = started.server();
      row(started);
    }
    assertThat(counts(server).ended(Status.Code.OK)).isOne();
  }

  @Test
  void callsThatAreAdmittedUnderLoadAreCountedAndSeeWhatFiltersHaveSet() throws Exception {
    Server server;
    try (Started started =
        Started.with(it ->
            it.add(new TellsTenant())
                .loadShedding(LoadShedding.adaptive())
                .addTransportFilter(new Tenants("blue"))
                .methodLimits(
                    "gannet.services.test.Shelves", one -> one.withMaxInboundMessageBytes(3))
                .countCalls())) {
      server = started.server();
      ShelvesClient client = ShelvesClient.of(started.channel());
      assertThat(client.put(BOOK).getLabel().getText()).isEqualTo("blue");
      assertCode(
          () -> client.put(Book.newBuilder().setTitle("Emma").build()),
          Status.Code.RESOURCE_EXHAUSTED);
    }
    assertThat(counts(server).ended(Status.Code.OK)).isOne();
    assertThat(counts(server).underWay()).isZero();
  }

  private static CallCounts counts(Server server) {
    return Objects.requireNonNull(
        server.snapshot().methods().get("gannet.services.test.Shelves/Put"));
  }

  // Lifecycle.

  @Test
  void aServerServesAllItsAddresses() throws IOException {
    try (Server server = Server.builder(free()).alsoListen(free()).add(new Row(4)).start()) {
      assertThat(server.addresses()).hasSize(2).doesNotHaveDuplicates();
      for (var address : server.addresses()) {
        int port = ((InetSocketAddress) address).getPort();
        try (ManagedChannel channel =
            ManagedChannel.builder("127.0.0.1", port).plaintext().build()) {
          assertThat(ShelvesClient.of(channel).put(BOOK).getRow()).isEqualTo(4);
        }
      }
    }
  }

  @Test
  void aStartThatFailsLeavesNoSocketOpen() throws Exception {
    int first;
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      first = probe.getLocalPort();
    }
    Steps steps = new Steps();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ServerBuilder builder =
          Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), first))
              .alsoListen(taken.getLocalSocketAddress())
              .observe(steps);
      assertThatThrownBy(builder::start).isInstanceOf(IOException.class);
    }
    steps.terminated.await(); // perhaps by the loop of the first address
    assertThat(steps.told).containsExactly("start", "terminated");
    try (ServerSocket again = new ServerSocket(first, 1, InetAddress.getLoopbackAddress())) {
      assertThat(again.isBound()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anAddressIsFreeWhenAShutdownReturns(boolean now) throws IOException {
    SocketAddress address = free();
    for (int i = 0; i < 100; i++) {
      Server server = Server.builder(address).start();
      address = server.address();
      if (now) {
        server.shutdownNow();
      } else {
        server.shutdown();
      }
    }
  }

  @Test
  void anAddressIsFreeWhenAShutdownOfAnInterruptedThreadReturns() throws IOException {
    Server server = Server.builder(free()).start();
    Thread.currentThread().interrupt();
    server.shutdown();
    assertThat(Thread.interrupted()).isTrue();
    Server.builder(server.address()).start().close();
  }

  @Test
  void aStartThatFailsLeavesNoThread() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      failToStart(taken); // may start the event loops of the process, which stay
      Set<Thread> before = ownThreads();
      for (int i = 0; i < 3; i++) {
        failToStart(taken);
      }
      Set<Thread> more = ownThreads();
      more.removeAll(before);
      for (Thread thread : more) {
        assertThat(thread.join(Duration.ofSeconds(20))).as(thread.getName()).isTrue();
      }
    }
  }

  private static void failToStart(ServerSocket taken) throws IOException {
    ServerBuilder builder =
        Server.builder(free())
            .alsoListen(taken.getLocalSocketAddress())
            .add(new HealthService())
            .add(new Row(1));
    assertThatThrownBy(builder::start).isInstanceOf(IOException.class);
  }

  private static Set<Thread> ownThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(it -> it.getName().startsWith("gannet"))
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static final class Steps implements ServerObserver {
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final CountDownLatch terminated = new CountDownLatch(1);

    @Override
    public void onStart(Server server) {
      told.add("start");
    }

    @Override
    public void onShutdown(Server server) {
      told.add("shutdown");
    }

    @Override
    public void onDrain(Server server) {
      told.add("drain");
    }

    @Override
    public void onTerminated(Server server) {
      told.add("terminated");
      terminated.countDown();
    }
  }

  @Test
  void observersAreNotifiedOfEachStepOnce() throws Exception {
    Steps steps = new Steps();
    Server server = Server.builder(free()).observe(steps).start();
    server.shutdown();
    server.shutdown();
    server.shutdownNow();
    server.close();
    steps.terminated.await();

    assertThat(steps.told).containsExactly("start", "shutdown", "drain", "terminated");
  }

  @Test
  void anObserverThatThrowsAtTheStartKeepsTheServerFromStarting() {
    ServerObserver unwilling =
        new ServerObserver() {
          @Override
          public void onStart(Server server) {
            throw new IllegalStateException("not today");
          }
        };
    assertThatThrownBy(() -> Server.builder(free()).observe(unwilling).start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("not today");
  }

  @Test
  void newConnectionsAreServedDuringTheDelayOfAShutdown() throws IOException {
    HealthService health = new HealthService();
    Server server =
        Server.builder(free())
            .shutdownDelay(Duration.ofMinutes(5))
            .add(health)
            .add(new Row(5))
            .start();
    server.shutdown();
    try (ManagedChannel channel =
        ManagedChannel.builder("127.0.0.1", server.port()).plaintext().build()) {
      assertThat(server.isShutdown()).isTrue();
      assertThat(health.status("")).contains(HealthStatus.NOT_SERVING);
      assertThat(ShelvesClient.of(channel).put(BOOK).getRow()).isEqualTo(5);
    } finally {
      server.shutdownNow();
    }
    assertCode(
        () -> {
          try (ManagedChannel late =
              ManagedChannel.builder("127.0.0.1", server.port()).plaintext().build()) {
            ShelvesClient.of(late).put(BOOK);
          }
        },
        Status.Code.UNAVAILABLE);
  }

  @Test
  void closeCancelsCallsAfterItsGrace() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Shelves endless =
        new Shelves() {
          @Override
          public Shelf put(Book book) throws InterruptedException {
            begun.countDown();
            new CountDownLatch(1).await();
            throw new AssertionError("never");
          }
        };
    Started started = Started.with(it -> it.add(endless).closeGrace(Duration.ofMillis(50)));
    try (started) {
      CompletableFuture<?> call =
          CompletableFuture.runAsync(() ->
              assertCode(
                  () -> ShelvesClient.of(started.channel()).put(BOOK), Status.Code.UNAVAILABLE));
      begun.await();
      started.server().close();

      assertThat(started.server().isTerminated()).isTrue();
      call.get();
    }
  }
}
