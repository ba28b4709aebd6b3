package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.gannet.api.CallContext;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.protocol.MessageFrame;
import dev.gannet.server.call.CallCounter;
import dev.gannet.server.call.FakeServerStream;
import dev.gannet.server.call.TestCalls;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.ServerCallEventListener;
import dev.gannet.transport.ServerCalls;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.settings.CallBounds;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a connection adds to its calls: the values of filters, and counters. */
final class ServedConnectionTest {
  private static final CallContext.Key<String> TENANT = CallContext.Key.of("tenant");
  private static final String PATH = "/pkg.Service/Method";

  private final CallCounter ofServer = new CallCounter();
  private final FakeServerStream stream = new FakeServerStream();
  private @Nullable ServerCall<String, String> held;

  private record Blue() implements ServerTransportFilter {
    @Override
    public void onTransportReady(ConnectionContext connection) {
      connection.setValue(TENANT, "blue");
    }
  }

  private record Refusing() implements ServerTransportFilter {
    @Override
    public void onTransportReady(ConnectionContext connection) {
      throw new IllegalArgumentException("not from there");
    }
  }

  private ServerCall.Listener<String> begin(ServerCall<String, String> call, Metadata headers) {
    held = call;
    call.request(2);
    return new ServerCall.Listener<>() {};
  }

  private ServerCall<String, String> call() {
    if (held == null) {
      throw new AssertionError("the handler has not begun");
    }
    return held;
  }

  private final CallIntake intake =
      new CallIntake(
          ServerSettings.Services.of(
              List.of(
                  ServerServiceDefinition.of(
                      "pkg.Service",
                      List.of(TestCalls.served(MethodType.BIDI_STREAMING, this::begin)))),
              Dispatch.inline()),
          ServerSettings.Interception.NONE,
          ServerSettings.Formats.DEFAULT,
          () -> 0);

  private CallCounts ofMethod() {
    return Objects.requireNonNull(intake.counts().get("pkg.Service/Method"));
  }

  private ServedConnection counted() {
    return new ServedConnection(HandTransport.PEER, ofServer);
  }

  @SuppressWarnings("unchecked") // its responses are texts
  private ServerCallEventListener begin(ServerCalls calls) {
    stream.onLoop = true;
    ServerMethod<String, String> method =
        (ServerMethod<String, String>) calls.find(PATH).orElseThrow();
    assertThat(method.descriptor().fullMethodName()).isEqualTo("pkg.Service/Method");
    ServerCallEventListener events = method.begin(stream);
    assertThat(events.onBegun()).isEqualTo(CallAdmission.ADMITTED);
    events.flush();
    return events;
  }

  @Test
  void withoutFiltersAndCountersNothingIsWrapped() {
    ServedConnection plain = new ServedConnection(HandTransport.PEER, null);
    plain.begin(List.of());

    assertThat(plain.calls(intake)).isSameAs(intake);
    assertThat(plain.snapshot().calls().started()).isZero();
  }

  @Test
  void callsSeeTheValuesThatFiltersHaveSet() {
    ServedConnection connection = new ServedConnection(HandTransport.PEER, null);
    connection.begin(List.of(new Blue()));
    ServerCallEventListener events = begin(connection.calls(intake));

    assertThat(connection.value(TENANT)).contains("blue");
    assertThat(Objects.requireNonNull(events.context()).value(TENANT)).contains("blue");
    assertThat(call().context().value(TENANT)).contains("blue");
    assertThat(connection.applicationProtocol()).isEmpty();
    assertThat(connection.peerCertificates()).isEmpty();
    assertThat(connection.securityLevel()).isEqualTo(SecurityLevel.NONE);
  }

  @Test
  void theProtocolIsWhatTheTransportHasNegotiated() {
    ConnectionInfo negotiated =
        new ConnectionInfo(
            HandTransport.ADDRESS, HandTransport.ADDRESS, Optional.empty(), Optional.of("other"));
    assertThat(new ServedConnection(negotiated, null).applicationProtocol()).contains("other");
  }

  @Test
  void afterTheStartFiltersCannotSetValues() {
    ServedConnection connection = counted();
    connection.begin(List.of());
    assertThatThrownBy(() -> connection.setValue(TENANT, "green"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void onlyFiltersThatAcceptedAConnectionAreToldItsEnd() {
    ServedConnection connection = counted();
    Blue first = new Blue();
    assertThatThrownBy(() -> connection.begin(List.of(first, new Refusing(), new Blue())))
        .hasMessage("not from there");
    assertThat(connection.passedFilters()).containsExactly(first);
  }

  @Test
  void aCallSucceedsWhenItsResponseIsWritten() {
    ServedConnection connection = counted();
    ServerCallEventListener events = begin(connection.calls(intake));
    assertThat(events.isMessageRequested()).isTrue();
    events.add(CallEvent.Message.parsed("ask", 3 + MessageFrame.PREFIX_BYTES));
    events.add(new CallEvent.HalfClosed());
    events.flush();
    assertThat(ofMethod().underWay()).isOne();
    assertThat(ofMethod().queued()).isZero();
    call().sendMessage("one");
    call().sendMessage("two");
    assertThat(new CallCounts(ofServer.values()).allEnded()).isZero();
    assertThat(new CallCounts(ofServer.values()).lastStarted()).isPresent();

    call().close(Status.OK, new Metadata());
    events.addAnswered();

    assertThat(new CallCounts(ofServer.values()).ended())
        .containsExactly(entry(Status.Code.OK, 1L));
    assertThat(ofMethod().underWay()).isZero();
    assertThat(ofMethod().ended(Status.Code.OK)).isOne();
    assertThat(ofMethod().ended()).containsOnlyKeys(Status.Code.OK);
    ConnectionSnapshot seen = connection.snapshot();
    assertThat(seen.messagesSent()).isEqualTo(2);
    assertThat(seen.messagesReceived()).isOne();
    assertThat(seen.bytesSent()).isEqualTo("onetwo".length());
    assertThat(seen.bytesReceived()).isEqualTo("ask".length());
    assertThat(ofMethod().sentBytes()).isEqualTo("onetwo".length());
    assertThat(ofMethod().receivedBytes()).isEqualTo("ask".length());
    assertThat(seen.lastMessageSent()).isPresent();
    assertThat(seen.calls().started()).isOne();
    assertThat(seen.calls().answered()).isOne();
    assertThat(new CallCounts(ofServer.values())).asString().isEqualTo(seen.calls().toString());
  }

  @Test
  void aSentFailureCountsAsAnswered() {
    ServedConnection connection = counted();
    ServerCallEventListener events = begin(connection.calls(intake));
    call().close(Status.NOT_FOUND, new Metadata());
    events.add(CallEvent.Closed.atOnce(Status.OK));
    events.flush();

    assertThat(connection.snapshot().calls().answered()).isOne();
    assertThat(connection.snapshot().calls().ended())
        .containsExactly(entry(Status.Code.NOT_FOUND, 1L));
    assertThat(new CallCounts(ofServer.values()).ended())
        .containsExactly(entry(Status.Code.NOT_FOUND, 1L));
    assertThat(ofMethod().ended()).containsOnlyKeys(Status.Code.NOT_FOUND);
  }

  @Test
  void aCancelledCallCountsAsEndedButNotAsAnswered() {
    ServedConnection connection = counted();
    ServerCallEventListener events = begin(connection.calls(intake));
    events.add(CallEvent.Closed.atOnce(Status.CANCELLED));
    events.flush();

    assertThat(connection.snapshot().calls().allEnded()).isOne();
    assertThat(connection.snapshot().calls().answered()).isZero();
    assertThat(new CallCounts(ofServer.values()).ended())
        .containsExactly(entry(Status.Code.CANCELLED, 1L));
    assertThat(ofMethod().ended(Status.Code.CANCELLED)).isOne();
    assertThat(ofMethod().started()).isOne();
  }

  @Test
  void aCountedCallIsServedAsAnyOther() {
    ServedConnection connection = counted();
    ServerCalls calls = connection.calls(intake);
    stream.ready = false;
    begin(calls);

    assertThat(call().isReady()).isFalse();
    assertThat(call().context().authority()).isEqualTo("server");
    assertThat(call().context().deadline()).isEmpty();
    call().fail(Status.ABORTED.asException());
    assertThat(stream.told).contains("close ABORTED");
    assertThat(calls.findFallback("/pkg.Other/Method")).isEqualTo(Optional.empty());
    assertThat(calls.encodings()).isSameAs(intake.encodings());
    ServerMethod<?, ?> method = calls.find(PATH).orElseThrow();
    assertThat(method.limits()).isEqualTo(CallBounds.DEFAULT);
    assertThat(method.described()).isSameAs(intake.find(PATH).orElseThrow().described());
    assertThat(calls.tracers()).isEmpty();
    calls.onSlowPass();
  }
}
