package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.http2.EndStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients say that they are: the application's own part first, the library's behind it. */
final class UserAgentTest {
  private final Simulation simulation = new Simulation();
  private final List<String> heard = new ArrayList<>();

  private String heardFrom(ManagedChannelBuilder builder) {
    simulation.serveRaw((server, stream) -> {
      heard.add(server.heard(stream).field("user-agent"));
      server.sends(stream, EndStream.YES, ":status", "200", "grpc-status", "0");
    });
    MadeCall.whole(builder.build(), Texts.UNARY, "");
    simulation.run();
    assertThat(heard).hasSize(1);
    return heard.getFirst();
  }

  @Test
  void theLibraryNamesItselfAndItsVersion() {
    assertThat(heardFrom(simulation.channelBuilder()))
        .matches("grpc-java-gannet/\\d+\\.\\d+\\.\\d+");
  }

  @ParameterizedTest
  @ValueSource(strings = {"app", "app/1.0", "app/1.0 lib/2 (batch; eu, 7)"})
  void theUserAgentOfTheApplicationComesFirst(String own) {
    assertThat(heardFrom(simulation.channelBuilder().userAgent(own)))
        .startsWith(own + " grpc-java-gannet/");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " app",
        "app ",
        "app  lib",
        "app/",
        "/1.0",
        "app/1/2",
        "app\r\nx: y",
        "app\u0000",
        "\u00e4pp",
        "(comment)",
        "app (a(b))",
        "app (a",
        "a@b"
      })
  void anythingElseIsRefused(String own) {
    assertThatThrownBy(() -> simulation.channelBuilder().userAgent(own))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not a user agent");
  }
}
