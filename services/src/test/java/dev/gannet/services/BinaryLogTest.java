package dev.gannet.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ForwardingServerCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.ManagedChannel;
import dev.gannet.services.binarylog.v1.Address;
import dev.gannet.services.binarylog.v1.GrpcLogEntry;
import dev.gannet.services.binarylog.v1.GrpcLogEntry.EventType;
import dev.gannet.services.binarylog.v1.GrpcLogEntry.Logger;
import dev.gannet.services.binarylog.v1.Message;
import dev.gannet.services.binarylog.v1.MetadataEntry;
import dev.gannet.services.test.Book;
import dev.gannet.services.test.Shelf;
import dev.gannet.services.test.Shelves;
import dev.gannet.services.test.ShelvesClient;
import dev.gannet.services.test.ShelvesMethods;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What binary logs of servers and clients hold, over real connections. */
@Timeout(30)
final class BinaryLogTest {
  private static final String PUT = "gannet.services.test.Shelves/Put";
  private static final Metadata.Key<String> SHOP = Metadata.Key.ascii("shop");
  private static final Metadata.Key<String> TOWN = Metadata.Key.ascii("town");
  private static final Metadata.Key<byte[]> TRACE = Metadata.Key.binary("grpc-trace-bin");
  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.binary("grpc-status-details-bin");
  private static final Book BOOK = Book.newBuilder().setTitle("Emma").build();
  private static final Shelves PUTS = new Putting(() -> Shelf.newBuilder().setRow(7).build());

  private record Putting(Supplier<Shelf> how) implements Shelves {
    @Override
    public Shelf put(Book book) {
      return how.get();
    }
  }

  private final BlockingQueue<GrpcLogEntry> entries = new LinkedBlockingQueue<>();

  private BinaryLog log(String rules) {
    return BinaryLog.of(rules, entries::add);
  }

  private static Started serving(Shelves shelves, BinaryLog log) throws IOException {
    return Started.with(it -> it.add(log).add(shelves));
  }

  /** The entries up to the end of one call. */
  private List<GrpcLogEntry> callUpTo(EventType last) throws InterruptedException {
    List<GrpcLogEntry> call = new ArrayList<>();
    do {
      call.add(entries.take());
    } while (call.getLast().getType() != last);
    return call;
  }

  private List<GrpcLogEntry> wholeCall() throws InterruptedException {
    return callUpTo(EventType.EVENT_TYPE_SERVER_TRAILER);
  }

  private static List<EventType> types(List<GrpcLogEntry> call) {
    return call.stream().map(GrpcLogEntry::getType).toList();
  }

  private static List<String> names(dev.gannet.services.binarylog.v1.Metadata metadata) {
    return metadata.getEntryList().stream().map(MetadataEntry::getKey).toList();
  }

  @Test
  void aServersLogHasTheWholeCall() throws Exception {
    try (Started started = serving(PUTS, log("*"))) {
      ShelvesClient.of(started.channel()).withDeadline(Duration.ofMinutes(1)).put(BOOK);
      List<GrpcLogEntry> call = wholeCall();

      assertThat(types(call))
          .containsExactly(
              EventType.EVENT_TYPE_CLIENT_HEADER,
              EventType.EVENT_TYPE_CLIENT_MESSAGE,
              EventType.EVENT_TYPE_CLIENT_HALF_CLOSE,
              EventType.EVENT_TYPE_SERVER_HEADER,
              EventType.EVENT_TYPE_SERVER_MESSAGE,
              EventType.EVENT_TYPE_SERVER_TRAILER);
      GrpcLogEntry head = call.getFirst();
      assertThat(head.getClientHeader().getMethodName()).isEqualTo("/" + PUT);
      assertThat(head.getClientHeader().getAuthority())
          .isEqualTo("127.0.0.1:" + started.server().port());
      assertThat(head.getClientHeader().getTimeout().getSeconds()).isBetween(1L, 60L);
      assertThat(head.getPeer().getType()).isEqualTo(Address.Type.TYPE_IPV4);
      assertThat(head.getPeer().getAddress()).isEqualTo("127.0.0.1");
      assertThat(head.getPeer().getIpPort()).isPositive();
      assertThat(Book.parseFrom(call.get(1).getMessage().getData())).isEqualTo(BOOK);
      assertThat(Shelf.parseFrom(call.get(4).getMessage().getData()).getRow()).isEqualTo(7);
      assertThat(call.getLast().getTrailer().getStatusCode()).isZero();
    }
  }

  @Test
  void aClientsLogHasTheWholeCall() throws Exception {
    try (Started started = Started.with(it -> it.add(PUTS));
        ManagedChannel channel = logging(started, log("*"))) {
      ShelvesClient.of(channel).put(BOOK);
      List<GrpcLogEntry> call = wholeCall();

      assertThat(types(call))
          .containsExactlyInAnyOrder(
              EventType.EVENT_TYPE_CLIENT_HEADER,
              EventType.EVENT_TYPE_CLIENT_MESSAGE,
              EventType.EVENT_TYPE_CLIENT_HALF_CLOSE,
              EventType.EVENT_TYPE_SERVER_HEADER,
              EventType.EVENT_TYPE_SERVER_MESSAGE,
              EventType.EVENT_TYPE_SERVER_TRAILER)
          .startsWith(EventType.EVENT_TYPE_CLIENT_HEADER);
      assertThat(call)
          .allSatisfy(it -> assertThat(it.getLogger()).isEqualTo(Logger.LOGGER_CLIENT))
          .filteredOn(GrpcLogEntry::hasPeer)
          .singleElement() // the first thing that came
          .satisfies(it -> assertThat(it.hasServerHeader()).isTrue())
          .satisfies(it -> assertThat(it.getPeer().getIpPort()).isEqualTo(started.server().port()));
    }
  }

  private static ManagedChannel logging(Started started, BinaryLog log) {
    return ManagedChannel.builder("127.0.0.1", started.server().port())
        .plaintext()
        .add(log)
        .build();
  }

  @Test
  void entriesOfACallAreNumberedAndCallsHaveIdsOfTheirOwn() throws Exception {
    try (Started started = serving(PUTS, log("*"))) {
      ShelvesClient client = ShelvesClient.of(started.channel());
      client.put(BOOK);
      List<GrpcLogEntry> first = wholeCall();
      client.put(BOOK);
      List<GrpcLogEntry> second = wholeCall();

      assertThat(first)
          .extracting(GrpcLogEntry::getSequenceIdWithinCall)
          .containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
      assertThat(first)
          .extracting(GrpcLogEntry::getCallId)
          .containsOnly(first.getFirst().getCallId())
          .doesNotContain(0L, second.getFirst().getCallId());
    }
  }

  @Test
  void aMessageIsCutToTheLengthInItsRule() throws Exception {
    try (Started started = serving(PUTS, log("*{m:3}"))) {
      ShelvesClient.of(started.channel()).put(BOOK);
      GrpcLogEntry message = wholeCall().get(1);

      assertThat(message.getMessage().getLength()).isEqualTo(BOOK.getSerializedSize());
      assertThat(message.getMessage().getData()).isEqualTo(BOOK.toByteString().substring(0, 3));
      assertThat(message.getPayloadTruncated()).isTrue();
    }
  }

  private static ClientInterceptor sending(Metadata headers) {
    return new Sending(headers);
  }

  private record Sending(Metadata headers) implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return next.newCall(method, options.withMetadata(headers));
    }
  }

  private List<GrpcLogEntry> callWith(Metadata headers, String rules) throws Exception {
    try (Started started = serving(PUTS, log(rules));
        ManagedChannel channel =
            ManagedChannel.builder("127.0.0.1", started.server().port())
                .plaintext()
                .intercept(sending(headers))
                .build()) {
      ShelvesClient.of(channel).put(BOOK);
      return wholeCall();
    }
  }

  @Test
  void headersAreLoggedUpToTheirByteLimit() throws Exception {
    Metadata headers = new Metadata();
    headers.add(SHOP, "one");
    headers.add(TOWN, "Bath");
    headers.add(TRACE, new byte[100]);
    GrpcLogEntry head = callWith(headers, "*{h:7}").getFirst();

    assertThat(names(head.getClientHeader().getMetadata()))
        .containsExactly("shop", "grpc-trace-bin"); // which does not count
    assertThat(head.getPayloadTruncated()).isTrue();
  }

  /** Gives each failure another status, as it is closed. */
  private static final class Hiding implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return next.startCall(
          new ForwardingServerCall<>(call) {
            @Override
            public void close(Status status, Metadata trailers) {
              super.close(status.isOk() ? status : Status.NOT_FOUND, trailers);
            }
          },
          headers);
    }
  }

  @Test
  void aServersLogHasTheStatusAndTrailersThatAreSentForAnException() throws Exception {
    Shelves failing =
        new Putting(() -> {
          CallContext.current().orElseThrow().responseTrailers().set(SHOP, "none");
          throw new IllegalStateException("a mistake");
        });
    try (Started started =
        Started.with(it -> it.add(log("*")).intercept(new Hiding()).add(failing))) {
      assertThatThrownBy(() -> ShelvesClient.of(started.channel()).put(BOOK))
          .isInstanceOf(StatusException.class);
      GrpcLogEntry end = wholeCall().getLast();
      assertThat(end.getTrailer().getStatusCode()).isEqualTo(5);
      assertThat(names(end.getTrailer().getMetadata())).containsExactly("shop");
    }
  }

  @Test
  void aClientsLogHasTheHeadersOfItsOptions() throws Exception {
    Metadata headers = new Metadata();
    headers.add(SHOP, "one");
    try (Started started = Started.with(it -> it.add(PUTS));
        ManagedChannel channel =
            ManagedChannel.builder("127.0.0.1", started.server().port())
                .plaintext()
                .intercept(sending(headers))
                .add(log("*"))
                .build()) {
      ShelvesClient.of(channel).put(BOOK);
      assertThat(names(wholeCall().getFirst().getClientHeader().getMetadata()))
          .containsExactly("shop");
    }
  }

  @Test
  void reservedHeadersAreOmittedAndDoNotCountAsTruncated() throws Exception {
    Metadata headers = new Metadata();
    headers.add(SHOP, "one");
    headers.add(Metadata.Key.ascii("authorization"), "Bearer secret");
    headers.add(Metadata.Key.ascii("lb-token"), "1");
    List<GrpcLogEntry> call = callWith(headers, "*{h}");

    GrpcLogEntry head = call.getFirst();
    assertThat(names(head.getClientHeader().getMetadata())).containsExactly("shop");
    assertThat(head.getPayloadTruncated()).isFalse();
    assertThat(call.get(1).getMessage().getData().isEmpty()).isTrue(); // {h}: no messages
    assertThat(call.get(1).getPayloadTruncated()).isTrue();
  }

  @Test
  void theStatusOfAFailureIsLoggedWithItsDetails() throws Exception {
    Metadata trailers = new Metadata();
    trailers.add(DETAILS, new byte[] {8, 5});
    trailers.add(SHOP, "none");
    Status noShelf = Status.NOT_FOUND.withDescription("no shelf");
    Shelves failing =
        new Putting(() -> {
          throw noShelf.asException(trailers);
        });
    try (Started started = serving(failing, log("*"));
        ManagedChannel channel = logging(started, log("*"))) {
      assertThatThrownBy(() -> ShelvesClient.of(channel).put(BOOK))
          .isInstanceOf(StatusException.class);
      for (int side = 0; side < 2; side++) {
        GrpcLogEntry end = wholeCall().getLast();
        assertThat(end.getTrailer().getStatusCode()).isEqualTo(5);
        assertThat(end.getTrailer().getStatusMessage()).isEqualTo("no shelf");
        assertThat(end.getTrailer().getStatusDetails().toByteArray()).containsExactly(8, 5);
        assertThat(names(end.getTrailer().getMetadata())).containsExactly("shop");
      }
    }
  }

  @Test
  void anExceptionOfAHandlerIsLoggedAsItsClientSeesIt() throws Exception {
    Shelves broken =
        new Putting(() -> {
          throw new IllegalStateException("secret");
        });
    try (Started started = serving(broken, log("*"))) {
      assertThatThrownBy(() -> ShelvesClient.of(started.channel()).put(BOOK))
          .isInstanceOf(StatusException.class);
      GrpcLogEntry end = wholeCall().getLast();

      assertThat(end.getTrailer().getStatusCode()).isEqualTo(2);
      assertThat(end.getTrailer().getStatusMessage()).doesNotContain("secret");
    }
  }

  @Test
  void aCancellationIsLoggedOnBothSides() throws Exception {
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
    BlockingQueue<GrpcLogEntry> ofServer = new LinkedBlockingQueue<>();
    try (Started started = serving(endless, BinaryLog.of("*", ofServer::add));
        ManagedChannel channel = logging(started, log("*"))) {
      ClientCall<Book, Shelf> call = channel.newCall(ShelvesMethods.PUT, CallOptions.DEFAULT);
      call.start(new ClientCall.Listener<>() {});
      call.request(1);
      call.sendMessage(BOOK);
      call.halfClose();
      begun.await();
      call.cancel("not wanted any more");

      assertThat(types(callUpTo(EventType.EVENT_TYPE_CANCEL)))
          .startsWith(EventType.EVENT_TYPE_CLIENT_HEADER);
      while (ofServer.take().getType() != EventType.EVENT_TYPE_CANCEL) {
        // the rest of the call comes before
      }
    }
  }

  /** Ends each call at its start. */
  private record Ending(Status status) implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      ServerCall.Listener<Q> listener = next.startCall(call, headers);
      call.end(status, new Metadata());
      return listener;
    }
  }

  @Test
  void aCallThatAnInterceptorEndsIsLoggedWithItsStatus() throws Exception {
    Ending ending = new Ending(Status.RESOURCE_EXHAUSTED.withDescription("enough"));
    try (Started started = Started.with(it -> it.add(log("*")).add(PUTS).intercept(ending))) {
      assertThatThrownBy(() -> ShelvesClient.of(started.channel()).put(BOOK))
          .isInstanceOf(StatusException.class);
      GrpcLogEntry end = wholeCall().getLast();
      assertThat(end.getTrailer().getStatusCode()).isEqualTo(8);
      assertThat(end.getTrailer().getStatusMessage()).isEqualTo("enough");
    }
    assertThat(entries).isEmpty(); // and no cancellation
  }

  // Rules.

  private boolean logs(String rules) throws Exception {
    entries.clear();
    try (Started started = serving(PUTS, log(rules))) {
      ShelvesClient.of(started.channel()).put(BOOK);
    }
    return !entries.isEmpty();
  }

  @Test
  void theMostSpecificRuleAppliesInAnyOrder() throws Exception {
    assertThat(logs("gannet.services.test.Shelves/*")).isTrue();
    assertThat(logs(PUT)).isTrue();
    assertThat(logs("other.Service/*,other.Service/Put")).isFalse();
    assertThat(logs("-" + PUT + ",*,gannet.services.test.Shelves/*")).isFalse();
    assertThat(logs("*,-other.Service/Put")).isTrue();
    assertThat(logs(PUT + "{m:1},gannet.services.test.Shelves/*{h},*{h;m:2}")).isTrue();
    assertThat(wholeCall().get(1).getMessage().getData().size()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*,",
        "Put",
        "a/b/c",
        "*{}",
        "*{x}",
        "*{h:}",
        "*{h:-1}",
        "*{hm}",
        "*{h;}",
        "*{;m}",
        "*{m;h}",
        "*{m:99999999999}",
        "-*",
        "-a.B/*",
        "-a.B/c{h}",
        "*,*",
        "a.B/c,-a.B/c",
        "*, -a.B/c",
        "--a.B/c",
        "a.B/c ",
        "-a.B/ c",
        "a.B\t/*",
        "\u00a0a.B/c",
        "*\n"
      })
  void invalidRulesAreRefused(String rules) {
    assertThatThrownBy(() -> log(rules)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void binaryLogRulesAreReadFromTheEnvironment() {
    BinaryLogSink sink = entry -> {};
    assertThat(BinaryLog.ofEnvironment(Map.of(), sink)).isEmpty();
    assertThat(BinaryLog.ofEnvironment(Map.of("GRPC_BINARY_LOG_FILTER", ""), sink)).isEmpty();
    assertThat(BinaryLog.ofEnvironment(Map.of("GRPC_BINARY_LOG_CONFIG", "*"), sink)).isPresent();
    Map<String, String> both = Map.of("GRPC_BINARY_LOG_FILTER", "*", "GRPC_BINARY_LOG_CONFIG", "-");
    assertThat(BinaryLog.ofEnvironment(both, sink)).isPresent();
    assertThatThrownBy(() -> BinaryLog.ofEnvironment(Map.of("GRPC_BINARY_LOG_FILTER", "*,*"), sink))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("GRPC_BINARY_LOG_FILTER: ");
  }

  // Sinks.

  @Test
  void aFailingSinkLosesEntriesButFailsNoCall() throws IOException {
    BinaryLog log =
        BinaryLog.of(
            "*",
            entry -> {
              throw new IllegalStateException("full");
            });
    try (Started started = serving(PUTS, log)) {
      assertThat(ShelvesClient.of(started.channel()).put(BOOK).getRow()).isEqualTo(7);
      assertThat(log.failures()).isPositive();
    }
  }

  @Test
  void aFileContainsTheEntriesInTheirOrder(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("calls.binlog");
    for (int round = 1; round <= 2; round++) {
      BinaryLogFile file = BinaryLogFile.open(path);
      try (file;
          Started started = serving(PUTS, BinaryLog.of("*", file))) {
        ShelvesClient.of(started.channel()).put(BOOK);
      }
      file.write(GrpcLogEntry.getDefaultInstance());
      assertThat(file.lost()).isOne(); // it is closed
      int seen = 0;
      try (InputStream in = Files.newInputStream(path)) {
        for (GrpcLogEntry next = GrpcLogEntry.parseDelimitedFrom(in);
            next != null;
            next = GrpcLogEntry.parseDelimitedFrom(in)) {
          seen++;
        }
      }
      assertThat(seen).isEqualTo(6 * round); // the second is added to the first
    }
  }

  /** A disk that takes nothing until it is told to. */
  private static final class Stuck extends OutputStream {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();

    @Override
    public void write(int octet) throws IOException {
      reached.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      taken.write(octet);
    }
  }

  @Test
  void entriesThatADiskIsTooSlowForAreLostAndCounted() throws Exception {
    GrpcLogEntry entry =
        GrpcLogEntry.newBuilder()
            .setMessage(
                Message.newBuilder()
                    .setData(ByteString.copyFrom("x".repeat(1_000), StandardCharsets.US_ASCII)))
            .build();
    Stuck disk = new Stuck();
    BinaryLogFile file = new BinaryLogFile(disk, 10_000);
    file.write(entry);
    disk.reached.await(); // it counts until it is written
    for (int i = 1; i < 20; i++) {
      file.write(entry);
    }
    disk.released.countDown();
    file.close();

    int written = disk.taken.size() / entry.getSerializedSize();
    assertThat(written).isBetween(2, 10);
    assertThat(file.lost()).isEqualTo(20 - written);
  }

  @Test
  void entriesThatAreWrittenWhileTheFileClosesAreWrittenOrCounted() throws Exception {
    GrpcLogEntry entry = GrpcLogEntry.newBuilder().setCallId(1).build();
    int bytes = entry.getSerializedSize() + 1; // and its length
    for (int round = 0; round < 200; round++) {
      ByteArrayOutputStream disk = new ByteArrayOutputStream();
      BinaryLogFile file = new BinaryLogFile(disk, Integer.MAX_VALUE);
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        writers.add(
            Thread.ofPlatform()
                .start(() -> {
                  for (int n = 0; n < 50; n++) {
                    file.write(entry);
                  }
                }));
      }
      file.close();
      for (Thread writer : writers) {
        writer.join();
      }
      assertThat(disk.size() / bytes + file.lost()).isEqualTo(200);
    }
  }

  @Test
  void anErrorWhileWritingIsCountedLikeADiskError() {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int octet) {
            throw new OutOfMemoryError("a test");
          }
        };
    BinaryLogFile file = new BinaryLogFile(broken, 10_000);
    GrpcLogEntry entry = GrpcLogEntry.newBuilder().setCallId(1).build();
    file.write(entry);
    file.close();
    file.write(entry);

    assertThat(file.lost()).isEqualTo(2);
  }

  @Test
  void aDiskErrorLosesOnlyTheRestOfTheLog() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int octet) throws IOException {
            throw new IOException("no space left");
          }
        };
    BinaryLogFile file = new BinaryLogFile(full, 10_000);
    GrpcLogEntry entry = GrpcLogEntry.newBuilder().setCallId(1).build();
    file.write(entry);
    file.close();
    file.write(entry);

    assertThat(file.lost()).isEqualTo(2);
  }
}
