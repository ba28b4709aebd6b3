package dev.gannet.benchmarks.load;

import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/** The streaming methods as plain code on threads that may wait. */
final class PlainStreams {
  private PlainStreams() {}

  /** Answers each request of a stream with one response. */
  static void pingPong(Incoming<SimpleRequest> requests, Outgoing<SimpleResponse> responses) {
    for (SimpleRequest request : requests) {
      responses.send(BenchmarkHandlers.respond(request));
    }
  }

  /** Reads a stream as fast as it comes, and answers the last request when it has ended. */
  static SimpleResponse sink(Incoming<SimpleRequest> requests) {
    SimpleRequest last = SimpleRequest.getDefaultInstance();
    for (SimpleRequest request : requests) {
      last = request;
    }
    return BenchmarkHandlers.respond(last);
  }

  /** Sends the response that the request asks for, until sending fails for the call's end. */
  @SuppressWarnings("InfiniteLoopStatement")
  static void source(SimpleRequest request, Outgoing<SimpleResponse> responses) {
    SimpleResponse response = BenchmarkHandlers.respond(request);
    while (true) {
      responses.send(response);
    }
  }
}
