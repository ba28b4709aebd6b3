package dev.gannet.resolver.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The system's servers, its search list, and its hosts. */
@Timeout(60)
class SystemDnsTest {
  @TempDir private Path folder = Path.of("");

  private SystemDns system(String resolvConf, String hosts) throws IOException {
    return new SystemDns(
        Files.writeString(folder.resolve("resolv.conf"), resolvConf),
        Optional.of(Files.writeString(folder.resolve("hosts"), hosts)));
  }

  private SystemDns.Servers servers(String resolvConf) throws IOException {
    return system(resolvConf, "").servers();
  }

  private static List<String> hosts(SystemDns.Servers servers) {
    return servers.servers().stream()
        .map(it -> it.getAddress().getHostAddress() + ":" + it.getPort())
        .toList();
  }

  @Test
  void atMostThreeServersAreUsed() throws IOException {
    assertThat(
            hosts(
                servers(
                    """
                    # a comment
                    nameserver 192.0.2.1
                    \tnameserver   2001:db8::53   # behind it
                    nameserver not-an-address
                    nameserver
                    nameserver 192.0.2.3
                    nameserver 192.0.2.4
                    """)))
        .containsExactly("192.0.2.1:53", "2001:db8:0:0:0:0:0:53:53", "192.0.2.3:53");
  }

  @Test
  void withoutServersTheLocalOneIsAsked() throws IOException {
    assertThat(hosts(servers("options edns0"))).containsExactly("127.0.0.1:53");
  }

  @Test
  void namesWithFewDotsAreFirstLookedForInTheSearchList() throws IOException {
    SystemDns.Servers servers =
        servers("search default.svc.cluster.local. svc.cluster.local\noptions ndots:5 timeout:1\n");
    assertThat(servers.candidates("greeter"))
        .containsExactly(
            "greeter.default.svc.cluster.local", "greeter.svc.cluster.local", "greeter");
    assertThat(servers.candidates("a.b.c.d.e.f"))
        .containsExactly(
            "a.b.c.d.e.f",
            "a.b.c.d.e.f.default.svc.cluster.local",
            "a.b.c.d.e.f.svc.cluster.local");
    assertThat(servers.candidates("greeter.")).containsExactly("greeter");
  }

  @Test
  void byDefaultANameWithOneDotIsTriedBeforeTheSearchList() throws IOException {
    SystemDns.Servers servers = servers("domain example.com\noptions ndots:x\n");
    assertThat(servers.candidates("a.b")).containsExactly("a.b", "a.b.example.com");
    assertThat(servers.candidates("a")).containsExactly("a.example.com", "a");
    assertThat(servers("nameserver 192.0.2.1").candidates("a")).containsExactly("a");
    assertThat(servers("search a b c d e f g h").search()).hasSize(6);
  }

  @Test
  void theLastNumberOfDotsCountsWhereverItStands() throws IOException {
    assertThat(servers("options ndots:0 timeout:1\n").ndots()).isZero();
    assertThat(servers("options ndots:5\noptions timeout:1\n").ndots()).isEqualTo(5);
    assertThat(servers("options ndots:5 ndots:2\noptions ndots:x\n").ndots()).isEqualTo(2);
  }

  @Test
  void aFileThatCannotBeReadIsAFailureThatNamesIt() throws IOException {
    SystemDns system = new SystemDns(folder, Optional.of(folder.resolve("none")));
    assertThatIOException().isThrownBy(system::servers);
    try (TestLookUps lookUps =
        new TestLookUps("dns:///greeter.test:1", LookUpSettings.DEFAULT.with(system))) {
      assertThat(lookUps.nextFailure()).contains("cannot read " + folder);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aMachineWithoutTheFileAsksTheServersThatTheJdkKnows() throws IOException {
    SystemDns system = new SystemDns(folder.resolve("none"), Optional.empty());
    assertThat(system.servers().servers()).isNotEmpty();
  }

  @Test
  void namesOfTheHostsFileAreNotLookedUp() throws Exception {
    SystemDns system = system("", "127.0.0.5 greeter.test\n::1 greeter.test\n");
    try (TestLookUps lookUps =
        new TestLookUps(
            "dns:///greeter.test:1", LookUpSettings.DEFAULT.with(system).withTtlRefresh())) {
      assertThat(lookUps.nextAddresses())
          .containsExactlyInAnyOrder("127.0.0.5:1", "0:0:0:0:0:0:0:1:1");
      assertThat(lookUps.timers()).containsExactly(Duration.ofSeconds(30));
    }
  }

  @Test
  void localhostIsLoopbackWhateverServersSay() throws Exception {
    SystemDns system = system("nameserver 192.0.2.1", "");
    for (String name : List.of("localhost", "LOCALHOST.", "a.localhost")) {
      try (TestLookUps lookUps =
          new TestLookUps("dns:///" + name + ":1", LookUpSettings.DEFAULT.with(system))) {
        assertThat(lookUps.nextResolved().endpoints())
            .isNotEmpty()
            .allMatch(it -> it.toString().contains("127.0.0.1") || it.toString().contains("0:1"));
      }
    }
  }
}
