package dev.gannet.transport.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.ConnectionContext;
import dev.gannet.server.HandlerRegistry;
import dev.gannet.server.Server;
import dev.gannet.server.ServerTransportFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a server runs on the thread of its client does not see the call that is served there. */
final class ForeignCallsTest {
  private final World world = new World();
  private final Handler handler = new Handler(1);
  private final CallContext foreign = CallContext.forTest().build();
  private final List<Optional<CallContext>> seen = new ArrayList<>();

  private void look() {
    seen.add(CallContext.current());
  }

  private Heard foreignCall(ManagedChannel channel) {
    Heard[] heard = new Heard[1];
    foreign.run(() -> heard[0] = World.call(channel, Texts.UNARY, "request"));
    return heard[0];
  }

  private void sawNone(int times) {
    assertThat(seen).hasSize(times).containsOnly(Optional.empty());
  }

  @Test
  void anInterceptorOfHeaders() {
    World.start(
        world.serverBuilder(Texts.UNARY, handler).interceptHeaders((call, headers) -> look()));
    foreignCall(world.channel());
    sawNone(1);
  }

  @Test
  void aTracer() {
    World.start(
        world
            .serverBuilder(Texts.UNARY, handler)
            .addTracer(call -> {
              look();
              return ServerStreamTracer.none();
            }));
    foreignCall(world.channel());
    sawNone(1);
  }

  @Test
  void aTracerOfARefusedCall() {
    World.start(
        world
            .serverBuilder(Texts.BIDI, handler)
            .addTracer(call -> {
              look();
              return ServerStreamTracer.none();
            }));
    Heard heard = foreignCall(world.channel());
    world.run();
    assertThat(heard.status().code()).isEqualTo(Status.Code.UNIMPLEMENTED);
    sawNone(1);
  }

  @Test
  void aFallbackRegistry() {
    HandlerRegistry registry =
        name -> {
          look();
          return Optional.empty();
        };
    World.start(world.serverBuilder(Texts.BIDI, handler).addFallbackHandlerRegistry(registry));
    foreignCall(world.channel());
    sawNone(1);
  }

  private final class Filter implements ServerTransportFilter {
    @Override
    public void onTransportReady(ConnectionContext connection) {
      look();
    }

    @Override
    public void onTransportTerminated(ConnectionContext connection) {
      look();
    }
  }

  @Test
  void aTransportFilter() {
    Server server =
        World.start(world.serverBuilder(Texts.UNARY, handler).addTransportFilter(new Filter()));
    foreignCall(world.channel());
    world.run();
    sawNone(1);
    server.shutdown();
    foreign.run(() -> handler.only().call().close(Status.CANCELLED));
    world.run();
    sawNone(2);
  }
}
