package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Headers that an interceptor adds to every call of a channel. */
final class AddedHeadersTest {
  private static final Metadata.Key<String> TENANT = Metadata.Key.ascii("tenant");

  private final HeldCalls held = new HeldCalls(0);
  private final Simulation simulation = new Simulation().with(Texts.UNARY, held);

  /** Puts the header into the options of its calls. */
  private record InOptions(String value) implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return next.newCall(method, options.withHeader(TENANT, value));
    }
  }

  private static ClientInterceptor setting(String value) {
    return ClientInterceptor.addingHeaders(headers -> headers.set(TENANT, value));
  }

  private List<String> sentBy(ClientInterceptor... interceptors) {
    return sentBy(new Metadata(), interceptors);
  }

  /** The tenants that the server gets; the first interceptor is the outermost. */
  private List<String> sentBy(Metadata ofCaller, ClientInterceptor... interceptors) {
    simulation.serve();
    Channel channel = ClientInterceptor.intercept(simulation.channel(), List.of(interceptors));
    MadeCall.start(channel, Texts.UNARY, CallOptions.DEFAULT, ofCaller)
        .wants(1)
        .says("question")
        .halfCloses();
    simulation.run();
    return held.only().headers().getAll(TENANT);
  }

  @Test
  void everyCallSendsThem() {
    assertThat(sentBy(setting("acme"))).containsExactly("acme");
  }

  @Test
  void anInnerInterceptorSeesThemAndMayChangeThem() {
    List<Optional<String>> seen = new ArrayList<>();
    ClientInterceptor inner =
        ClientInterceptor.addingHeaders(headers -> {
          seen.add(headers.get(TENANT));
          headers.set(TENANT, "inner");
        });
    assertThat(sentBy(setting("outer"), inner)).containsExactly("inner");
    assertThat(seen).containsExactly(Optional.of("outer"));
  }

  @Test
  void theHeadersOfTheCallerAreThereToAddTo() {
    Metadata ofCaller = new Metadata();
    ofCaller.set(TENANT, "of the caller");
    ClientInterceptor adding = ClientInterceptor.addingHeaders(it -> it.add(TENANT, "added"));
    assertThat(sentBy(ofCaller, adding)).containsExactly("of the caller", "added");
  }

  @Test
  void headersInTheOptionsReplaceThem() {
    assertThat(sentBy(new InOptions("options"), setting("added"))).containsExactly("options");
  }

  @Test
  void aCallCannotStartIfTheyCannotBeMade() {
    simulation.serve();
    ClientInterceptor failing =
        ClientInterceptor.addingHeaders(headers -> {
          throw new IllegalStateException("no tenant");
        });
    Channel channel = ClientInterceptor.intercept(simulation.channel(), List.of(failing));
    assertThatThrownBy(() -> MadeCall.start(channel, Texts.UNARY))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no tenant");
  }
}
