package dev.gannet.examples.deadline;

import dev.gannet.api.Channel;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.examples.greeter.Greeter;
import dev.gannet.examples.greeter.GreeterClient;
import dev.gannet.examples.greeter.HelloReply;
import dev.gannet.examples.greeter.HelloRequest;
import java.time.Duration;

/**
 * A greeter that asks another greeter. It says nothing of deadlines or cancellation: a call that a
 * handler makes has what is left of its own deadline, and is cancelled with it.
 */
public final class Relay implements Greeter {
  private final GreeterClient backend;

  /** Asks the greeter behind that channel. */
  public Relay(Channel backend) {
    // The earlier counts: this one, or what the caller has left.
    this.backend = GreeterClient.of(backend).withDeadline(Duration.ofSeconds(30));
  }

  @Override
  public HelloReply sayHello(HelloRequest request) {
    try {
      return backend.sayHello(request);
    } catch (StatusException e) {
      if (e.status().code() == Status.Code.NOT_FOUND) {
        throw e.passOn(); // without this, callers are told UNKNOWN and nothing of the backend
      }
      throw e;
    }
  }
}
