package dev.gannet.conformance.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.ForwardingContext;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import dev.gannet.server.Server;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.TestServiceMethods;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server is asked over TLS for nothing that its certificate does not name (gRFC A81). */
@Timeout(60)
final class CallAuthorityTest {
  private static final Duration MAX_WAIT = Duration.ofSeconds(10);

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final Set<SocketAddress> clients = ConcurrentHashMap.newKeySet();

  private final class Listening implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      asked.add(call.context().authority());
      clients.add(call.context().peer());
      return next.startCall(call, headers);
    }
  }

  /** Calls one after the other; the failure of the last that has failed, if one has. */
  private Optional<StatusException> call(
      ServerCredentials ofServer, ChannelCredentials ofClient, String... authorities)
      throws IOException {
    Optional<StatusException> failure = Optional.empty();
    try (Server server =
            Server.builder(0)
                .credentials(ofServer)
                .intercept(new Listening())
                .add(new InteropService())
                .start();
        ManagedChannel channel =
            ManagedChannel.builder("localhost", server.port())
                .overrideAuthority(TestCredentials.SERVER_NAME)
                .credentials(ofClient)
                .build()) {
      for (String authority : authorities) {
        CallOptions options = CallOptions.DEFAULT.withAuthority(authority).withDeadline(MAX_WAIT);
        try {
          BlockingCalls.unary(
              channel, TestServiceMethods.EMPTY_CALL, options, Empty.getDefaultInstance());
        } catch (StatusException e) {
          failure = Optional.of(e);
        }
      }
    }
    return failure;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        TestCredentials.SERVER_NAME,
        "foo.test.google.fr:50051",
        "Other.Test.google.FR",
        "waterzooi.test.google.be",
        "a.test.youtube.com:443",
        "192.168.1.3",
        "192.168.1.3:443"
      })
  void authoritiesThatTheCertificateNamesAreAllowed(String authority) throws IOException {
    assertThat(call(TestCredentials.ofServer(), TestCredentials.ofClient(), authority, authority))
        .isEmpty();
    assertThat(asked).containsExactly(authority, authority);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "other.example",
        "test.google.fr",
        "a.b.test.google.fr",
        ".test.google.fr",
        "*.test.google.fr",
        "foo.test.google.fr.",
        "a%2Fb.test.google.fr",
        "waterzooi.test.google.be.example",
        "192.168.1.4",
        "[::1]:443",
        "*"
      })
  void authoritiesThatTheCertificateDoesNotNameAreRefused(String authority) throws IOException {
    assertThat(call(TestCredentials.ofServer(), TestCredentials.ofClient(), authority))
        .hasValueSatisfying(failure ->
            assertThat(failure)
                .hasMessageStartingWith(
                    "UNAVAILABLE: the server's certificate does not name " + authority));
    assertThat(asked).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a/b.test.google.fr",
        "[foo.test.google.fr]",
        "waterzooi.test.google.be@other.example",
        "waterzooi.test.google.be:1:2"
      })
  void anInvalidAuthorityIsRefusedWhenItIsSet(String authority) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CallOptions.DEFAULT.withAuthority(authority))
        .withMessageContaining("is not an authority")
        .withMessageContaining(authority);
  }

  /** The channel's own authority is none that the server could prove. */
  @Test
  void serversProveTheAuthoritiesOfTheirEndpoints() throws IOException {
    try (Server server =
            Server.builder(0)
                .credentials(TestCredentials.ofServer())
                .intercept(new Listening())
                .add(new InteropService())
                .start();
        ManagedChannel channel =
            ManagedChannel.builder("two:///servers")
                .addNameResolver(
                    new TwoServers(
                        server.port(), List.of("a.test.google.fr", "b.test.google.fr:5")))
                .roundRobin()
                .credentials(TestCredentials.ofClient())
                .build()) {
      CallOptions options = CallOptions.DEFAULT.withDeadline(MAX_WAIT);
      while (clients.size() < 2) {
        BlockingCalls.unary(
            channel, TestServiceMethods.EMPTY_CALL, options, Empty.getDefaultInstance());
      }
    }
    assertThat(asked).contains("a.test.google.fr", "b.test.google.fr:5").doesNotContain("servers");
  }

  /** Servers at one port with authorities of their own. */
  private record TwoServers(int port, List<String> authorities) implements NameResolverProvider {
    @Override
    public String scheme() {
      return "two";
    }

    @Override
    public NameResolver create(Target target, NameResolver.Context context) {
      Endpoint at = Endpoint.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      Resolution result = Resolution.of(authorities.stream().map(at::withAuthority).toList());
      return new NameResolver() {
        @Override
        public void start(Listener listener) {
          listener.onResult(result);
        }

        @Override
        public void refresh() {}

        @Override
        public void shutdown() {}
      };
    }
  }

  /** Uses one endpoint, and asks it for this authority. */
  private record PickedAuthority(String authority) implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "picked_authority";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return LoadBalancerProvider.pickFirst().create(new Naming(context, authority));
    }
  }

  private record Naming(LoadBalancer.Context context, String authority)
      implements ForwardingContext {
    @Override
    public void updateState(ConnectivityState state, Picker picker) {
      context.updateState(state, args -> named(picker.pick(args)));
    }

    private Pick named(Pick pick) {
      return pick instanceof Pick.Use use ? use.withAuthority(authority) : pick;
    }
  }

  private Optional<StatusException> callPicked(String picked, CallOptions options)
      throws IOException {
    try (Server server =
            Server.builder(0)
                .credentials(TestCredentials.ofServer())
                .intercept(new Listening())
                .add(new InteropService())
                .start();
        ManagedChannel channel =
            ManagedChannel.builder("localhost", server.port())
                .overrideAuthority(TestCredentials.SERVER_NAME)
                .loadBalancer(new PickedAuthority(picked))
                .credentials(TestCredentials.ofClient())
                .build()) {
      BlockingCalls.unary(
          channel,
          TestServiceMethods.EMPTY_CALL,
          options.withDeadline(MAX_WAIT),
          Empty.getDefaultInstance());
      return Optional.empty();
    } catch (StatusException e) {
      return Optional.of(e);
    }
  }

  @Test
  void theAuthorityOfAPickHasToBeOneThatTheCertificateNames() throws IOException {
    assertThat(callPicked("a.test.google.fr", CallOptions.DEFAULT)).isEmpty();
    assertThat(asked).containsExactly("a.test.google.fr");
    assertThat(callPicked("other.example", CallOptions.DEFAULT))
        .hasValueSatisfying(failure ->
            assertThat(failure)
                .hasMessageStartingWith(
                    "UNAVAILABLE: the server's certificate does not name other.example"));
    assertThat(asked).hasSize(1);
  }

  @Test
  void theAuthorityOfACallCountsMoreThanThatOfItsPick() throws IOException {
    assertThat(callPicked("other.example", CallOptions.DEFAULT.withAuthority("b.test.google.fr")))
        .isEmpty();
    assertThat(asked).containsExactly("b.test.google.fr");
  }

  @Test
  void aRefusedCallDoesNotAffectOtherCallsOfItsConnection() throws IOException {
    String name = TestCredentials.SERVER_NAME;
    assertThat(
            call(
                TestCredentials.ofServer(),
                TestCredentials.ofClient(),
                name,
                "other.example",
                name))
        .isPresent();
    assertThat(asked).containsExactly(name, name);
    assertThat(clients).hasSize(1);
  }

  @Test
  void plaintextCallsMayUseAnyAuthority() throws IOException {
    assertThat(call(ServerCredentials.insecure(), ChannelCredentials.insecure(), "other.example"))
        .isEmpty();
    assertThat(asked).containsExactly("other.example");
  }
}
