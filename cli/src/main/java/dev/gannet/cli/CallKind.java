package dev.gannet.cli;

import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.Incoming;
import dev.gannet.cli.greeter.GreeterClient;
import dev.gannet.cli.greeter.HelloReply;
import dev.gannet.cli.greeter.HelloRequest;
import dev.gannet.cli.greeter.RepeatRequest;

/** The four kinds of calls, each with a call that checks its replies. */
enum CallKind {
  UNARY("unary"),
  SERVER_STREAMING("server streaming"),
  CLIENT_STREAMING("client streaming"),
  BIDI_STREAMING("bidi streaming");

  /** How many messages each stream has. */
  static final int STREAM_MESSAGES = 10;

  private final String label;

  CallKind(String label) {
    this.label = label;
  }

  /** Its usual name. */
  String label() {
    return label;
  }

  /**
   * Makes one call and checks every reply.
   *
   * @throws IllegalStateException if a reply is wrong
   * @throws dev.gannet.api.StatusException if the call fails
   */
  void call(GreeterClient greeter, String name) {
    switch (this) {
      case UNARY -> expect("Hello " + name, greeter.sayHello(request(name)));
      case SERVER_STREAMING -> readGreetings(greeter, name);
      case CLIENT_STREAMING -> sendNames(greeter, name);
      case BIDI_STREAMING -> converse(greeter, name);
    }
  }

  private static void readGreetings(GreeterClient greeter, String name) {
    RepeatRequest request =
        RepeatRequest.newBuilder().setName(name).setTimes(STREAM_MESSAGES).build();
    try (Incoming<HelloReply> replies = greeter.repeatHello(request)) {
      for (int i = 1; i <= STREAM_MESSAGES; i++) {
        expect("Hello " + name + " (" + i + ")", replies);
      }
      expectEnd(replies);
    }
  }

  private static void sendNames(GreeterClient greeter, String name) {
    try (ClientStreamingCall<HelloRequest, HelloReply> call = greeter.greetAll()) {
      for (int i = 1; i <= STREAM_MESSAGES; i++) {
        call.send(request(name));
      }
      expect("Hello " + name + " and " + (STREAM_MESSAGES - 1) + " more", call.finish());
    }
  }

  private static void converse(GreeterClient greeter, String name) {
    try (BidiStreamingCall<HelloRequest, HelloReply> call = greeter.converse()) {
      for (int i = 1; i <= STREAM_MESSAGES; i++) {
        call.send(request(name + ", " + i));
        expect("Hello " + name + ", " + i, call);
      }
      call.halfClose();
      expectEnd(call);
    }
  }

  private static HelloRequest request(String name) {
    return HelloRequest.newBuilder().setName(name).build();
  }

  private static void expect(String expected, Incoming<HelloReply> replies) {
    if (!replies.hasNext()) {
      throw new IllegalStateException("the stream ended where \"" + expected + "\" was due");
    }
    expect(expected, replies.next());
  }

  private static void expect(String expected, HelloReply reply) {
    if (!reply.getMessage().equals(expected)) {
      throw new IllegalStateException(
          "the reply was \"" + reply.getMessage() + "\"; expected \"" + expected + "\"");
    }
  }

  private static void expectEnd(Incoming<HelloReply> replies) {
    if (replies.hasNext()) {
      throw new IllegalStateException(
          "\"" + replies.next().getMessage() + "\" came where the stream had to end");
    }
  }
}
