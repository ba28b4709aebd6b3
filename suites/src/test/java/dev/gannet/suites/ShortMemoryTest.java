package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.Status;
import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.client.ManagedChannel;
import dev.gannet.http2.Limits;
import dev.gannet.http2.WindowLimits;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.server.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * If memory is short, connections that only hold memory are closed, not a client that is served and
 * holds more than each of them.
 */
final class ShortMemoryTest {
  private static final int KIB = 1 << 10;
  private static final int HEADER_BYTES = 7 * KIB;
  private static final int PART_BYTES = 11 * KIB;
  private static final int SECONDS = 40;
  private static final Metadata HEADERS = new Metadata();

  static {
    HEADERS.add(Metadata.Key.ascii("note"), "n".repeat(HEADER_BYTES));
  }

  private final Simulation simulation =
      new Simulation()
          .with(Texts.UNARY, new Repeating())
          .with(Texts.BIDI, new HeldCalls())
          .with(Texts.CLIENT_STREAMING, new HeldCalls(0));
  private final List<ObedientClient> holders = new ArrayList<>();
  private final List<MadeCall> honestCalls = new ArrayList<>();
  private final List<MadeCall> honestStreams = new ArrayList<>();

  /** Answers with as many letters as it was asked for. */
  private static final class Repeating implements ServerCallHandler<String, String> {
    @Override
    public ServerCall.Listener<String> startCall(
        ServerCall<String, String> call, Metadata headers) {
      call.request(2);
      return new Repeat(call);
    }
  }

  private record Repeat(ServerCall<String, String> call) implements ServerCall.Listener<String> {
    @Override
    public void onMessage(String letters) {
      call.sendMessage(Texts.ofLength(Integer.parseInt(letters)));
      call.close(Status.OK, new Metadata());
    }
  }

  /** Ways to hold 18 KiB or so, or more, and to look alive. */
  enum Way {
    NOTHING_ELSE,
    ONE_CALL_FIRST,
    A_BYTE_A_SECOND,
    A_CALL_NOW_AND_THEN,
    HEADERS_WITHOUT_MESSAGE,
    REQUEST_WITHOUT_MESSAGE,
    REQUEST_WITHOUT_END,
    WHOLE_BUT_NOT_TAKEN,
    ANSWERS_THAT_ARE_NOT_READ,
    ANSWERS_READ_BY_THE_BYTE
  }

  private static final Limits CLOSED_STREAMS =
      Limits.DEFAULT.withWindows(WindowLimits.fixed(1, Limits.INITIAL_WINDOW_BYTES));

  /** One attacker, and the stream that it continues. */
  private final class Holder {
    private final Way way;
    private ObedientClient client;
    private Http2Stream stream;

    Holder(Way way) {
      this.way = way;
      this.client = connect(way);
      this.stream = begin(way, client);
    }

    /** What it does each second; it reconnects if its connection was closed. */
    void goOn(int second) {
      if (client.isClosed() || client.goAway().isPresent()) {
        client = connect(way);
        stream = begin(way, client);
      } else if (way == Way.A_BYTE_A_SECOND && !client.ended().contains(stream.id())) {
        client.goesOn(stream, 1);
      } else if (way == Way.A_CALL_NOW_AND_THEN && second % 3 == 0) {
        client.asks(Texts.UNARY, "1");
      } else if (way == Way.ANSWERS_READ_BY_THE_BYTE && !client.ended().contains(stream.id())) {
        client.reads(stream, 1);
      }
    }
  }

  private ObedientClient connect(Way way) {
    boolean closed = way == Way.ANSWERS_THAT_ARE_NOT_READ || way == Way.ANSWERS_READ_BY_THE_BYTE;
    ObedientClient client =
        ObedientClient.connect(simulation, closed ? CLOSED_STREAMS : Limits.DEFAULT);
    holders.add(client);
    if (way == Way.ONE_CALL_FIRST) {
      client.asks(Texts.UNARY, "1");
      simulation.run();
    }
    return client;
  }

  private static Http2Stream begin(Way way, ObedientClient client) {
    return switch (way) {
      case NOTHING_ELSE, ONE_CALL_FIRST, A_BYTE_A_SECOND, A_CALL_NOW_AND_THEN ->
          begin(client, Texts.BIDI, 1 << 20);
      case HEADERS_WITHOUT_MESSAGE -> openThree(client, Texts.BIDI);
      case REQUEST_WITHOUT_MESSAGE -> openThree(client, Texts.UNARY);
      case REQUEST_WITHOUT_END -> begin(client, Texts.UNARY, PART_BYTES);
      case WHOLE_BUT_NOT_TAKEN -> begin(client, Texts.CLIENT_STREAMING, PART_BYTES);
      case ANSWERS_THAT_ARE_NOT_READ, ANSWERS_READ_BY_THE_BYTE -> client.asks(Texts.UNARY, "18000");
    };
  }

  private static Http2Stream begin(
      ObedientClient client, MethodDescriptor<?, ?> method, int messageBytes) {
    Http2Stream stream = client.opens(method, HEADERS);
    client.begins(stream, messageBytes, PART_BYTES);
    return stream;
  }

  private static Http2Stream openThree(ObedientClient client, MethodDescriptor<?, ?> method) {
    client.opens(method, HEADERS);
    client.opens(method, HEADERS);
    return client.opens(method, HEADERS);
  }

  private void holdsAgainst(Way way, int count, MemoryBudget memory, int rounds) {
    Server server = Simulation.start(simulation.serverBuilder().memoryBudget(memory));
    ManagedChannel honest =
        simulation.channelBuilder().memoryBudget(MemoryBudget.ofBytes(1 << 30)).build();
    for (int i = 0; i < 50; i++) {
      honestStreams.add(MadeCall.start(honest, Texts.BIDI));
    }
    serveHonest(honest);
    simulation.advance(Duration.ofSeconds(20));
    serveHonest(honest);
    List<Holder> all = new ArrayList<>();
    for (int second = 0; second < rounds; second++) {
      for (int i = 0; i < count && all.size() < count; i++) {
        all.add(new Holder(way));
      }
      for (Holder holder : all) {
        holder.goOn(second);
      }
      serveHonest(honest);
      simulation.advance(Duration.ofSeconds(1));
      assertThat(memory.heldBytes()).as("held").isLessThan(memory.limitBytes() * 5 / 4);
    }
    assertThat(honestCalls).allSatisfy(call -> assertThat(call.status()).isEqualTo(Status.OK));
    assertThat(honestStreams).noneMatch(MadeCall::isClosed);
    assertThat(holders).as("somebody paid, for there was too much").anyMatch(this::hasPaid);
    server.shutdownNow();
    simulation.run();
  }

  private boolean hasPaid(ObedientClient holder) {
    return holder.goAway().isPresent() || !holder.ended().isEmpty();
  }

  private void serveHonest(ManagedChannel honest) {
    for (int i = 0; i < 10; i++) {
      honestCalls.add(MadeCall.whole(honest, Texts.UNARY, "100"));
    }
    simulation.run();
  }

  @ParameterizedTest
  @EnumSource
  void servedConnectionsSurviveConnectionsThatOnlyHoldMemory(Way way) {
    holdsAgainst(way, 300, MemoryBudget.ofBytes(4 << 20), SECONDS);
  }

  @Test
  void aBusyConnectionSurvivesFourThousandThatHoldLess() {
    holdsAgainst(Way.NOTHING_ELSE, 4000, MemoryBudget.ofBytes(64 << 20), 3);
  }
}
