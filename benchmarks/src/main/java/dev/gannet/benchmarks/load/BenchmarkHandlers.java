package dev.gannet.benchmarks.load;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.gannet.api.BindableService;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.benchmarks.harness.ResponseBytes;
import io.grpc.benchmarks.proto.BenchmarkServiceMethods;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import java.util.stream.Stream;

/**
 * {@code grpc.testing.BenchmarkService}: every response has as many bytes of payload as its request
 * asks for. Unary calls are answered by a plain method. Streams are too where handlers have threads
 * that may wait; on event loops and pools they are served by listeners.
 */
public final class BenchmarkHandlers implements BindableService {
  private static final int MAX_RESPONSE_BYTES = 64 << 20;

  /** How streams are served. */
  public enum Streams {
    BY_LISTENERS,
    BY_PLAIN_METHODS
  }

  private final Streams streams;

  /** The service, with its streams served that way. */
  public BenchmarkHandlers(Streams streams) {
    this.streams = streams;
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.of(
        BenchmarkServiceMethods.SERVICE_NAME,
        Stream.concat(
                Stream.of(
                    ServerMethodDefinition.of(
                        BenchmarkServiceMethods.UNARY_CALL,
                        BlockingHandlers.unary(BenchmarkHandlers::respond)),
                    ServerMethodDefinition.of(
                        BenchmarkServiceMethods.STREAMING_BOTH_WAYS,
                        (call, headers) -> new SinkAndSource(call))),
                switch (streams) {
                  case BY_LISTENERS -> byListeners();
                  case BY_PLAIN_METHODS -> byPlainMethods();
                })
            .toList());
  }

  private static Stream<ServerMethodDefinition<?, ?>> byListeners() {
    return Stream.of(
        ServerMethodDefinition.of(
            BenchmarkServiceMethods.STREAMING_CALL, (call, headers) -> new PingPong(call)),
        ServerMethodDefinition.of(
            BenchmarkServiceMethods.STREAMING_FROM_CLIENT, (call, headers) -> new Sink(call)),
        ServerMethodDefinition.of(
            BenchmarkServiceMethods.STREAMING_FROM_SERVER,
            (call, headers) -> new EndlessResponses(call)));
  }

  private static Stream<ServerMethodDefinition<?, ?>> byPlainMethods() {
    return Stream.of(
        ServerMethodDefinition.of(
            BenchmarkServiceMethods.STREAMING_CALL,
            BlockingHandlers.bidiStreaming(PlainStreams::pingPong)),
        ServerMethodDefinition.of(
            BenchmarkServiceMethods.STREAMING_FROM_CLIENT,
            BlockingHandlers.clientStreaming(PlainStreams::sink)),
        ServerMethodDefinition.of(
            BenchmarkServiceMethods.STREAMING_FROM_SERVER,
            BlockingHandlers.serverStreaming(PlainStreams::source)));
  }

  /** The response that a request asks for. */
  public static SimpleResponse respond(SimpleRequest request) {
    int bytes = request.getResponseSize();
    if (bytes == 0) {
      return SimpleResponse.getDefaultInstance();
    }
    if (bytes < 0 || bytes > MAX_RESPONSE_BYTES) {
      throw Status.INVALID_ARGUMENT
          .withDescription("response_size must be from 0 to " + MAX_RESPONSE_BYTES + ": " + bytes)
          .asException();
    }
    ByteString body = UnsafeByteOperations.unsafeWrap(ResponseBytes.of(bytes));
    Payload payload = Payload.newBuilder().setBody(body).build();
    return SimpleResponse.newBuilder().setPayload(payload).build();
  }
}
