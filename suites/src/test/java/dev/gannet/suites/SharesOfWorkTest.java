package dev.gannet.suites;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.api.transport.WorkBudget;
import dev.gannet.client.ManagedChannel;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.Limits;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.protocol.ArraySource;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageFrame;
import dev.gannet.server.Server;
import dev.gannet.simulation.SimulatedLoop;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Clients whose messages become much longer when they are decompressed are slowed down to a share
 * of a common rate; other clients are not.
 */
final class SharesOfWorkTest {
  private static final CallOptions GZIP = CallOptions.DEFAULT.withCompression("gzip");
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** A bomb within the limits: a thousand times what comes of it. */
  private static final String MEBIBYTE = Texts.ofLength(1 << 20);

  private static final int AT_ONCE = 4;

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();

  /** About one message a second, and four at once. */
  private final WorkBudget budget = WorkBudget.ofBytesPerSecond(1 << 20);

  private Server serve() {
    return Simulation.start(
        simulation
            .with(Texts.BIDI, held)
            .with(Texts.UNARY, (call, headers) -> echo(call))
            .serverBuilder()
            .workBudget(budget));
  }

  private static ServerCall.Listener<String> echo(ServerCall<String, String> call) {
    call.request(1);
    return new Echo(call);
  }

  private record Echo(ServerCall<String, String> call) implements ServerCall.Listener<String> {
    @Override
    public void onMessage(String message) {
      call.sendMessage(message);
      call.close(Status.OK, new Metadata());
    }
  }

  private static String[] mebibytes(int count) {
    String[] messages = new String[count];
    Arrays.fill(messages, MEBIBYTE);
    return messages;
  }

  private int taken() {
    return held.all().stream().mapToInt(call -> call.messages().size()).sum();
  }

  private MadeCall bombs(ManagedChannel channel, int count) {
    MadeCall call = MadeCall.whole(channel, Texts.BIDI, GZIP, mebibytes(count));
    simulation.run();
    return call;
  }

  @Test
  void aConnectionThatSendsBombsIsSlowedToTheRate() {
    serve();
    bombs(simulation.channel(), 20);
    int atOnce = taken();
    assertThat(atOnce).isBetween(AT_ONCE, AT_ONCE + 1);
    for (int seconds = 1; seconds <= 10; seconds++) {
      simulation.advance(SECOND);
      assertThat(taken()).isBetween(atOnce + seconds - 1, atOnce + seconds + 1);
    }
    simulation.advance(Duration.ofSeconds(20));
    assertThat(held.only().messages()).hasSize(20);
    assertThat(held.only().halfCloses()).isEqualTo(1);
  }

  @Test
  void otherCallsAreNotSlowed() {
    serve();
    ManagedChannel bomber = simulation.channel();
    bombs(bomber, 20);
    for (ManagedChannel channel : List.of(simulation.channel(), bomber)) {
      MadeCall plain = MadeCall.whole(channel, Texts.UNARY, "small");
      MadeCall large = MadeCall.whole(channel, Texts.UNARY, MEBIBYTE);
      MadeCall compressed = MadeCall.whole(channel, Texts.UNARY, GZIP, twentyToOne());
      simulation.run();
      assertThat(plain.messages()).containsExactly("small");
      assertThat(large.messages()).containsExactly(MEBIBYTE);
      assertThat(compressed.status()).isEqualTo(Status.OK);
    }
  }

  /** Text that gzip makes twenty times shorter. */
  private static String twentyToOne() {
    Random random = new Random(1);
    byte[] line = new byte[10_000];
    random.nextBytes(line);
    String text = new String(line, ISO_8859_1).repeat(25);
    int zippedBytes = compressed(text).remaining();
    assertThat(text.length() / zippedBytes).isBetween(19, 21);
    return text;
  }

  private static ByteBuffer compressed(String text) {
    return MessageFrame.compressed(
        MessageFrame.frame(Texts.UNARY.requestMarshaller(), text, ArraySource.HEAP),
        MessageEncoding.GZIP);
  }

  @Test
  void messagesCompressedTwentyToOneAreNeverSlowed() {
    serve();
    bombs(simulation.channel(), 20);
    String text = twentyToOne();
    MadeCall call = MadeCall.start(simulation.channel(), Texts.BIDI, GZIP);
    simulation.run();
    for (int i = 1; i <= 300; i++) {
      call.says(text);
      simulation.run();
      assertThat(held.all().getLast().messages()).hasSize(i);
    }
  }

  @Test
  void manyConnectionsTogetherHaveTheRateAndEachAnEqualPart() {
    serve();
    List<ManagedChannel> channels = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      channels.add(simulation.channel());
      bombs(channels.getLast(), 10);
    }
    int atOnce = taken();
    assertThat(atOnce).isBetween(AT_ONCE, AT_ONCE + 2);
    simulation.advance(Duration.ofSeconds(100));
    assertThat(taken()).isBetween(atOnce + 90, atOnce + 110);
    assertThat(held.all()).allSatisfy(call -> assertThat(call.messages()).hasSizeBetween(4, 9));
  }

  @Test
  void newConnectionsGetNoMoreThanOthers() {
    serve();
    for (int i = 0; i < 50; i++) {
      bombs(simulation.channel(), 1);
    }
    int atOnce = taken();
    assertThat(atOnce).isBetween(AT_ONCE, AT_ONCE + 4); // of 64 KiB that each has of its own
    simulation.advance(Duration.ofSeconds(10));
    assertThat(taken()).isLessThanOrEqualTo(atOnce + 11);
    simulation.advance(Duration.ofSeconds(60));
    assertThat(taken()).isEqualTo(50);
  }

  @Test
  void connectionsThatCloseDoNotReduceTheShareOfOthers() {
    serve();
    bombs(simulation.channel(), AT_ONCE + 1);
    for (int i = 0; i < 40; i++) {
      ManagedChannel leaves = simulation.channel();
      bombs(leaves, 5);
      leaves.shutdownNow();
      simulation.run();
    }
    int before = taken();
    bombs(simulation.channel(), 1);
    simulation.advance(Duration.ofSeconds(4));
    assertThat(taken()).isGreaterThan(before);
    assertThat(held.all().getLast().messages()).hasSize(1);
  }

  @Test
  void invalidMessagesCostAsMuchAsOthers() {
    serve();
    RawPeer peer = simulation.rawClient(Limits.DEFAULT);
    byte[] frame = array(compressed(MEBIBYTE));
    frame[frame.length - 8] ^= 1; // its checksum
    List<Http2Stream> streams = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Http2Stream stream = asks(peer);
      streams.add(stream);
      peer.sendsContent(stream, new String(frame, ISO_8859_1), EndStream.YES);
    }
    simulation.run();
    assertThat(ended(peer, streams)).isBetween(AT_ONCE, AT_ONCE + 1);
    simulation.advance(Duration.ofSeconds(10));
    assertThat(ended(peer, streams)).isEqualTo(8);
    assertThat(peer.heard(streams.getLast()).field("grpc-message")).contains("checksum");
  }

  private static Http2Stream asks(RawPeer peer) {
    return peer.asks(
        EndStream.NO,
        ":method",
        "POST",
        ":scheme",
        "http",
        ":path",
        "/" + Texts.UNARY.fullMethodName(),
        ":authority",
        "server",
        "content-type",
        "application/grpc",
        "te",
        "trailers",
        "grpc-encoding",
        "gzip");
  }

  private static int ended(RawPeer peer, List<Http2Stream> streams) {
    return (int) streams.stream().filter(stream -> peer.heard(stream).ended).count();
  }

  private static byte[] array(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  @Test
  void deadlinesHoldWhileMessagesWait() {
    serve();
    ManagedChannel channel = simulation.channel();
    bombs(channel, 40);
    MadeCall late =
        MadeCall.whole(
            channel, Texts.BIDI, simulation.within(SECOND).withCompression("gzip"), MEBIBYTE);
    simulation.advance(SECOND);
    assertThat(late.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    HeldCall call = held.all().getLast();
    assertThat(call.messages()).isEmpty();
    assertThat(call.cancels()).isEqualTo(1);
    simulation.advance(Duration.ofSeconds(60));
    assertThat(call.messages()).isEmpty();
    assertThat(held.all().getFirst().messages()).hasSize(40);
  }

  @Test
  void turnsOfACancelledCallGoToOtherCallsOfItsConnection() {
    serve();
    ManagedChannel channel = simulation.channel();
    MadeCall first = bombs(channel, 40);
    MadeCall second = bombs(channel, 2);
    first.call().cancel("enough");
    simulation.advance(Duration.ofSeconds(3));
    assertThat(held.all().getLast().messages()).hasSize(2);
    assertThat(second.isClosed()).isFalse();
  }

  @Test
  void callsOfAConnectionTakeTurns() {
    serve();
    ManagedChannel channel = simulation.channel();
    bombs(channel, 40);
    bombs(channel, 5);
    simulation.advance(Duration.ofSeconds(12));
    assertThat(held.all().getLast().messages()).hasSize(5);
  }

  @Test
  void aServerThatShutsDownServesWaitingMessages() {
    Server server = serve();
    MadeCall call = bombs(simulation.channel(), 10);
    server.shutdown();
    simulation.advance(Duration.ofSeconds(15));
    assertThat(held.only().messages()).hasSize(10);
    held.only().ends();
    simulation.advance(SECOND);
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void aServerThatShutsDownNowDropsWaitingMessages() {
    Server server = serve();
    MadeCall call = bombs(simulation.channel(), 10);
    int before = taken();
    server.shutdownNow();
    simulation.advance(Duration.ofSeconds(15));
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(taken()).isEqualTo(before);
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void aClientSlowsAServerThatSendsBombs() {
    simulation.with(Texts.BIDI, held).serve();
    ManagedChannel channel = simulation.channelBuilder().workBudget(budget).build();
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(1_000);
    MadeCall other = MadeCall.start(channel, Texts.BIDI).wants(1_000);
    simulation.run();
    held.all().getFirst().call().setCompression("gzip");
    held.all().getFirst().answers(mebibytes(10));
    held.all().getFirst().ends();
    held.all().getLast().answers("small", MEBIBYTE);
    simulation.run();
    int atOnce = call.messages().size();
    assertThat(atOnce).isBetween(AT_ONCE, AT_ONCE + 1);
    assertThat(other.messages()).containsExactly("small", MEBIBYTE);
    simulation.advance(SECOND.multipliedBy(2));
    assertThat(call.messages()).hasSizeBetween(atOnce + 1, atOnce + 3);
    assertThat(call.isClosed()).isFalse();
    simulation.advance(Duration.ofSeconds(10));
    assertThat(call.messages()).hasSize(10);
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void waitingMessagesOfALostConnectionCanStillBeRead() {
    Server server = simulation.with(Texts.BIDI, held).serve();
    ManagedChannel channel = simulation.channelBuilder().workBudget(budget).build();
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(1_000);
    simulation.run();
    held.only().call().setCompression("gzip");
    held.only().answers(mebibytes(10));
    held.only().ends();
    simulation.run();
    assertThat(call.messages()).hasSizeLessThan(10);
    server.shutdownNow();
    channel.shutdownNow();
    simulation.advance(SECOND);
    assertThat(call.messages()).hasSize(10);
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aClientsCallThatItsServerHasEndedHasItsDeadlineWhileMessagesWait() {
    simulation.with(Texts.BIDI, held).serve();
    ManagedChannel channel = simulation.channelBuilder().workBudget(budget).build();
    MadeCall call = MadeCall.start(channel, Texts.BIDI, simulation.within(SECOND)).wants(1_000);
    simulation.run();
    held.only().call().setCompression("gzip");
    held.only().answers(mebibytes(10));
    held.only().ends();
    simulation.run();
    assertThat(call.isClosed()).isFalse();
    simulation.advance(SECOND);
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  /** Texts of which some take long to parse; nothing else of a message tells. */
  private static final class SlowTexts implements Marshaller<String> {
    static final String SLOW = "slow" + MEBIBYTE;

    private final SimulatedLoop loop;
    private final Duration takes;
    private int slow;

    SlowTexts(SimulatedLoop loop, Duration takes) {
      this.loop = loop;
      this.takes = takes;
    }

    @Override
    public void write(String message, MessageSink sink) {
      Texts.UNARY.requestMarshaller().write(message, sink);
    }

    @Override
    public String parse(ByteBuffer bytes) {
      String text = Texts.UNARY.requestMarshaller().parse(bytes);
      if (text.startsWith("slow")) {
        slow++;
        loop.spend(takes);
      }
      return text;
    }
  }

  /** A method whose slow requests take so long, served. */
  private MethodDescriptor<String, String> serveSlow(Duration takes) {
    MethodDescriptor<String, String> method =
        MethodDescriptor.of(
            MethodType.BIDI_STREAMING,
            Texts.SERVICE + "/Slow",
            new SlowTexts(simulation.loop(), takes),
            Texts.UNARY.responseMarshaller());
    simulation.with(method, held);
    serve();
    return method;
  }

  @Test
  void aConnectionWhoseMessagesParseSlowlyIsSlowed() {
    MethodDescriptor<String, String> slow = serveSlow(Duration.ofMillis(99)); // 32 more than it may
    ManagedChannel channel = simulation.channel();
    String[] messages = new String[10];
    Arrays.fill(messages, SlowTexts.SLOW);
    MadeCall.whole(channel, slow, messages);
    simulation.run();
    assertThat(held.only().messages()).hasSizeLessThan(3);
    MadeCall.whole(simulation.channel(), slow, MEBIBYTE);
    simulation.run();
    assertThat(held.all().getLast().messages()).as("another connection's").hasSize(1);
    MadeCall.whole(channel, slow, "small");
    simulation.run();
    assertThat(held.all().getLast().messages()).as("a small one").hasSize(1);
    simulation.advance(Duration.ofSeconds(10));
    assertThat(held.all().getFirst().messages()).hasSizeBetween(2, 5);
    simulation.advance(Duration.ofSeconds(80));
    assertThat(held.all().getFirst().messages()).hasSize(10);
  }

  @Test
  void messagesThatParseFastEnoughAreNotSlowed() {
    MethodDescriptor<String, String> slow = serveSlow(Duration.ofMillis(67)); // 64 ns a byte
    MadeCall call = MadeCall.start(simulation.channel(), slow);
    simulation.run();
    for (int i = 1; i <= 100; i++) {
      call.says(SlowTexts.SLOW);
      simulation.run();
      assertThat(held.only().messages()).hasSize(i);
    }
  }

  @Test
  void afterALongPassFurtherMessagesAreParsedByTheirReaders() {
    List<Runnable> handlers = new ArrayList<>();
    SlowTexts texts = new SlowTexts(simulation.loop(), Duration.ofMillis(2));
    MethodDescriptor<String, String> method =
        MethodDescriptor.of(
            MethodType.BIDI_STREAMING,
            Texts.SERVICE + "/Slow",
            texts,
            Texts.UNARY.responseMarshaller());
    simulation.with(method, held);
    Simulation.start(simulation.serverBuilder().dispatch(Dispatch.on(handlers::add)));
    String[] messages = new String[60];
    Arrays.fill(messages, "slow" + Texts.ofLength(15_000));
    MadeCall.whole(simulation.channel(), method, messages);
    simulation.run();
    int onLoop = texts.slow;
    assertThat(onLoop).isLessThan(20);
    handlers.forEach(Runnable::run);
    simulation.run();
    assertThat(held.only().messages()).hasSize(60);
    assertThat(texts.slow).isEqualTo(60);
  }
}
