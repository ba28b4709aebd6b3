package dev.gannet.examples.greeter;

import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.Incoming;
import dev.gannet.client.ManagedChannel;
import java.time.Duration;

/** Calls a {@link GreeterServer} of this machine, once with each kind of call. */
public final class CallGreeter {
  private static final Duration MAX_WAIT = Duration.ofSeconds(5);

  private CallGreeter() {}

  /** Runs it. */
  public static void main(String[] args) {
    try (ManagedChannel channel = ManagedChannel.builder("localhost:50051").plaintext().build()) {
      GreeterClient greeter = GreeterClient.of(channel).withDeadline(MAX_WAIT);
      System.out.println(greeter.sayHello(named("Ada")).getMessage());
      repeat(greeter);
      greetAll(greeter);
      converse(greeter);
    } catch (StatusException e) {
      System.err.println("the call failed: " + e.status());
    }
  }

  private static void repeat(GreeterClient greeter) {
    RepeatRequest request = RepeatRequest.newBuilder().setName("Grace").setTimes(3).build();
    try (Incoming<HelloReply> replies = greeter.repeatHello(request)) {
      for (HelloReply reply : replies) {
        System.out.println(reply.getMessage());
      }
    }
  }

  private static void greetAll(GreeterClient greeter) {
    try (ClientStreamingCall<HelloRequest, GroupReply> call = greeter.greetAll()) {
      call.send(named("Ada"));
      call.send(named("Grace"));
      System.out.println(call.finish().getMessage());
    }
  }

  private static void converse(GreeterClient greeter) {
    try (BidiStreamingCall<HelloRequest, HelloReply> call = greeter.converse()) {
      call.send(named("Ada"));
      System.out.println(call.next().getMessage());
      call.halfClose();
    }
  }

  private static HelloRequest named(String name) {
    return HelloRequest.newBuilder().setName(name).build();
  }
}
