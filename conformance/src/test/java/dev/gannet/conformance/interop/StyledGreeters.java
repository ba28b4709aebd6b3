package dev.gannet.conformance.interop;

import dev.gannet.api.BindableService;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.stub.AsyncHandlers;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import dev.gannet.api.stub.ServerStreamingCall;
import dev.gannet.conformance.styles.ObservedCall;
import dev.gannet.conformance.styles.PublishedCall;
import dev.gannet.conformance.styles.SeenFields;
import dev.gannet.examples.greeter.Greeter;
import dev.gannet.examples.greeter.GreeterAsync;
import dev.gannet.examples.greeter.GreeterAsyncClient;
import dev.gannet.examples.greeter.GreeterClient;
import dev.gannet.examples.greeter.GreeterMethods;
import dev.gannet.examples.greeter.GreeterObserverClient;
import dev.gannet.examples.greeter.GroupReply;
import dev.gannet.examples.greeter.HelloReply;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.examples.greeter.RepeatRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** One greeter in all styles of services, and its clients in all styles. */
final class StyledGreeters {
  /** Whom no greeter knows. */
  static final String UNKNOWN = "nobody";

  private StyledGreeters() {}

  /** How a service is written. */
  enum ServiceStyle {
    BLOCKING,
    ASYNC,
    /** Blocking, but for two of its methods. */
    MIXED;

    BindableService service() {
      return switch (this) {
        case BLOCKING -> new Blocking();
        case ASYNC -> new Async();
        case MIXED -> new Mixed();
      };
    }
  }

  /** A client of that style, with blocking methods. */
  static GreeterClient client(ClientStyle style, Channel channel) {
    return switch (style) {
      case BLOCKING -> GreeterClient.of(channel);
      case ASYNC -> new AsyncCalls(channel, CallOptions.DEFAULT);
      case OBSERVER -> new ObserverCalls(channel, CallOptions.DEFAULT);
    };
  }

  private static HelloReply greet(String name) {
    if (name.equals(UNKNOWN)) {
      throw Status.NOT_FOUND.asException();
    }
    return HelloReply.newBuilder().setMessage("Hello " + name).build();
  }

  private static GroupReply group(List<HelloRequest> requests) {
    requests.forEach(it -> greet(it.getName()));
    return GroupReply.newBuilder().setNames(requests.size()).build();
  }

  private static List<HelloReply> repeated(RepeatRequest request) {
    return Collections.nCopies(request.getTimes(), greet(request.getName()));
  }

  private record Blocking() implements Greeter {
    @Override
    public HelloReply sayHello(HelloRequest request) {
      return greet(request.getName());
    }

    @Override
    public void repeatHello(RepeatRequest request, Outgoing<HelloReply> responses) {
      repeated(request).forEach(responses::send);
    }

    @Override
    public GroupReply greetAll(Incoming<HelloRequest> requests) {
      List<HelloRequest> all = new ArrayList<>();
      requests.forEach(all::add);
      return group(all);
    }

    @Override
    public void converse(Incoming<HelloRequest> requests, Outgoing<HelloReply> responses) {
      requests.forEach(it -> responses.send(greet(it.getName())));
    }
  }

  private record Async() implements GreeterAsync {
    @Override
    public CompletionStage<HelloReply> sayHello(HelloRequest request) {
      return CompletableFuture.supplyAsync(() -> greet(request.getName()));
    }

    @Override
    public Flow.Publisher<HelloReply> repeatHello(RepeatRequest request) {
      return Published.of(repeated(request));
    }

    @Override
    public CompletionStage<GroupReply> greetAll(Flow.Publisher<HelloRequest> requests) {
      return Published.all(requests).thenApply(StyledGreeters::group);
    }

    @Override
    public Flow.Publisher<HelloReply> converse(Flow.Publisher<HelloRequest> requests) {
      return Published.map(requests, it -> greet(it.getName()));
    }
  }

  private record Mixed() implements Greeter {
    @Override
    public ServerServiceDefinition bindService() {
      Async async = new Async();
      return Greeter.super
          .bindService()
          .with(GreeterMethods.REPEAT_HELLO, AsyncHandlers.serverStreaming(async::repeatHello))
          .with(GreeterMethods.GREET_ALL, AsyncHandlers.clientStreaming(async::greetAll));
    }

    @Override
    public HelloReply sayHello(HelloRequest request) {
      return new Blocking().sayHello(request);
    }

    @Override
    public void converse(Incoming<HelloRequest> requests, Outgoing<HelloReply> responses) {
      new Blocking().converse(requests, responses);
    }
  }

  private record AsyncCalls(Channel channel, CallOptions options) implements GreeterClient {
    @Override
    public GreeterClient with(Channel channel, CallOptions options) {
      return new AsyncCalls(channel, options);
    }

    private GreeterAsyncClient client(SeenFields fields) {
      return GreeterAsyncClient.of(channel).with(channel, options).withInterceptors(fields);
    }

    @Override
    public HelloReply sayHello(HelloRequest request) {
      return PublishedCall.await(client(new SeenFields()).sayHello(request));
    }

    @Override
    public ServerStreamingCall<HelloReply> repeatHello(RepeatRequest request) {
      SeenFields fields = new SeenFields();
      return PublishedCall.reading(fields, client(fields).repeatHello(request));
    }

    @Override
    public ClientStreamingCall<HelloRequest, GroupReply> greetAll() {
      SeenFields fields = new SeenFields();
      return PublishedCall.writing(fields, client(fields)::greetAll);
    }

    @Override
    public BidiStreamingCall<HelloRequest, HelloReply> converse() {
      SeenFields fields = new SeenFields();
      return PublishedCall.both(fields, client(fields)::converse);
    }
  }

  private record ObserverCalls(Channel channel, CallOptions options) implements GreeterClient {
    @Override
    public GreeterClient with(Channel channel, CallOptions options) {
      return new ObserverCalls(channel, options);
    }

    private GreeterObserverClient client() {
      return GreeterObserverClient.of(channel).with(channel, options);
    }

    @Override
    public HelloReply sayHello(HelloRequest request) {
      return ObservedCall.await(it -> client().sayHello(request, it));
    }

    @Override
    public ServerStreamingCall<HelloReply> repeatHello(RepeatRequest request) {
      return ObservedCall.begin(it -> client().repeatHello(request, it));
    }

    @Override
    public ClientStreamingCall<HelloRequest, GroupReply> greetAll() {
      return ObservedCall.begin(client()::greetAll);
    }

    @Override
    public BidiStreamingCall<HelloRequest, HelloReply> converse() {
      return ObservedCall.begin(client()::converse);
    }
  }
}
