package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.FaultReports;
import dev.gannet.transport.PeerFaults;
import dev.gannet.transport.ServerCallEventListener;
import dev.gannet.transport.ServerCalls;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.ServerStream;
import dev.gannet.transport.ServerTransport;
import dev.gannet.transport.TransportProvider;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Every transport asks a server's engine for each call, before anything of its request arrives. */
@ParameterizedClass
@EnumSource
final class BegunCallsTest {
  private static final Metadata.Key<String> WHY = Metadata.Key.ascii("why");

  private final Simulation simulation;
  private final List<String> heard = new ArrayList<>();

  BegunCallsTest(Medium medium) {
    this.simulation = new Simulation(medium);
  }

  /** An engine that gives each call this admission, and answers none. */
  private record Engine(Supplier<CallAdmission> admission, List<String> heard)
      implements TransportProvider.Accepting,
          TransportProvider.Accepted,
          ServerCalls,
          ServerMethod<String, String> {
    @Override
    public boolean admit(SocketAddress remote) {
      return true;
    }

    @Override
    public Optional<TransportProvider.Accepted> accept(ConnectionInfo connection) {
      return Optional.of(this);
    }

    @Override
    public ServerCalls calls() {
      return this;
    }

    @Override
    public Optional<ServerMethod<?, ?>> find(String path) {
      return Optional.of(this);
    }

    @Override
    public MethodDescriptor<String, String> descriptor() {
      return Texts.UNARY;
    }

    @Override
    public ServerCallEventListener begin(ServerStream<String> stream) {
      return new Listener(this, stream);
    }

    @Override
    public void onOpened(ServerTransport transport) {}

    @Override
    public void onNotOpened() {}

    @Override
    public void onFailed(SocketAddress remote, String why) {}

    @Override
    public void onGone(SocketAddress remote) {}

    @Override
    public void onNotAccepted() {}

    @Override
    public void onStopped() {}

    @Override
    public void onSlowPass() {}

    @Override
    public FaultReports faults() {
      return new PeerFaults(System::nanoTime);
    }

    @Override
    public void onTerminated(ServerTransport transport) {}
  }

  private record Listener(Engine engine, ServerStream<String> stream)
      implements ServerCallEventListener {
    @Override
    public @Nullable CallContext context() {
      return null;
    }

    @Override
    public CallAdmission onBegun() {
      engine.heard.add("begun");
      return engine.admission.get();
    }

    @Override
    public void add(CallEvent event) {
      if (event instanceof CallEvent.Closed closed) {
        engine.heard.add("closed " + closed.status());
        stream.handlerEnded();
      } else {
        engine.heard.add("request");
      }
    }

    @Override
    public void flush() {}

    @Override
    public boolean isMessageRequested() {
      return true;
    }
  }

  private MadeCall call(Supplier<CallAdmission> admission) {
    simulation.listen(new Engine(admission, heard));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "question");
    simulation.run();
    return call;
  }

  @Test
  void anAdmittedCallBeginsOnceBeforeItsRequest() {
    call(() -> CallAdmission.ADMITTED);
    assertThat(heard).startsWith("begun", "request").containsOnlyOnce("begun");
  }

  @Test
  void nothingOfARefusedCallArrivesButItsEnd() {
    Metadata trailers = new Metadata();
    trailers.set(WHY, "policy");
    Status status = Status.PERMISSION_DENIED.withDescription("not you");
    MadeCall call = call(() -> new CallAdmission.Refused(status, trailers));
    assertThat(heard).containsExactly("begun", "closed PERMISSION_DENIED: not you");
    assertThat(call.status()).hasToString("PERMISSION_DENIED: not you");
    assertThat(call.heard().trailers().get(WHY)).hasValue("policy");
  }

  @Test
  void anEngineThatThrowsRefusesTheCall() {
    MadeCall call =
        call(() -> {
          throw new IllegalStateException("broken");
        });
    assertThat(heard).hasSize(2).first().isEqualTo("begun");
    assertThat(heard.getLast()).startsWith("closed INTERNAL: the call cannot be started");
    assertThat(call.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(call.words()).isEqualTo("the call cannot be started");
  }
}
