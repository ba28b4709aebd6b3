package dev.gannet.transport.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
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
import dev.gannet.transport.settings.TransportSettings;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A call that the server's engine cannot start, because it throws, ends; the others go on. */
final class UnstartableCallsTest {
  private final World world = new World();
  private final Engine engine = new Engine();

  /** An engine with one method, which throws when it is told to. */
  private static final class Engine
      implements ServerCalls, ServerMethod<String, String>, ServerCallEventListener {
    private final List<ServerStream<String>> begun = new ArrayList<>();
    private boolean throwing;

    @Override
    public Optional<ServerMethod<?, ?>> find(String path) {
      return Optional.of(this);
    }

    @Override
    public MethodDescriptor<String, String> descriptor() {
      return Texts.BIDI;
    }

    @Override
    public ServerCallEventListener begin(ServerStream<String> stream) {
      if (throwing) {
        throw new IllegalStateException("a defect");
      }
      begun.add(stream);
      return this;
    }

    @Override
    public void onSlowPass() {}

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

  /** A server with that engine, which counts its connections. */
  private static final class Accepting
      implements TransportProvider.Accepting, TransportProvider.Accepted {
    private final Engine engine;
    private int connections;

    private Accepting(Engine engine) {
      this.engine = engine;
    }

    @Override
    public boolean admit(SocketAddress remote) {
      connections++;
      return true;
    }

    @Override
    public Optional<TransportProvider.Accepted> accept(ConnectionInfo connection) {
      return Optional.of(this);
    }

    @Override
    public ServerCalls calls() {
      return engine;
    }

    @Override
    public void onOpened(ServerTransport transport) {}

    @Override
    public void onNotOpened() {}

    @Override
    public void onFailed(SocketAddress remote, String why) {}

    @Override
    public void onTerminated(ServerTransport transport) {}

    @Override
    public void onGone(SocketAddress remote) {
      connections--;
    }

    @Override
    public void onNotAccepted() {}

    @Override
    public void onStopped() {}

    @Override
    public FaultReports faults() {
      return new PeerFaults(System::nanoTime);
    }
  }

  private Accepting listen(TransportSettings settings) {
    Accepting accepting = new Accepting(engine);
    try {
      ((TransportProvider) world.transport())
          .listen(world.address(), ServerCredentials.insecure(), settings, accepting);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return accepting;
  }

  private ManagedChannel connected() {
    ManagedChannel channel = world.channel();
    channel.connect();
    world.run();
    return channel;
  }

  private Heard begin(ManagedChannel channel) {
    Heard heard = new Heard();
    World.begin(channel, Texts.BIDI, CallOptions.DEFAULT, new Metadata(), heard);
    world.run();
    return heard;
  }

  private void answer(int call) {
    engine.begun.get(call).close(Status.OK, new Metadata());
    world.run();
  }

  private static void assertCannotBeStarted(Heard heard) {
    assertThat(heard.isClosed()).isTrue();
    assertThat(heard.status()).hasToString("INTERNAL: the call cannot be started");
  }

  @Test
  void aCallThatHasNotWaited() {
    Accepting accepting = listen(TransportSettings.OF_SERVERS);
    ManagedChannel channel = connected();
    Heard first = begin(channel);
    engine.throwing = true;
    Heard second = begin(channel);
    assertCannotBeStarted(second);
    answer(0);
    assertThat(first.status()).isEqualTo(Status.OK);
    channel.shutdown();
    world.run();
    assertThat(channel.isTerminated()).isTrue();
    assertThat(accepting.connections).isZero();
  }

  @Test
  void aCallThatWaitsUntilAnotherOneEnds() {
    Accepting accepting =
        listen(
            TransportSettings.OF_SERVERS.withLimits(
                it -> it.withMaxConcurrentCallsPerConnection(1)));
    ManagedChannel channel = connected();
    Heard first = begin(channel);
    Heard second = begin(channel);
    assertThat(second.isClosed()).isFalse();
    engine.throwing = true;
    answer(0);
    assertThat(first.isClosed()).isTrue();
    assertThat(first.status()).isEqualTo(Status.OK);
    assertCannotBeStarted(second);

    engine.throwing = false;
    Heard third = begin(channel);
    answer(1);
    assertThat(third.status()).isEqualTo(Status.OK);
    channel.shutdown();
    world.run();
    assertThat(channel.isTerminated()).isTrue();
    assertThat(accepting.connections).isZero();
  }
}
