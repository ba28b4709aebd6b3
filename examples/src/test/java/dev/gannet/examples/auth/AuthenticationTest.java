package dev.gannet.examples.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallContext;
import dev.gannet.client.ManagedChannel;
import dev.gannet.examples.greeter.GreeterClient;
import dev.gannet.examples.greeter.GreeterMethods;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.testing.FakeServer;
import dev.gannet.testing.GannetExtension;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls are let in by their token, and greeted by their user. */
final class AuthenticationTest {
  private static final HelloRequest REQUEST = HelloRequest.getDefaultInstance();

  @RegisterExtension final GannetExtension gannet = GannetExtension.inProcess();
  @RegisterExtension final GannetExtension loopback = GannetExtension.onLoopback();

  private GreeterClient greeter() {
    ManagedChannel channel =
        gannet.channelTo(
            gannet.serve(it ->
                it.intercept(new Authentication(Map.of("abc", new User("Ada"))))
                    .add(new PersonalGreeter())));
    return GreeterClient.of(channel);
  }

  @Test
  void aUserIsGreetedByName() {
    GreeterClient ada = greeter().withCallCredentials(new BearerToken("abc"));
    assertThat(ada.sayHello(REQUEST).getMessage()).isEqualTo("Hello Ada");
  }

  @Test
  void callersWithoutAKnownTokenAreRefused() {
    GreeterClient nobody = greeter();
    assertThatThrownBy(() -> nobody.sayHello(REQUEST))
        .hasMessage("UNAUTHENTICATED: a known bearer token is needed");
    GreeterClient stranger = nobody.withCallCredentials(new BearerToken("xyz"));
    assertThatThrownBy(() -> stranger.sayHello(REQUEST)).hasMessageStartingWith("UNAUTHENTICATED");
  }

  @Test
  void aTokenIsNotSentOverPlaintext() {
    FakeServer server = loopback.fake(new PersonalGreeter());
    GreeterClient ada =
        GreeterClient.of(loopback.channelTo(server.address()))
            .withCallCredentials(new BearerToken("abc"));
    assertThatThrownBy(() -> ada.sayHello(REQUEST)).hasMessageStartingWith("UNAUTHENTICATED");
    assertThat(server.calls(GreeterMethods.SAY_HELLO)).isEmpty();
  }

  /** A handler can be tested without a server, too. */
  @Test
  void theHandlerAsksItsContext() throws Exception {
    CallContext context = CallContext.forTest().value(User.KEY, new User("Grace")).build();
    assertThat(context.call(() -> new PersonalGreeter().sayHello(REQUEST)).getMessage())
        .isEqualTo("Hello Grace");
  }
}
