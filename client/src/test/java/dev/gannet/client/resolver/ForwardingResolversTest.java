package dev.gannet.client.resolver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.client.TestResolver;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A resolver around another one changes what the channel gets, and is otherwise that one. */
final class ForwardingResolversTest {
  private static final Target TARGET = Target.parse("test:///name", "test"::equals);
  private static final List<Endpoint> BOTH = List.of(endpoint(1), endpoint(2));

  private final TestResolver names = new TestResolver();
  private final List<Resolution> results = new ArrayList<>();

  @BeforeEach
  void answerLater() {
    names.answer = Optional.empty();
  }

  private static Endpoint endpoint(int port) {
    SocketAddress address = InetSocketAddress.createUnresolved("host", port);
    return Endpoint.of(address);
  }

  private static final class Revised extends ForwardingNameResolverProvider {
    private final UnaryOperator<Resolution> revision;

    Revised(NameResolverProvider delegate, UnaryOperator<Resolution> revision) {
      super(delegate);
      this.revision = revision;
    }

    @Override
    public NameResolver create(Target target, NameResolver.Context context) {
      return new Resolver(super.create(target, context));
    }

    private final class Resolver extends ForwardingNameResolver {
      Resolver(NameResolver delegate) {
        super(delegate);
      }

      @Override
      protected Resolution revise(Resolution result) {
        return revision.apply(result);
      }
    }
  }

  private static final class Unchanged extends ForwardingNameResolver {
    Unchanged(NameResolver delegate) {
      super(delegate);
    }
  }

  private NameResolver started(UnaryOperator<Resolution> revision) {
    NameResolver resolver = new Revised(names, revision).create(TARGET, new NoContext());
    resolver.start(results::add);
    return resolver;
  }

  private void finds(Resolution result) {
    names.last().listener.onResult(result);
  }

  private static Resolution firstOnly(Resolution result) {
    return result instanceof Resolution.Resolved all
        ? all.withEndpoints(all.endpoints().subList(0, 1))
        : result;
  }

  @Test
  void theChannelGetsTheRevisedResults() {
    started(ForwardingResolversTest::firstOnly);
    finds(Resolution.of(BOTH));
    Resolution.Failed failed = Resolution.failed(Status.UNAVAILABLE);
    finds(failed);
    assertThat(results).containsExactly(Resolution.of(List.of(endpoint(1))), failed);
  }

  @Test
  void byDefaultResultsAreUnchanged() {
    new Unchanged(names.create(TARGET, new NoContext())).start(results::add);
    finds(Resolution.of(BOTH));
    assertThat(results).containsExactly(Resolution.of(BOTH));
  }

  @Test
  void aRevisionThatThrowsIsAFailedResolution() {
    IllegalStateException thrown = new IllegalStateException("no zone");
    started(result -> {
      throw thrown;
    });
    finds(Resolution.of(BOTH));
    assertThat(results)
        .singleElement()
        .isInstanceOfSatisfying(
            Resolution.Failed.class,
            it -> {
              assertThat(it.why().code()).isEqualTo(Status.Code.UNAVAILABLE);
              assertThat(it.why().description().orElseThrow()).contains("no zone");
              assertThat(it.why().cause()).hasValue(thrown);
            });
  }

  @Test
  void theOtherResolverIsRefreshedToldOfRejectionsAndShutDown() {
    NameResolver resolver = started(UnaryOperator.identity());
    resolver.refresh();
    resolver.onRejected(Resolution.of(List.of()), Status.UNAVAILABLE.withDescription("empty"));
    resolver.shutdown();
    TestResolver.Made made = names.last();
    assertThat(made.refreshes).isOne();
    assertThat(made.rejections).containsExactly("empty");
    assertThat(made.shutDown).isTrue();
  }

  @Test
  void aProviderAroundAnotherOneIsForItsTargets() {
    NameResolverProvider dns = NameResolverProvider.dns();
    NameResolverProvider around = new Revised(dns, UnaryOperator.identity());
    Target target = Target.parse("dns:///host", "dns"::equals);
    assertThat(around.scheme()).isEqualTo("dns");
    assertThat(around.priority()).isEqualTo(dns.priority());
    assertThat(around.authority(target)).isEqualTo(dns.authority(target));
    assertThat(around.describe(target)).isEqualTo(dns.describe(target));
    assertThat(around.bringsServiceConfig()).isEqualTo(dns.bringsServiceConfig());
  }
}
