package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.api.transport.HttpProxy;
import dev.gannet.client.resolver.HostPort;
import dev.gannet.client.subchannel.ProxyConnector;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.FaultReports;
import dev.gannet.transport.PeerFaults;
import dev.gannet.transport.ProxiedAddress;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.settings.TransportSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Connections through a proxy begin with its own address, and end as soon as nobody wants them. */
final class ProxyTest {
  private static final HttpProxy PROXY = HttpProxy.of("127.0.0.1", 3128);

  private final List<Runnable> tasks = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final FakeConnector behind = new FakeConnector();
  private final InetSocketAddress server = InetSocketAddress.createUnresolved("server", 1);

  private final class Later implements Scheduler {
    @Override
    public Cancellable schedule(Runnable task, long delayNanos) {
      throw new AssertionError("no timer is needed");
    }

    @Override
    public void offload(Runnable task) {
      tasks.add(task);
    }

    @Override
    public RandomGenerator random() {
      return new SplittableRandom();
    }

    @Override
    public long nanoTime() {
      return 0;
    }
  }

  private final class Told implements TransportProvider.Opening {
    @Override
    public String authority() {
      return "localhost";
    }

    @Override
    public String serverName() {
      return authority();
    }

    @Override
    public void onOpened(ClientTransport transport) {}

    @Override
    public void onNotOpened(String why) {
      failures.add(why);
    }

    @Override
    public void onReady() {}

    @Override
    public void onGoingAway(Status why) {}

    @Override
    public void onTooManyPings() {}

    @Override
    public FaultReports faults() {
      return new PeerFaults(System::nanoTime);
    }

    @Override
    public void onTerminated(Status why) {}
  }

  private Scheduler.Cancellable connect(HttpProxy proxy, SocketAddress to) {
    return new ProxyConnector(proxy, behind, new Later())
        .connect(to, TransportSettings.OF_CLIENTS, new Told());
  }

  @Test
  void theProxyGetsTheUnresolvedNameOfTheServer() {
    Scheduler.Cancellable connecting = connect(PROXY, server);
    tasks.removeFirst().run();
    assertThat(behind.last().address)
        .isEqualTo(
            new ProxiedAddress(
                PROXY, new InetSocketAddress(InetAddress.getLoopbackAddress(), 3128), server))
        .hasToString("server:1 through the proxy 127.0.0.1:3128");
    connecting.cancel();
    assertThat(behind.last().takenBack).isTrue();
  }

  @Test
  void aConnectionCancelledDuringTheLookUpIsNotStarted() {
    connect(PROXY, server).cancel();
    tasks.removeFirst().run();
    assertThat(behind.dials).isEmpty();
    assertThat(failures).containsExactly("the connection is no longer needed");
  }

  @Test
  void addressesWithoutPortsNeedNoProxy() {
    SocketAddress unix = UnixDomainSocketAddress.of("/tmp/socket");
    connect(PROXY, unix);
    assertThat(behind.last().address).isEqualTo(unix);
    new ProxyConnector(PROXY, behind, new Later()).close();
    assertThat(behind.closes).isOne();
  }

  @Test
  void withoutSettingsTheJvmHasNoProxy() {
    assertThat(JvmProxy.to(HostPort.of("server", 1))).isEmpty();
    assertThat(JvmProxy.to(HostPort.of("2001:db8::1", 1))).isEmpty();
  }
}
