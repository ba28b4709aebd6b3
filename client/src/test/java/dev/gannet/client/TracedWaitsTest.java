package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.ClientStreamTracer;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.transport.NotProcessed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A tracer learns for what an attempt has waited before it had its stream. */
final class TracedWaitsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final TestChannel test = new TestChannel();
  private final List<ClientStreamTracer.Opened> opened = new ArrayList<>();

  TracedWaitsTest() {
    test.tracers = List.of(call -> new Noting());
  }

  private final class Noting implements ClientCallTracer, ClientStreamTracer {
    @Override
    public ClientStreamTracer newAttempt(ClientStreamTracer.Start attempt) {
      return this;
    }

    @Override
    public void onStreamOpened(Opened stream) {
      opened.add(stream);
    }

    @Override
    public void onEnd(Status status, Metadata trailers) {}
  }

  private ClientStreamTracer.Opened opens(FakeTransport on) {
    on.stream().headersAreSent();
    return opened.getLast();
  }

  private static List<Duration> times(ClientStreamTracer.Opened stream) {
    return List.of(stream.inResolver(), stream.inQueue(), stream.inCredentials());
  }

  private static List<Duration> seconds(int inResolver, int inQueue, int inCredentials) {
    return List.of(
        SECOND.multipliedBy(inResolver),
        SECOND.multipliedBy(inQueue),
        SECOND.multipliedBy(inCredentials));
  }

  @Test
  void aCallOnAReadyConnectionHasNotWaited() {
    FakeTransport transport = test.connected();
    test.call();
    assertThat(times(opens(transport))).isEqualTo(seconds(0, 0, 0));
  }

  @Test
  void theTimesForAddressesForAConnectionAndForCredentialsAreApart() {
    CompletableFuture<Metadata> answer = new CompletableFuture<>();
    test.resolver.answer = Optional.empty();
    test.call(CallOptions.DEFAULT.withCallCredentials(request -> answer));
    test.advance(SECOND);
    test.resolver.last().listener.onResult(TestResolver.endpoints(1));
    test.advance(SECOND.multipliedBy(2));
    FakeTransport transport = test.dial().becomesReady();
    test.advance(SECOND.multipliedBy(3));
    answer.complete(new Metadata());
    assertThat(times(opens(transport))).isEqualTo(seconds(1, 2, 3));
  }

  @Test
  void aWaitForAFreeStreamCountsAsOneForAConnection() {
    FakeTransport transport = test.connected();
    test.call();
    long since = test.loop.nanoTime();
    test.advance(SECOND);
    transport.stream().hasWaitedSince(since);
    assertThat(times(opens(transport))).isEqualTo(seconds(0, 1, 0));
  }

  @Test
  void anAttemptHasItsOwnTimes() {
    test.call();
    test.advance(SECOND);
    FakeTransport transport = test.dial().becomesReady();
    assertThat(times(opens(transport))).isEqualTo(seconds(0, 1, 0));
    assertThat(transport.stream().isNotProcessed(NotProcessed.REFUSED)).isTrue();
    assertThat(times(opens(transport))).isEqualTo(seconds(0, 0, 0));
  }
}
