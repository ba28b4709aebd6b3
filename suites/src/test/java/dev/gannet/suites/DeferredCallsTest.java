package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.DeferredClientCall;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A call that an interceptor chooses when it starts. */
final class DeferredCallsTest {
  private static final Metadata.Key<String> TENANT = Metadata.Key.ascii("tenant");
  private static final Metadata.Key<String> SHARD = Metadata.Key.ascii("shard");

  private final HeldCalls held = new HeldCalls(0);
  private final Simulation simulation =
      new Simulation().with(Texts.UNARY, held).with(Texts.BIDI, held);
  private final RecordingClientListener<String> heard = new RecordingClientListener<>();
  private ManagedChannel direct = simulation.channel();
  private Channel channel = direct;

  /** Chooses the shard of a call by its tenant. */
  private record Sharding() implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new DeferredClientCall<>() {
        @Override
        protected ClientCall<Q, R> newCall(Metadata headers) {
          String shard = "shard of " + headers.get(TENANT).orElse("nobody");
          return next.newCall(method, options.withHeader(SHARD, shard));
        }
      };
    }
  }

  @BeforeEach
  void serve() {
    simulation.serve();
    direct = simulation.channel();
    channel = ClientInterceptor.intercept(direct, List.of(new Sharding()));
  }

  @AfterEach
  void nothingIsLeft() {
    direct.shutdownNow();
    simulation.run();
    assertThat(direct.isTerminated()).isTrue();
  }

  private ClientCall<String, String> bidi() {
    return channel.newCall(Texts.BIDI, CallOptions.DEFAULT);
  }

  @Test
  void theCallMayDependOnItsHeaders() {
    Metadata headers = new Metadata();
    headers.set(TENANT, "acme");
    MadeCall call =
        MadeCall.start(channel, Texts.UNARY, CallOptions.DEFAULT, headers)
            .wants(1)
            .says("question")
            .halfCloses();
    simulation.run();
    assertThat(held.only().headers().get(SHARD)).hasValue("shard of acme");
    held.only().answers("answer");
    held.only().ends();
    simulation.run();
    assertThat(call.messages()).containsExactly("answer");
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(call.call().peer()).isPresent();
  }

  @Test
  void aCallThatWasCancelledEarlyEndsWhenItIsStarted() {
    ClientCall<String, String> call = bidi();
    IllegalStateException cause = new IllegalStateException("bored");
    call.cancel("no longer wanted", cause);
    call.cancel("once more");
    assertThat(heard.isClosed()).isFalse();
    call.start(heard);
    simulation.run();
    assertThat(heard.status()).hasToString("CANCELLED: no longer wanted");
    assertThat(heard.status().cause()).containsSame(cause);
    assertThat(held.all()).isEmpty();
  }

  @Test
  void aStartedCallIsCancelledAtOnce() {
    ClientCall<String, String> call = bidi();
    call.start(heard);
    simulation.run();
    call.cancel("no longer wanted");
    simulation.run();
    assertThat(heard.status()).hasToString("CANCELLED: no longer wanted");
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void messagesThatWereRequestedEarlyAreDelivered() {
    ClientCall<String, String> call = bidi();
    call.request(1);
    call.request(1);
    call.start(heard);
    call.sendMessage("question");
    simulation.run();
    held.only().answers("a");
    held.only().answers("b");
    held.only().answers("c");
    simulation.run();
    assertThat(heard.messages()).containsExactly("a", "b");
    call.request(1);
    simulation.run();
    assertThat(heard.messages()).containsExactly("a", "b", "c");
  }

  @Test
  void thereIsNothingToSeeBeforeTheStart() {
    ClientCall<String, String> call = bidi();
    assertThat(call.isReady()).isFalse();
    assertThat(call.isResponseCompressed()).isFalse();
    assertThat(call.peer()).isEmpty();
    assertThat(call.sslSession()).isEmpty();
    assertThat(call).asString().endsWith("(not started)");
  }

  @Test
  void nothingCanBeSentBeforeTheStart() {
    ClientCall<String, String> call = bidi();
    assertThatThrownBy(() -> call.sendMessage("early")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(call::halfClose).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> call.request(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aCallStartsOnce() {
    ClientCall<String, String> call = bidi();
    call.start(heard);
    assertThatThrownBy(() -> call.start(heard))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the call was already started");
  }

  @Test
  void whatIsSetBeforeTheStartAppliesToTheCall() {
    AtomicReference<Boolean> compression = new AtomicReference<>();
    DeferredClientCall<String, String> call =
        new DeferredClientCall<>() {
          @Override
          protected ClientCall<String, String> newCall(Metadata headers) {
            return new ForwardingClientCall<>(direct.newCall(Texts.BIDI, CallOptions.DEFAULT)) {
              @Override
              public void setMessageCompression(boolean enabled) {
                compression.set(enabled);
              }
            };
          }
        };
    call.setMessageCompression(false);
    assertThat(compression).hasNullValue();
    call.start(heard);
    assertThat(compression).hasValue(false);
    call.setMessageCompression(true);
    assertThat(compression).hasValue(true);
  }

  private static DeferredClientCall<String, String> making(
      @Nullable ClientCall<String, String> call) {
    return new DeferredClientCall<>() {
      @Override
      @SuppressWarnings("NullAway") // the mistake that is told
      protected ClientCall<String, String> newCall(Metadata headers) {
        return call;
      }
    };
  }

  @Test
  void aCallThatIsNullIsTold() {
    assertThatThrownBy(() -> making(null).start(heard))
        .isInstanceOf(NullPointerException.class)
        .hasMessageMatching("newCall of " + DeferredCallsTest.class.getName() + ".* returned null");
  }

  @Test
  void aCallThatCannotBeMadeIsNotStarted() {
    DeferredClientCall<String, String> failing =
        new DeferredClientCall<>() {
          @Override
          protected ClientCall<String, String> newCall(Metadata headers) {
            throw new IllegalStateException("no such tenant");
          }
        };
    assertThatThrownBy(() -> failing.start(heard)).hasMessage("no such tenant");
    failing.cancel("given up");
    simulation.run();
    assertThat(heard.isClosed()).isFalse();
    assertThatThrownBy(() -> failing.sendMessage("late")).isInstanceOf(IllegalStateException.class);
  }
}
