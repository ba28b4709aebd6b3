package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallContext;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.Status;
import dev.gannet.api.TestCallContext;
import dev.gannet.client.ManagedChannel;
import java.net.InetSocketAddress;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A handler is tested without a server, in a context that the test makes up. */
final class MadeUpContextTest {
  private static final CallContext.Key<String> USER = CallContext.Key.of("user");
  private static final Metadata.Key<String> LANGUAGE = Metadata.Key.ascii("language");
  private static final Metadata.Key<String> QUOTA = Metadata.Key.ascii("quota");

  private final Simulation simulation = new Simulation();

  /** A certificate of which only its identity counts. */
  private static final class NamedCertificate extends Certificate {
    private static final long serialVersionUID = 1;

    NamedCertificate() {
      super("test");
    }

    @Override
    public byte[] getEncoded() {
      return new byte[] {1};
    }

    @Override
    public void verify(PublicKey key) {}

    @Override
    public void verify(PublicKey key, String provider) {}

    @Override
    public PublicKey getPublicKey() {
      throw new UnsupportedOperationException();
    }

    @Override
    public String toString() {
      return "a certificate";
    }
  }

  /** A handler as users write it. */
  private static String greet(String greeting) {
    CallContext context = CallContext.current().orElseThrow();
    context.responseTrailers().set(QUOTA, "1");
    return greeting
        + " "
        + context.value(USER).orElse("nobody")
        + " in "
        + context.requestHeaders().get(LANGUAGE).orElse("silence");
  }

  @Test
  void aHandlerSeesTheContextThatTheTestHasBuilt() throws Exception {
    Metadata headers = new Metadata();
    headers.set(LANGUAGE, "Latin");
    TestCallContext context =
        CallContext.forTest().requestHeaders(headers).value(USER, "Ada").build();
    assertThat(context.call(() -> greet("Salve"))).isEqualTo("Salve Ada in Latin");
    assertThat(context.responseTrailers().get(QUOTA)).hasValue("1");
    assertThat(CallContext.current()).isEmpty();
  }

  @Test
  void everyValueSetInTheBuilderIsFound() {
    InetSocketAddress peer = InetSocketAddress.createUnresolved("somewhere", 7);
    InetSocketAddress server = InetSocketAddress.createUnresolved("here", 8);
    Certificate certificate = new NamedCertificate();
    Deadline deadline = Deadline.after(Duration.ofSeconds(1));
    TestCallContext context =
        CallContext.forTest()
            .method(Texts.UNARY)
            .authority("api.test")
            .deadline(deadline)
            .peer(peer)
            .localAddress(server)
            .securityLevel(SecurityLevel.PRIVACY_AND_INTEGRITY)
            .peerCertificates(List.of(certificate))
            .requestCompressed()
            .build();
    assertThat(context.method()).isEqualTo(Texts.UNARY);
    assertThat(context.authority()).isEqualTo("api.test");
    assertThat(context.deadline()).hasValue(deadline);
    assertThat(context.peer()).isEqualTo(peer);
    assertThat(context.localAddress()).isEqualTo(server);
    assertThat(context.securityLevel()).isEqualTo(SecurityLevel.PRIVACY_AND_INTEGRITY);
    assertThat(context.peerCertificates()).containsExactly(certificate);
    assertThat(context.isRequestCompressed()).isTrue();
    context.setCompression("gzip");
    context.setMessageCompression(false);
    assertThat(context.compression()).hasValue("gzip");
    assertThat(context.messageCompression()).isFalse();
  }

  @Test
  void valuesNotSetInTheBuilderAreAbsentOrDefaults() {
    TestCallContext context = CallContext.forTest().build();
    assertThatThrownBy(context::method).hasMessageContaining("without a method");
    assertThat(context.authority()).isEqualTo("localhost");
    assertThat(context.deadline()).isEmpty();
    assertThat(context.sslSession()).isEmpty();
    assertThat(context.securityLevel()).isEqualTo(SecurityLevel.NONE);
    assertThat(context.peerCertificates()).isEmpty();
    assertThat(context.localAddress()).isNotEqualTo(context.peer());
    assertThat(context.requestHeaders().isEmpty()).isTrue();
    assertThat(context.value(USER)).isEqualTo(Optional.empty());
    assertThat(context.isRequestCompressed()).isFalse();
    assertThat(context.compression()).isEmpty();
    assertThat(context.isCancelled()).isFalse();
  }

  @Test
  void contextsOfOneBuilderAreIndependent() {
    TestCallContext.Builder builder = CallContext.forTest().value(USER, "Ada");
    TestCallContext first = builder.build();
    TestCallContext second = builder.build();
    first.setValue(USER, "Grace");
    first.requestHeaders().set(LANGUAGE, "Greek");
    first.cancel();
    assertThat(second.value(USER)).hasValue("Ada");
    assertThat(second.requestHeaders().isEmpty()).isTrue();
    assertThat(second.isCancelled()).isFalse();
  }

  @Test
  void cancelRunsRegisteredActionsOnce() {
    List<String> run = new ArrayList<>();
    TestCallContext context = CallContext.forTest().build();
    context.onCancelled(() -> run.add("first"));
    context.onCancelled(() -> run.add("taken back")).close();
    context.onCancelled(() -> run.add("second"));
    context.cancel();
    context.cancel();
    context.onCancelled(() -> run.add("late"));
    assertThat(context.isCancelled()).isTrue();
    assertThat(run).containsExactly("first", "second", "late");
  }

  @Test
  void aCancelledContextSaysWhy() {
    TestCallContext context = CallContext.forTest().build();
    assertThat(context.cancellation()).isEmpty();
    context.cancel();
    assertThat(context.cancellation().map(Status::code)).hasValue(Status.Code.CANCELLED);
  }

  @Test
  void theFirstReasonForACancellationStays() {
    List<Optional<Status.Code>> seen = new ArrayList<>();
    TestCallContext context = CallContext.forTest().build();
    context.onCancelled(() -> seen.add(context.cancellation().map(Status::code)));
    context.cancel(Status.DEADLINE_EXCEEDED);
    context.cancel(Status.UNAVAILABLE);
    context.cancel();
    assertThat(context.isCancelled()).isTrue();
    assertThat(context.cancellation()).hasValue(Status.DEADLINE_EXCEEDED);
    assertThat(seen).containsExactly(Optional.of(Status.Code.DEADLINE_EXCEEDED));
  }

  @Test
  void callsMadeInTheContextInheritItsDeadlineAndCancellation() {
    simulation.with(Texts.UNARY, new HeldCalls()).serve();
    ManagedChannel channel = simulation.channel();
    Deadline deadline = Deadline.after(Duration.ofSeconds(5), simulation.loop()::nanoTime);
    List<MadeCall> made = new ArrayList<>();
    TestCallContext timed = CallContext.forTest().deadline(deadline).build();
    timed.run(() -> made.add(MadeCall.whole(channel, Texts.UNARY, "hello")));
    simulation.advance(Duration.ofSeconds(6));
    assertThat(made.getFirst().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    TestCallContext context = CallContext.forTest().build();
    context.run(() -> made.add(MadeCall.whole(channel, Texts.UNARY, "hello")));
    simulation.run();
    context.cancel();
    simulation.run();
    assertThat(made.getLast().code()).isEqualTo(Status.Code.CANCELLED);
    context.run(() -> made.add(MadeCall.whole(channel, Texts.UNARY, "hello")));
    simulation.run();
    assertThat(made.getLast().code()).isEqualTo(Status.Code.CANCELLED);
  }
}
