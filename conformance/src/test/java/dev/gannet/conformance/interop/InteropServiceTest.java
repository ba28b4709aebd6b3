package dev.gannet.conformance.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Response;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestServiceClient;
import io.grpc.testing.integration.TestServiceMethods;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Features of the interop service that no offline case of the suites asks for. */
final class InteropServiceTest {
  private final InetSocketAddress anyPort =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private final Server server = Server.builder(anyPort).add(new InteropService()).start();
  private final ManagedChannel channel =
      ManagedChannel.builder("127.0.0.1", server.port()).plaintext().build();
  private final TestServiceClient client = TestServiceClient.of(channel);

  InteropServiceTest() throws IOException {}

  @AfterEach
  void stop() {
    channel.close();
    server.close();
  }

  @Test
  void aHalfDuplexCallIsAnsweredAfterItsLastRequest() {
    try (BidiStreamingCall<StreamingOutputCallRequest, StreamingOutputCallResponse> call =
        client.halfDuplexCall()) {
      call.send(StreamingCases.duplexRequest(3, 5));
      call.send(StreamingCases.duplexRequest(4, 7));
      call.halfClose();

      assertThat(sizesOf(call)).containsExactly(5, 7);
    }
  }

  @Test
  void responsesKeepTheirIntervals() {
    StreamingOutputCallRequest request =
        StreamingOutputCallRequest.newBuilder()
            .addResponseParameters(ResponseParameters.newBuilder().setSize(1).setIntervalUs(20_000))
            .addResponseParameters(ResponseParameters.newBuilder().setSize(2).setIntervalUs(30_000))
            .build();

    long startNanos = System.nanoTime();
    List<Integer> sizes = sizesOf(client.streamingOutputCall(request));

    assertThat(sizes).containsExactly(1, 2);
    assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
        .isGreaterThanOrEqualTo(Duration.ofMillis(50));
  }

  @Test
  void cacheableAnswersDifferAndMayBeCached() {
    Response<SimpleResponse> first = cacheable();
    Response<SimpleResponse> second = cacheable();

    assertThat(first.message()).isNotEqualTo(second.message());
    assertThat(second.headers().get(Metadata.Key.ascii("cache-control")))
        .contains("max-age=60, public");
  }

  private Response<SimpleResponse> cacheable() {
    return client.response(
        TestServiceMethods.CACHEABLE_UNARY_CALL, SimpleRequest.getDefaultInstance());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Responses.MAX_PAYLOAD_BYTES + 1, Integer.MAX_VALUE})
  void anUnreasonableSizeIsRefused(int sizeBytes) {
    SimpleRequest request = SimpleRequest.newBuilder().setResponseSize(sizeBytes).build();

    expectFailure(Status.Code.INVALID_ARGUMENT, () -> client.unaryCall(request));
  }

  @Test
  void anUnknownTypeOfPayloadIsRefused() {
    SimpleRequest request = SimpleRequest.newBuilder().setResponseTypeValue(7).build();

    expectFailure(Status.Code.INVALID_ARGUMENT, () -> client.unaryCall(request));
  }

  @Test
  void aRequestThatIsCompressedUnexpectedlyIsRefused() {
    SimpleRequest request =
        SimpleRequest.newBuilder().setExpectCompressed(Payloads.bool(false)).build();

    expectFailure(
        Status.Code.INVALID_ARGUMENT, () -> client.withCompression("gzip").unaryCall(request));
  }

  private static void expectFailure(Status.Code code, Runnable call) {
    assertThatExceptionOfType(StatusException.class)
        .isThrownBy(call::run)
        .satisfies(e -> assertThat(e.status().code()).isEqualTo(code));
  }

  private static List<Integer> sizesOf(Incoming<StreamingOutputCallResponse> responses) {
    List<Integer> sizes = new ArrayList<>();
    for (StreamingOutputCallResponse response : responses) {
      sizes.add(response.getPayload().getBody().size());
    }
    return sizes;
  }
}
