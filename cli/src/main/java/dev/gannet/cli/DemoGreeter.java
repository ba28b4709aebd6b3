package dev.gannet.cli;

import dev.gannet.api.Status;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import dev.gannet.cli.greeter.Greeter;
import dev.gannet.cli.greeter.HelloReply;
import dev.gannet.cli.greeter.HelloRequest;
import dev.gannet.cli.greeter.RepeatRequest;

/** The greeter as its {@code .proto} file describes it; stores nothing between calls. */
final class DemoGreeter implements Greeter {
  private static final int MAX_TIMES = 10_000; // so that a single request cannot cause much work

  @Override
  public HelloReply sayHello(HelloRequest request) {
    return hello(request.getName());
  }

  @Override
  public void repeatHello(RepeatRequest request, Outgoing<HelloReply> responses) {
    if (request.getTimes() < 0 || request.getTimes() > MAX_TIMES) {
      throw Status.INVALID_ARGUMENT
          .withDescription("times must be from 0 to " + MAX_TIMES + ": " + request.getTimes())
          .asException();
    }
    for (int i = 1; i <= request.getTimes(); i++) {
      responses.send(hello(request.getName() + " (" + i + ")"));
    }
  }

  @Override
  public HelloReply greetAll(Incoming<HelloRequest> requests) {
    if (!requests.hasNext()) {
      return hello("nobody");
    }
    String first = requests.next().getName();
    long more = 0;
    while (requests.hasNext()) {
      requests.next();
      more++;
    }
    return hello(first + " and " + more + " more");
  }

  @Override
  public void converse(Incoming<HelloRequest> requests, Outgoing<HelloReply> responses) {
    for (HelloRequest request : requests) {
      responses.send(hello(request.getName()));
    }
  }

  private static HelloReply hello(String whom) {
    return HelloReply.newBuilder().setMessage("Hello " + whom).build();
  }
}
