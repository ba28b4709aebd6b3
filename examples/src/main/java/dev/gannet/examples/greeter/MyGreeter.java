package dev.gannet.examples.greeter;

import dev.gannet.api.Status;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import java.util.ArrayList;
import java.util.List;

/**
 * The greeter as {@code greeter.proto} describes it. Keeps nothing between calls; safe for all
 * threads.
 */
public final class MyGreeter implements Greeter {
  /** The maximum number of greetings, so that a single request cannot cost much. */
  public static final int MAX_TIMES = 10_000;

  /**
   * The maximum number of names of a group, because all of them are stored until the last one
   * arrives.
   */
  public static final int MAX_NAMES = 10_000;

  /** A greeter; one is enough for any number of servers. */
  public MyGreeter() {}

  @Override
  public HelloReply sayHello(HelloRequest request) {
    return reply("Hello " + request.getName());
  }

  @Override
  public void repeatHello(RepeatRequest request, Outgoing<HelloReply> responses) {
    if (request.getTimes() < 0 || request.getTimes() > MAX_TIMES) {
      throw Status.INVALID_ARGUMENT
          .withDescription("times must be from 0 to " + MAX_TIMES + ": " + request.getTimes())
          .asException();
    }
    for (int i = 1; i <= request.getTimes(); i++) {
      responses.send(reply("Hello " + request.getName() + " (" + i + ")"));
    }
  }

  @Override
  public GroupReply greetAll(Incoming<HelloRequest> requests) {
    List<String> names = new ArrayList<>();
    for (HelloRequest request : requests) {
      if (names.size() == MAX_NAMES) {
        throw Status.RESOURCE_EXHAUSTED
            .withDescription("a group has " + MAX_NAMES + " names at most")
            .asException();
      }
      names.add(request.getName());
    }
    return GroupReply.newBuilder()
        .setMessage("Hello " + String.join(", ", names))
        .setNames(names.size())
        .build();
  }

  @Override
  public void converse(Incoming<HelloRequest> requests, Outgoing<HelloReply> responses) {
    for (HelloRequest request : requests) {
      responses.send(sayHello(request));
    }
  }

  private static HelloReply reply(String message) {
    return HelloReply.newBuilder().setMessage(message).build();
  }
}
