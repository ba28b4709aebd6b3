package dev.gannet.client.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Names are looked up by the JDK, away from the thread that asks. */
final class DnsResolverTest {
  private final NameResolverProvider provider = NameResolverProvider.dns();
  private final List<Runnable> offloaded = new ArrayList<>();
  private final List<Resolution> results = new ArrayList<>();

  private static Target target(String text) {
    return Target.parse(text, "dns"::equals);
  }

  private NameResolver start(String text) {
    NameResolver resolver = provider.create(target(text), offloaded::add);
    resolver.start(results::add);
    return resolver;
  }

  private Resolution resultOf(String text) {
    start(text);
    assertThat(results).isEmpty();
    offloaded.removeFirst().run();
    return results.removeFirst();
  }

  private Status failureOf(String text) {
    return ((Resolution.Failed) resultOf(text)).why();
  }

  @Test
  void eachAddressIsAnEndpoint() {
    Resolution.Resolved resolved = (Resolution.Resolved) resultOf("two.test:5");
    assertThat(resolved.endpoints())
        .extracting(it -> ((InetSocketAddress) it.addresses().getFirst()).getAddress())
        .extracting(it -> it.getHostAddress())
        .containsExactly("192.0.2.1", "192.0.2.2");
    assertThat(resolved.endpoints())
        .allMatch(it -> ((InetSocketAddress) it.addresses().getFirst()).getPort() == 5);
  }

  @Test
  void aRefreshLooksUpAgain() {
    NameResolver resolver = start("dns:///192.0.2.9:5");
    resolver.refresh();
    offloaded.forEach(Runnable::run);
    resolver.shutdown();
    assertThat(results).hasSize(2).allMatch(Resolution.Resolved.class::isInstance);
  }

  @Test
  void aRefreshBeforeTheStartIsTheStartsBusiness() {
    provider.create(target("192.0.2.9:5"), offloaded::add).refresh();
    assertThat(offloaded).isEmpty();
  }

  @Test
  void anUnknownHostIsNamed() {
    Status why = failureOf("no.such.test:5");
    assertThat(why).hasToString("UNAVAILABLE: unknown host no.such.test");
    assertThat(why.cause()).containsInstanceOf(UnknownHostException.class);
  }

  @Test
  void aLookUpThatThrowsHasFailed() {
    assertThat(failureOf(TestHosts.BREAKING + ":5").description())
        .hasValue("cannot look up breaking.test: the resolver broke");
    assertThat(failureOf(TestHosts.BREAKING_SILENTLY + ":5").description())
        .hasValue("cannot look up silently.breaking.test: java.lang.LinkageError");
  }

  @Test
  void withoutAThreadItHasFailed() {
    NameResolver resolver =
        provider.create(
            target("two.test:5"),
            task -> {
              throw new RejectedExecutionException("full");
            });
    resolver.start(results::add);
    assertThat(((Resolution.Failed) results.getFirst()).why().description())
        .hasValue("no thread to look up two.test on: full");
  }

  @Test
  void itsTargetIsAHostAndAPort() {
    assertThat(provider.scheme()).isEqualTo("dns");
    assertThat(provider.priority()).isZero();
    assertThat(provider.authority(target("dns:///[::1%lo]:5"))).isEqualTo("[::1]:5");
    assertThat(provider.describe(target("dns:///host:5"))).isEqualTo("host:5");
    assertThatThrownBy(() -> provider.authority(target("host")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a target")
        .hasMessageContaining("'host'");
    assertThatThrownBy(() -> provider.authority(target("dns://192.0.2.1/host:5")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("DNS server");
  }
}
