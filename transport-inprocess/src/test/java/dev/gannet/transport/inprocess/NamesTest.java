package dev.gannet.transport.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.io.IOException;
import java.net.BindException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which server a channel finds, and what it is told if there is none. */
final class NamesTest {
  private static Server serve(InProcessAddress address, String answer) throws IOException {
    return Server.builder(address)
        .add(
            ServerServiceDefinition.of(
                Texts.SERVICE,
                List.of(
                    ServerMethodDefinition.of(
                        Texts.UNARY, BlockingHandlers.unary(request -> answer)))))
        .start();
  }

  private static String ask(InProcessAddress address) {
    try (ManagedChannel channel = ManagedChannel.builder(address).build()) {
      return BlockingCalls.unary(channel, Texts.UNARY, CallOptions.DEFAULT, "who?");
    }
  }

  private static Status failure(InProcessAddress address) {
    try {
      throw new AssertionError(ask(address) + " answered");
    } catch (StatusException e) {
      return e.status();
    }
  }

  @Test
  void equalNamesAreOneAddress() throws IOException {
    InProcessAddress address = InProcessAddress.of("equal names");
    assertThat(InProcessAddress.of("equal names")).isEqualTo(address).hasSameHashCodeAs(address);
    try (Server server = serve(address, "me")) {
      assertThat(server.address()).isEqualTo(address);
      assertThat(server.port()).isEqualTo(-1);
      assertThat(ask(InProcessAddress.of("equal names"))).isEqualTo("me");
    }
  }

  @Test
  void anAnonymousAddressEqualsOnlyItself() throws IOException {
    InProcessAddress one = InProcessAddress.anonymous();
    InProcessAddress other = InProcessAddress.anonymous();
    assertThat(one).isNotEqualTo(other);
    try (Server first = serve(one, "one");
        Server second = serve(other, "other")) {
      assertThat(ask(one)).isEqualTo("one");
      assertThat(ask(other)).isEqualTo("other");
      assertThat(first.address()).isNotEqualTo(second.address());
    }
  }

  @Test
  void aNameHasOneServerAtATime() throws IOException {
    InProcessAddress address = InProcessAddress.of("taken");
    try (Server first = serve(address, "first")) {
      assertThatThrownBy(() -> serve(address, "second"))
          .isInstanceOf(BindException.class)
          .hasMessageContaining("inprocess:taken");
      assertThat(ask(address)).isEqualTo("first");
      first.shutdown();
      try (Server next = serve(address, "next")) {
        assertThat(next.isShutdown()).isFalse();
        assertThat(ask(address)).isEqualTo("next");
      }
    }
  }

  @Test
  void aCallToAnUnusedAddressIsUnavailableAndNamesIt() throws IOException {
    InProcessAddress address = InProcessAddress.of("nobody");
    Status before = failure(address);
    assertThat(before.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(before.description().orElseThrow())
        .contains("no server of this process listens at inprocess:nobody");
    serve(address, "somebody").close();
    assertThat(failure(address).description()).isEqualTo(before.description());
  }

  @Test
  void anAddressNeedsAName() {
    assertThatThrownBy(() -> InProcessAddress.of("")).isInstanceOf(IllegalArgumentException.class);
    assertThat(InProcessAddress.of("a")).hasToString("inprocess:a");
    assertThat(InProcessAddress.anonymous().toString()).startsWith("inprocess:anonymous@");
  }

  @Test
  void tlsIsRefused() {
    assertThatThrownBy(() ->
            ManagedChannel.builder(InProcessAddress.of("tls"))
                .credentials(ChannelCredentials.tls())
                .build())
        .isInstanceOf(IllegalArgumentException.class);
  }
}
