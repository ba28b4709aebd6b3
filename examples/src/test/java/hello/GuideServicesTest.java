package hello;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gannet.api.HeadersInterceptor;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.server.MutableHandlerRegistry;
import dev.gannet.testing.GannetExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of docs/guide.md about services that are added while a server runs. */
final class GuideServicesTest {
  private static final Metadata.Key<String> TOKEN = Metadata.Key.ascii("token");

  private final HelloRequest ada = HelloRequest.newBuilder().setName("Ada").build();

  @RegisterExtension final GannetExtension gannet = GannetExtension.inProcess();

  @Test
  void aServiceIsAddedLaterWithItsChecks() {
    HeadersInterceptor authentication =
        (call, headers) -> {
          if (headers.get(TOKEN).isEmpty()) {
            throw Status.UNAUTHENTICATED.asException();
          }
        };
    MutableHandlerRegistry registry = new MutableHandlerRegistry();
    GreeterClient greeter =
        GreeterClient.of(
            gannet.channelTo(gannet.serve(it -> it.addFallbackHandlerRegistry(registry))));
    assertEquals(Status.Code.UNIMPLEMENTED, refusal(greeter));
    // begin service added later
    registry.add(new MyGreeter(), it -> it.withHeadersInterceptor(authentication));
    // end
    assertEquals(Status.Code.UNAUTHENTICATED, refusal(greeter));
    assertEquals("Hello Ada", greeter.withHeader(TOKEN, "secret").sayHello(ada).getMessage());
  }

  private Status.Code refusal(GreeterClient greeter) {
    return assertThrows(StatusException.class, () -> greeter.sayHello(ada)).status().code();
  }
}
