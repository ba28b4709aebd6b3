package dev.gannet.client.balancer;

import dev.gannet.api.Marshallers;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.protocol.WireFields;
import java.io.ByteArrayOutputStream;
import java.util.Optional;

/**
 * The health that an endpoint's server reports for a service (gRFC A17), by {@code
 * grpc.health.v1.Health/Watch} on the connection itself.
 *
 * <pre>
 *   NOT ASKED ──watch──► UNKNOWN ──SERVING, UNIMPLEMENTED──► WELL
 *                          │                                 ▲ │
 *                          └──another answer, an end──► FAILING┘
 *
 *   any ──the connection is gone──► UNKNOWN, or NOT ASKED
 * </pre>
 *
 * <p>FAILING lasts until it is WELL, or has another connection or service: while the call is being
 * restarted nothing has improved.
 */
final class EndpointHealth implements Subchannel.Watcher<byte[]> {
  /** The method, with messages of a single field each that need no library. */
  private static final MethodDescriptor<byte[], byte[]> WATCH =
      MethodDescriptor.of(
          MethodType.SERVER_STREAMING,
          "grpc.health.v1.Health/Watch",
          Marshallers.bytes(),
          Marshallers.bytes());

  private static final int SERVING = 1;

  private sealed interface State {
    record NotAsked() implements State {}

    record Unknown() implements State {}

    record Serving() implements State {}

    record Failing(Picker picker) implements State {}
  }

  /** The subchannel and service that are checked. */
  private record Asked(Subchannel subchannel, String service, Registration watch) {
    boolean is(Subchannel now, String wanted) {
      return subchannel.equals(now) && service.equals(wanted);
    }
  }

  private final EndpointChild<?> child;
  private Optional<Asked> asked = Optional.empty();
  private State state = new State.NotAsked();

  EndpointHealth(EndpointChild<?> child) {
    this.child = child;
  }

  /** Checks on this subchannel from now on, if the config requests it. */
  void watch(Subchannel subchannel) {
    Optional<String> wanted = child.context().healthCheckService();
    if (wanted.isPresent()
        ? asked.filter(it -> it.is(subchannel, wanted.get())).isPresent()
        : asked.isEmpty()) {
      return;
    }
    stop();
    state = wanted.isPresent() ? new State.Unknown() : new State.NotAsked();
    asked = wanted.map(it -> new Asked(subchannel, it, subchannel.watch(WATCH, request(it), this)));
    child.onHealth();
  }

  private static byte[] request(String service) {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    WireFields.writeText(request, 1, service);
    return request.toByteArray();
  }

  void stop() {
    asked.ifPresent(it -> it.watch().close());
    asked = Optional.empty();
  }

  /** The connection is gone, and with it its health. */
  void forget() {
    if (asked.isPresent()) {
      state = new State.Unknown();
    }
  }

  @Override
  public void onMessage(byte[] message) {
    long status;
    try {
      status = WireFields.varintIn(message, 1);
    } catch (IllegalArgumentException e) {
      fail("an unreadable response");
      return;
    }
    if (status == SERVING) {
      become(new State.Serving());
    } else {
      fail(nameOf(status));
    }
  }

  private static String nameOf(long status) {
    return switch ((int) status) {
      case 0 -> "UNKNOWN";
      case 2 -> "NOT_SERVING";
      case 3 -> "SERVICE_UNKNOWN";
      default -> "status " + status;
    };
  }

  @Override
  public void onEnded(Status why) {
    if (why.code() == Status.Code.UNIMPLEMENTED) {
      become(new State.Serving()); // no failure is known
    } else {
      fail("the health check ended with " + why);
    }
  }

  private void fail(String what) {
    String service = asked.map(Asked::service).orElse("");
    String subject = service.isEmpty() ? "the server" : "service " + service;
    String who = asked.map(it -> it.subchannel().address().toString()).orElse("");
    String why = "the health check of " + subject + " at " + who + " says: " + what;
    become(new State.Failing(Picker.failing(Status.UNAVAILABLE.withDescription(why))));
  }

  private void become(State next) {
    if (asked.isPresent()) {
      state = next;
      child.onHealth();
    }
  }

  /** The state of an endpoint whose connection is in the given state. */
  ConnectivityState state(ConnectivityState raw) {
    if (raw != ConnectivityState.READY) {
      return raw;
    }
    return switch (state) {
      case State.NotAsked notAsked -> raw;
      case State.Unknown unknown -> ConnectivityState.CONNECTING;
      case State.Serving serving -> raw;
      case State.Failing failing -> ConnectivityState.TRANSIENT_FAILURE;
    };
  }

  /** The picker of an endpoint whose connection has the given picker. */
  Picker picker(ConnectivityState raw, Picker picker) {
    if (raw != ConnectivityState.READY) {
      return picker;
    }
    return switch (state) {
      case State.NotAsked notAsked -> picker;
      case State.Unknown unknown -> Picker.queueing();
      case State.Serving serving -> picker;
      case State.Failing failing -> failing.picker();
    };
  }
}
