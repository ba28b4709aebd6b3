package dev.gannet.examples.auth;

import dev.gannet.examples.greeter.Greeter;
import dev.gannet.examples.greeter.HelloReply;
import dev.gannet.examples.greeter.HelloRequest;

/** Greets the calling user and ignores the name in the request. */
public final class PersonalGreeter implements Greeter {
  /** A greeter for all users. */
  public PersonalGreeter() {}

  @Override
  public HelloReply sayHello(HelloRequest request) {
    return HelloReply.newBuilder().setMessage("Hello " + User.current().name()).build();
  }
}
