package dev.gannet.conformance.stubs;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Marshallers;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.stub.AsyncCalls;
import dev.gannet.api.stub.AsyncHandlers;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeoutException;

/** A server on loopback whose methods count, echo and collect, and a channel to it. */
final class Numbers implements AutoCloseable {
  static final MethodDescriptor<String, String> COUNT =
      method(MethodType.SERVER_STREAMING, "Count");
  static final MethodDescriptor<String, String> ECHO = method(MethodType.BIDI_STREAMING, "Echo");
  static final MethodDescriptor<String, String> COLLECT =
      method(MethodType.CLIENT_STREAMING, "Collect");
  static final MethodDescriptor<String, String> PATIENT =
      method(MethodType.BIDI_STREAMING, "Patient");

  static final MethodDescriptor<String, String> FLOOD =
      method(MethodType.SERVER_STREAMING, "Flood");
  static final MethodDescriptor<String, String> SLOW = method(MethodType.CLIENT_STREAMING, "Slow");

  /** What a patient handler says each time it has waited in vain. */
  static final String STILL_HERE = "still here";

  /** What a count is answered with that fails. */
  static final String FAIL = "fail";

  /** The timeout of a handler whose client does not read. */
  final CompletableFuture<TimeoutException> floodStopped = new CompletableFuture<>();

  /** Slow methods answer when it is complete. */
  final CompletableFuture<Boolean> mayAnswer = new CompletableFuture<>();

  private final Server server;
  private final ManagedChannel channel;

  Numbers() {
    ServerServiceDefinition service =
        ServerServiceDefinition.of(
            "test.Numbers",
            List.of(
                ServerMethodDefinition.of(COUNT, BlockingHandlers.serverStreaming(Numbers::count)),
                ServerMethodDefinition.of(ECHO, AsyncHandlers.bidiStreaming(requests -> requests)),
                ServerMethodDefinition.of(
                    COLLECT, BlockingHandlers.clientStreaming(Numbers::collect)),
                ServerMethodDefinition.of(
                    PATIENT, BlockingHandlers.bidiStreaming(Numbers::waitPatiently)),
                ServerMethodDefinition.of(FLOOD, BlockingHandlers.serverStreaming(this::flood)),
                ServerMethodDefinition.of(
                    SLOW, BlockingHandlers.clientStreaming(this::collectSlowly))));
    try {
      server =
          Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .add(service)
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    channel = ManagedChannel.builder("127.0.0.1", server.port()).plaintext().build();
  }

  private static MethodDescriptor<String, String> method(MethodType type, String name) {
    return MethodDescriptor.of(
        type, "test.Numbers/" + name, Marshallers.utf8(), Marshallers.utf8());
  }

  private static void count(String request, Outgoing<String> responses) {
    if (request.equals(FAIL)) {
      throw Status.ABORTED.asException();
    }
    long end = Long.parseLong(request);
    for (long i = 0; i < end; i++) {
      responses.send(Long.toString(i));
    }
  }

  /** Sends until its client does not read any more, says so, and ends with the number it sent. */
  private void flood(String message, Outgoing<String> responses) {
    int sent = 0;
    try {
      while (true) {
        responses.send(message, Duration.ofMillis(20));
        sent++;
      }
    } catch (TimeoutException e) {
      floodStopped.complete(e);
    }
    responses.send(Integer.toString(sent));
  }

  private static String collect(Incoming<String> requests) {
    int number = 0;
    for (String request : requests) {
      number += request.isEmpty() ? 0 : 1;
    }
    return Integer.toString(number);
  }

  private String collectSlowly(Incoming<String> requests) {
    String number = collect(requests);
    mayAnswer.join();
    return number;
  }

  private static void waitPatiently(Incoming<String> requests, Outgoing<String> responses) {
    boolean more = true;
    while (more) {
      try {
        more = requests.hasNext(Duration.ofMillis(20));
        if (more) {
          responses.send(requests.next());
        }
      } catch (TimeoutException e) {
        responses.send(STILL_HERE);
      }
    }
  }

  ManagedChannel channel() {
    return channel;
  }

  /** That many numbers, published as responses. */
  Flow.Publisher<String> count(long numbers) {
    return AsyncCalls.serverStreaming(channel, COUNT, CallOptions.DEFAULT, Long.toString(numbers));
  }

  @Override
  public void close() {
    channel.close();
    server.close();
  }
}
