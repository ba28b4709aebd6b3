package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.Limits;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.transport.PeerFaults;
import dev.gannet.transport.RegistryFailures;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A log that cannot be written costs no call its end. */
final class BrokenLogsTest {
  private static final Metadata.Key<String> BAD = Metadata.Key.ascii("bad");

  private final HeldCalls held = new HeldCalls();
  private final Simulation simulation = new Simulation();
  private final Logger logger = Logger.getLogger(PeerFaults.class.getName());
  private final Handler broken = new Broken();

  private static final class Broken extends Handler {
    @Override
    public void publish(LogRecord line) {
      throw new IllegalStateException("the disk is full");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @AfterEach
  void mend() {
    logger.removeHandler(broken);
  }

  @Test
  void aCallWhoseClientBreaksARuleIsCancelled() {
    simulation.with(Texts.BIDI, held).serve();
    RawPeer client = simulation.rawClient(Limits.DEFAULT);
    Http2Stream call =
        client.asks(
            EndStream.NO,
            ":method",
            "POST",
            ":scheme",
            "http",
            ":path",
            "/" + Texts.BIDI.fullMethodName(),
            "content-type",
            "application/grpc",
            "te",
            "trailers",
            "content-length",
            "3");
    simulation.run();
    assertThat(held.all()).hasSize(1);
    logger.addHandler(broken);
    client.sendsContent(call, "more than three", EndStream.NO);
    assertThatThrownBy(simulation::run).hasMessage("the disk is full");
    simulation.network().cutAll("as an exception does");
    simulation.run();
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void anInterceptorWhoseExceptionCannotBeLoggedCostsNoOtherCall() {
    simulation.with(Texts.BIDI, held);
    Simulation.start(
        simulation
            .serverBuilder()
            .interceptHeaders((call, headers) -> {
              if (headers.get(BAD).isPresent()) {
                throw new IllegalArgumentException("bad");
              }
            }));
    ManagedChannel channel = simulation.channel();
    MadeCall good = MadeCall.start(channel, Texts.BIDI).wants(10).says("x");
    simulation.run();
    assertThat(held.all()).hasSize(1);
    Logger ofInterceptors = Logger.getLogger("dev.gannet.server.HeadersGuard");
    ofInterceptors.addHandler(broken);
    try {
      Metadata headers = new Metadata();
      headers.set(BAD, "yes");
      MadeCall bad = MadeCall.start(channel, Texts.BIDI, CallOptions.DEFAULT, headers).says("x");
      simulation.run();
      assertThat(bad.code()).isEqualTo(Status.Code.UNKNOWN);
    } finally {
      ofInterceptors.removeHandler(broken);
    }
    assertThat(good.isClosed()).isFalse();
  }

  @Test
  void aFallbackRegistryWhoseExceptionCannotBeLoggedCostsNoOtherCall() {
    simulation.with(Texts.BIDI, held);
    Simulation.start(
        simulation
            .serverBuilder()
            .addFallbackHandlerRegistry(name -> {
              throw new IllegalArgumentException("no such method");
            }));
    ManagedChannel channel = simulation.channel();
    MadeCall good = MadeCall.start(channel, Texts.BIDI).wants(10).says("x");
    simulation.run();
    assertThat(held.all()).hasSize(1);
    Logger ofRegistries = Logger.getLogger(RegistryFailures.class.getName());
    ofRegistries.addHandler(broken);
    try {
      MadeCall bad = MadeCall.start(channel, Texts.UNARY).says("x");
      simulation.run();
      assertThat(bad.code()).isEqualTo(Status.Code.INTERNAL);
    } finally {
      ofRegistries.removeHandler(broken);
    }
    assertThat(good.isClosed()).isFalse();
  }
}
