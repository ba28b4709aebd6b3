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
 * A greeter that calls another greeter. The code does not mention deadlines or cancellation: a call
 * that a handler makes inherits the deadline of the handler's call, and is cancelled with it.
 */
public final class Relay implements Greeter {
  private final GreeterClient backend;

  /** Calls the greeter behind this channel. */
  public Relay(Channel backend) {
    // The earlier deadline applies: this one, or the inherited one.
    this.backend = GreeterClient.of(backend).withDeadline(Duration.ofSeconds(30));
  }

  @Override
  public HelloReply sayHello(HelloRequest request) {
    try {
      return backend.sayHello(request);
    } catch (StatusException e) {
      if (e.status().code() == Status.Code.NOT_FOUND) {
        throw e.passOn(); // otherwise callers get UNKNOWN and learn nothing about the backend
      }
      throw e;
    }
  }
}
