package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCredentials;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.Limits;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.FaultReports;
import dev.gannet.transport.PeerFaults;
import dev.gannet.transport.ServerCallEventListener;
import dev.gannet.transport.ServerCalls;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.ServerStream;
import dev.gannet.transport.ServerTransport;
import dev.gannet.transport.http2.ServerConnection;
import dev.gannet.transport.settings.ConnectionLimits;
import dev.gannet.transport.settings.TransportSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A connection looks a path up once, and not again for each call. */
final class MethodLookupTest {
  private static final String KNOWN = "/" + Texts.UNARY.fullMethodName();
  private static final String UNKNOWN = "/test.Texts/Nothing";
  private static final int CALLS = 20;

  private final Simulation simulation = new Simulation();
  private final Counting calls = new Counting();

  /** Knows one method, and counts what it is asked for. */
  private static final class Counting implements ServerCalls {
    private final List<String> lookedUp = new ArrayList<>();
    private int begun;

    @Override
    public Optional<ServerMethod<?, ?>> find(String path) {
      lookedUp.add(path);
      return path.equals(KNOWN) ? Optional.of(new Begun()) : Optional.empty();
    }

    private final class Begun implements ServerMethod<String, String> {
      @Override
      public MethodDescriptor<String, String> descriptor() {
        return Texts.UNARY;
      }

      @Override
      public ServerCallEventListener begin(ServerStream<String> stream) {
        begun++;
        return new Unheard();
      }
    }

    @Override
    public void onSlowPass() {}
  }

  private record Unheard() implements ServerCallEventListener {
    @Override
    public @Nullable CallContext context() {
      return null;
    }

    @Override
    public CallAdmission onBegun() {
      return CallAdmission.ADMITTED;
    }

    @Override
    public void add(CallEvent event) {}

    @Override
    public void flush() {}

    @Override
    public boolean isMessageRequested() {
      return true;
    }
  }

  private record Nobody() implements ServerTransport.Owner {
    @Override
    public FaultReports faults() {
      return new PeerFaults(System::nanoTime);
    }

    @Override
    public void onTerminated(ServerTransport transport) {}
  }

  @BeforeEach
  void serve() throws IOException {
    simulation
        .network()
        .listen(
            new InetSocketAddress(Simulation.PORT),
            ServerCredentials.insecure(),
            pipe ->
                ServerConnection.over(
                    pipe, ConnectionLimits.of(TransportSettings.OF_SERVERS), calls, new Nobody()));
  }

  private void callOften(RawPeer client, String path) {
    for (int i = 0; i < CALLS; i++) {
      client.asks(
          EndStream.NO,
          ":method",
          "POST",
          ":scheme",
          "http",
          ":path",
          path,
          "content-type",
          "application/grpc",
          "number", // in each list another, so that none is known as a whole
          Integer.toString(i));
      simulation.run();
    }
  }

  @Test
  void aMethodIsLookedUpOncePerConnection() {
    callOften(simulation.rawClient(Limits.DEFAULT), KNOWN);
    assertThat(calls.begun).isEqualTo(CALLS);
    assertThat(calls.lookedUp).containsExactly(KNOWN);
    callOften(simulation.rawClient(Limits.DEFAULT), KNOWN);
    assertThat(calls.begun).isEqualTo(2 * CALLS);
    assertThat(calls.lookedUp).containsExactly(KNOWN, KNOWN);
  }

  @Test
  void anUnknownMethodIsLookedUpOncePerConnection() {
    callOften(simulation.rawClient(Limits.DEFAULT), UNKNOWN);
    assertThat(calls.begun).isZero();
    assertThat(calls.lookedUp).containsExactly(UNKNOWN);
  }
}
