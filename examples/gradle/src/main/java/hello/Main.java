package hello;

import dev.gannet.api.StatusException;
import dev.gannet.api.stub.Incoming;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.io.IOException;
import java.time.Duration;

public final class Main {
  public static void main(String[] args) throws IOException {
    try (Server server = Server.builder(0).plaintext().add(new MyGreeter()).start();
        ManagedChannel channel =
            ManagedChannel.builder("localhost", server.port()).plaintext().build()) {
      GreeterClient greeter = GreeterClient.of(channel).withDeadline(Duration.ofSeconds(5));

      HelloRequest ada = HelloRequest.newBuilder().setName("Ada").build();
      System.out.println(greeter.sayHello(ada).getMessage());

      CountRequest toThree = CountRequest.newBuilder().setTo(3).build();
      try (Incoming<HelloReply> replies = greeter.count(toThree)) {
        for (HelloReply reply : replies) {
          System.out.println(reply.getMessage());
        }
      }

      try {
        greeter.sayHello(HelloRequest.getDefaultInstance());
      } catch (StatusException e) {
        System.out.println(e.status()); // INVALID_ARGUMENT: a name is needed
      }
    }
  }
}
