package dev.gannet.codegen;

import java.util.List;

/** A kind of interface that is generated for a service: what its methods take and return. */
enum Shape {
  BLOCKING_SERVICE(Style.BLOCKING, ""),
  BLOCKING_CLIENT(Style.BLOCKING, "Client"),
  ASYNC_SERVICE(Style.ASYNC, "Async"),
  ASYNC_CLIENT(Style.ASYNC, "AsyncClient"),
  OBSERVER_CLIENT(Style.OBSERVER, "ObserverClient");

  private static final String STUB = "dev.gannet.api.stub.";

  private final Style style;
  private final String ending;

  Shape(Style style, String ending) {
    this.style = style;
    this.ending = ending;
  }

  Style style() {
    return style;
  }

  /** The ending of the interface's name after the service's name. */
  String ending() {
    return ending;
  }

  boolean isClient() {
    return switch (this) {
      case BLOCKING_CLIENT, ASYNC_CLIENT, OBSERVER_CLIENT -> true;
      case BLOCKING_SERVICE, ASYNC_SERVICE -> false;
    };
  }

  /** The full name of the interface that it extends. */
  String parent() {
    return switch (this) {
      case BLOCKING_SERVICE, ASYNC_SERVICE -> "dev.gannet.api.BindableService";
      case BLOCKING_CLIENT -> STUB + "BlockingClient";
      case ASYNC_CLIENT -> STUB + "AsyncClient";
      case OBSERVER_CLIENT -> STUB + "ServiceClient";
    };
  }

  /** The full name of the class with a function for each kind of method. */
  String functions() {
    return switch (this) {
      case BLOCKING_SERVICE -> STUB + "BlockingHandlers";
      case ASYNC_SERVICE -> STUB + "AsyncHandlers";
      case BLOCKING_CLIENT -> STUB + "BlockingCalls";
      case ASYNC_CLIENT -> STUB + "AsyncCalls";
      case OBSERVER_CLIENT -> STUB + "ObserverCalls";
    };
  }

  /** The description of the interface, in HTML. */
  String about() {
    return switch (this) {
      case BLOCKING_SERVICE ->
          "A method that is not overridden answers {@code UNIMPLEMENTED}. An exception of a method"
              + " ends its call.";
      case ASYNC_SERVICE ->
          "A method that is not overridden answers {@code UNIMPLEMENTED}. An exception that a"
              + " method throws, or with which its result fails, ends its call; see {@link"
              + " dev.gannet.api.stub.AsyncHandlers}.";
      case BLOCKING_CLIENT ->
          "Its methods block, and throw {@link dev.gannet.api.StatusException} if a call fails."
              + " Immutable and safe for all threads.";
      case ASYNC_CLIENT ->
          "Its methods do not block; see {@link dev.gannet.api.stub.AsyncCalls} for what their"
              + " futures and publishers do. Immutable and safe for all threads.";
      case OBSERVER_CLIENT ->
          "Its methods do not block; see {@link dev.gannet.api.stub.ObserverCalls} for how"
              + " observers are notified. Immutable and safe for all threads.";
    };
  }

  /** What a method returns. */
  String returned(Rpc rpc, ClassNames names) {
    String request = request(rpc, names);
    String response = response(rpc, names);
    return switch (this) {
      case BLOCKING_SERVICE -> rpc.sendsOneResponse() ? response : "void";
      case ASYNC_SERVICE ->
          rpc.sendsOneResponse()
              ? names.of("java.util.concurrent.CompletionStage") + "<" + response + ">"
              : publisher(response, names);
      case BLOCKING_CLIENT ->
          switch (rpc.kind()) {
            case UNARY -> response;
            case SERVER_STREAMING -> stub("ServerStreamingCall", response, names);
            case CLIENT_STREAMING -> stub("ClientStreamingCall", request + ", " + response, names);
            case BIDI_STREAMING -> stub("BidiStreamingCall", request + ", " + response, names);
          };
      case ASYNC_CLIENT ->
          rpc.sendsOneResponse()
              ? names.of("java.util.concurrent.CompletableFuture") + "<" + response + ">"
              : publisher(response, names);
      case OBSERVER_CLIENT ->
          rpc.sendsOneRequest() ? "void" : stub("ClientCallStreamObserver", request, names);
    };
  }

  /** What a method takes, each with its type and name. */
  List<String> parameters(Rpc rpc, ClassNames names) {
    String request = request(rpc, names);
    String response = response(rpc, names);
    String whole = request + " request";
    return switch (this) {
      case BLOCKING_SERVICE ->
          switch (rpc.kind()) {
            case UNARY -> List.of(whole);
            case CLIENT_STREAMING -> List.of(stub("Incoming", request, names) + " requests");
            case SERVER_STREAMING ->
                List.of(whole, stub("Outgoing", response, names) + " responses");
            case BIDI_STREAMING ->
                List.of(
                    stub("Incoming", request, names) + " requests",
                    stub("Outgoing", response, names) + " responses");
          };
      case BLOCKING_CLIENT -> rpc.sendsOneRequest() ? List.of(whole) : List.of();
      case ASYNC_SERVICE, ASYNC_CLIENT ->
          List.of(rpc.sendsOneRequest() ? whole : publisher(request, names) + " requests");
      case OBSERVER_CLIENT -> {
        String observer = stub("StreamObserver", response, names) + " responseObserver";
        yield rpc.sendsOneRequest() ? List.of(whole, observer) : List.of(observer);
      }
    };
  }

  private static String request(Rpc rpc, ClassNames names) {
    return names.of(rpc.request());
  }

  private static String response(Rpc rpc, ClassNames names) {
    return names.of(rpc.response());
  }

  private static String publisher(String message, ClassNames names) {
    return names.of("java.util.concurrent.Flow") + ".Publisher<" + message + ">";
  }

  private static String stub(String type, String messages, ClassNames names) {
    return names.of(STUB + type) + "<" + messages + ">";
  }
}
