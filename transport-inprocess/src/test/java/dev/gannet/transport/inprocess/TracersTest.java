package dev.gannet.transport.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.ClientStreamTracer;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import dev.gannet.api.StreamTracer;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.client.ManagedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tracers of both sides see every call within a process once, with its final status. */
final class TracersTest {
  private final World world = new World();
  private final List<String> atServer = new ArrayList<>();
  private final List<String> atClient = new ArrayList<>();

  /** Writes what one stream carries, line by line. */
  private static class Lines implements StreamTracer {
    private final List<String> lines;

    Lines(List<String> lines) {
      this.lines = lines;
    }

    @Override
    public void onHeadersSent(Metadata headers) {
      lines.add("headers sent");
    }

    @Override
    public void onMessageSent(int sequence, long wireBytes, long messageBytes) {
      lines.add("sent " + sequence + ": " + wireBytes + " of " + messageBytes);
    }

    @Override
    public void onMessageReceived(int sequence, long wireBytes, long messageBytes) {
      lines.add("received " + sequence + ": " + wireBytes + " of " + messageBytes);
    }

    @Override
    public void onEnd(Status status, Metadata trailers) {
      lines.add("end: " + status.code());
    }
  }

  private static final class OfServer extends Lines implements ServerStreamTracer {
    OfServer(List<String> lines) {
      super(lines);
    }
  }

  private static final class OfClient extends Lines implements ClientStreamTracer {
    private final List<String> lines;

    OfClient(List<String> lines) {
      super(lines);
      this.lines = lines;
    }

    @Override
    public void onStreamOpened(Opened stream) {
      lines.add("opened");
    }
  }

  private record CallOfClient(List<String> lines) implements ClientCallTracer {
    @Override
    public ClientStreamTracer newAttempt(ClientStreamTracer.Start attempt) {
      return new OfClient(lines);
    }
  }

  private ManagedChannel serving(ServerCallHandler<String, String> handler, Dispatch dispatch) {
    World.start(
        world
            .serverBuilder(Texts.UNARY, handler)
            .dispatch(dispatch)
            .addTracer(start -> {
              atServer.add(start.path() + " " + start.method().isPresent());
              return new OfServer(atServer);
            }));
    return world.channelBuilder().addTracer(start -> new CallOfClient(atClient)).build();
  }

  private static String answer(String request) {
    return switch (request) {
      case "throw" -> throw new IllegalStateException("a handler's fault");
      case "not found" -> throw Status.NOT_FOUND.asException();
      default -> request;
    };
  }

  private void callIsSeenFromHeadersToEnd(Dispatch dispatch) {
    ManagedChannel channel = serving(BlockingHandlers.unary(TracersTest::answer), dispatch);
    World.call(channel, Texts.UNARY, "hello");
    world.run();
    assertThat(atServer)
        .containsExactly(
            "/" + Texts.UNARY.fullMethodName() + " true",
            "received 0: 0 of 0", // an object is handed over, and has no size
            "headers sent",
            "sent 0: 0 of 0",
            "end: OK");
    assertThat(atClient)
        .containsExactly(
            "opened", "headers sent", "sent 0: 0 of 0", "received 0: 0 of 0", "end: OK");
  }

  @Test
  void aCallIsSeenFromItsHeadersToItsEnd() {
    callIsSeenFromHeadersToEnd(Dispatch.on(world.loop()));
  }

  @Test
  void aCallOnItsCallersThreadIsSeenInTheSameOrder() {
    callIsSeenFromHeadersToEnd(Dispatch.inline());
  }

  @Test
  void anAccessLogContainsEveryCallWithItsStatus() {
    ManagedChannel channel =
        serving(BlockingHandlers.unary(TracersTest::answer), Dispatch.on(world.loop()));
    for (int i = 0; i < 7; i++) {
      World.call(channel, Texts.UNARY, "hello");
    }
    World.call(channel, Texts.UNARY, "throw");
    World.call(channel, Texts.UNARY, "not found");
    World.call(channel, Texts.BIDI, "nobody serves this");
    world.run();
    List<String> ends = atServer.stream().filter(it -> it.startsWith("end")).toList();
    assertThat(ends)
        .hasSize(10)
        .endsWith("end: UNKNOWN", "end: NOT_FOUND")
        .contains("end: UNIMPLEMENTED");
    assertThat(atServer).contains("/" + Texts.BIDI.fullMethodName() + " false");
    assertThat(atClient.stream().filter(it -> it.startsWith("end"))).hasSize(10);
  }

  @Test
  void aCallThatItsClientCancelsEndsOnce() {
    Handler held = new Handler(1);
    ManagedChannel channel = serving(held, Dispatch.on(world.loop()));
    Heard heard = new Heard();
    ClientCall<String, String> call =
        World.begin(channel, Texts.UNARY, CallOptions.DEFAULT, new Metadata(), heard);
    call.sendMessage("hello");
    call.halfClose();
    world.run();
    call.cancel("enough", new IllegalStateException("enough"));
    world.run();
    held.only().call().close(Status.OK, new Metadata());
    world.run();
    assertThat(atServer.stream().filter(it -> it.startsWith("end")))
        .containsExactly("end: CANCELLED");
  }
}
