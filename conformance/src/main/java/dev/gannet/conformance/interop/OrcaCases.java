package dev.gannet.conformance.interop;

import dev.gannet.api.Channel;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.client.balancer.LoadReport;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.Messages.TestOrcaReport;
import io.grpc.testing.integration.TestServiceClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Cases of servers that report on their load (gRFC A51), over a channel with its policy. */
final class OrcaCases {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private OrcaCases() {}

  static void perRpc(Channel channel, BackendMetrics metrics) {
    TestOrcaReport report =
        TestOrcaReport.newBuilder()
            .setCpuUtilization(0.8210)
            .setMemoryUtilization(0.5847)
            .putRequestCost("cost", 3456.32)
            .putUtilization("util", 0.30499)
            .build();
    TestServiceClient.of(channel)
        .unaryCall(SimpleRequest.newBuilder().setOrcaPerQueryReport(report).build());
    Expect.equal(
        "the report that came with the call",
        Optional.of(BackendMetrics.expected(report)),
        metrics.ofCall());
  }

  static void apart(Channel channel, BackendMetrics metrics) throws InterruptedException {
    List<TestOrcaReport> reports =
        List.of(
            TestOrcaReport.newBuilder()
                .setCpuUtilization(0.8210)
                .setMemoryUtilization(0.5847)
                .putUtilization("util", 0.30499)
                .build(),
            TestOrcaReport.newBuilder()
                .setCpuUtilization(0.29309)
                .setMemoryUtilization(0.2)
                .putUtilization("util", 0.2039)
                .build());
    try (BidiStreamingCall<StreamingOutputCallRequest, StreamingOutputCallResponse> call =
        TestServiceClient.of(channel).fullDuplexCall()) {
      for (TestOrcaReport report : reports) {
        call.send(
            StreamingOutputCallRequest.newBuilder()
                .setOrcaOobReport(report)
                .addResponseParameters(ResponseParameters.newBuilder().setSize(1))
                .build());
        Expect.equal("size of the answer", 1, call.next().getPayload().getBody().size());
        LoadReport wanted = BackendMetrics.expected(report);
        Expect.equal(
            "the report apart from calls within " + PATIENCE.toSeconds() + " s",
            Optional.of(wanted),
            metrics.awaitApart(wanted, PATIENCE));
      }
      call.halfClose();
      Expect.equal("whether another answer comes", false, call.hasNext());
    }
  }
}
