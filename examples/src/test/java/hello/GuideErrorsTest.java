package hello;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.server.Server;
import dev.gannet.testing.GannetExtension;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of docs/guide.md about errors. */
final class GuideErrorsTest {
  private final HelloRequest ada = HelloRequest.newBuilder().setName("Ada").build();

  @RegisterExtension final GannetExtension gannet = GannetExtension.inProcess();

  private static final class NoSuchUserException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoSuchUserException(String name) {
      super("there is no user " + name);
    }
  }

  private record Nobodies() implements Greeter {
    @Override
    public HelloReply sayHello(HelloRequest request) {
      throw new NoSuchUserException(request.getName());
    }
  }

  @Test
  void exceptionsBecomeStatuses() {
    Server server =
        gannet.serve(builder -> {
          // begin translated exceptions
          ServerInterceptor statuses =
              ServerInterceptor.translating(thrown ->
                  thrown instanceof NoSuchUserException
                      ? Optional.of(
                          Status.NOT_FOUND.withDescription(thrown.getMessage()).asException())
                      : Optional.empty());
          builder.intercept(statuses);
          // end
          return builder.add(new Nobodies());
        });
    GreeterClient greeter = GreeterClient.of(gannet.channelTo(server));
    StatusException thrown = assertThrows(StatusException.class, () -> greeter.sayHello(ada));
    assertEquals("NOT_FOUND: there is no user Ada", thrown.status().toString());
  }
}
