package dev.gannet.conformance.interop;

import dev.gannet.client.ManagedChannel;
import io.grpc.testing.integration.TestServiceClient;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All cases that the client has, by their official names. */
final class InteropCases {
  /** What some cases need in addition to their channel. */
  interface Setting {
    /** A soak test that starts now. */
    SoakRun newSoak();

    /** Another channel like that of the case. */
    ManagedChannel newChannel() throws IOException;

    /** The style of the clients that make its calls. */
    ClientStyle style();

    /** The load reports that the channel's policy has received. */
    BackendMetrics metrics();
  }

  private static final Map<String, InteropCase> BY_NAME = table();

  private InteropCases() {}

  static Optional<InteropCase> named(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /** The names, from simple to complex cases. */
  static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }

  /** The names of the cases whose calls are made in the client's style. */
  static List<String> styledNames() {
    return List.copyOf(styled().keySet());
  }

  private static Map<String, InteropCase> styled() {
    Map<String, InteropCase> table = new LinkedHashMap<>();
    clientCases()
        .forEach((name, test) ->
            table.put(name, (channel, setting) -> test.run(setting.style().client(channel))));
    table.put(
        "unimplemented_service",
        (channel, setting) -> UnaryCases.unimplementedService(channel, setting.style()));
    return table;
  }

  private static Map<String, InteropCase> table() {
    Map<String, InteropCase> table = styled();
    table.put("rpc_soak", (channel, setting) -> setting.newSoak().onOneChannel(channel));
    table.put(
        "channel_soak", (channel, setting) -> setting.newSoak().onNewChannels(setting::newChannel));
    table.put("orca_per_rpc", (channel, setting) -> OrcaCases.perRpc(channel, setting.metrics()));
    table.put("orca_oob", (channel, setting) -> OrcaCases.apart(channel, setting.metrics()));
    return Collections.unmodifiableMap(table);
  }

  /** A case that needs only a client, of any style. */
  private interface ClientCase {
    void run(TestServiceClient client) throws Exception;
  }

  private static Map<String, ClientCase> clientCases() {
    Map<String, ClientCase> table = new LinkedHashMap<>();
    table.put("empty_unary", UnaryCases::emptyUnary);
    table.put("large_unary", UnaryCases::largeUnary);
    table.put("very_large_request", UnaryCases::veryLargeRequest);
    table.put("client_streaming", StreamingCases::clientStreaming);
    table.put("server_streaming", StreamingCases::serverStreaming);
    table.put("ping_pong", StreamingCases::pingPong);
    table.put("empty_stream", StreamingCases::emptyStream);
    table.put("custom_metadata", StatusCases::customMetadata);
    table.put("status_code_and_message", StatusCases::statusCodeAndMessage);
    table.put("special_status_message", StatusCases::specialStatusMessage);
    table.put("unimplemented_method", UnaryCases::unimplementedMethod);
    table.put("cancel_after_begin", CancellationCases::cancelAfterBegin);
    table.put("cancel_after_first_response", CancellationCases::cancelAfterFirstResponse);
    table.put("timeout_on_sleeping_server", CancellationCases::timeoutOnSleepingServer);
    table.put("client_compressed_unary", CompressionCases::clientCompressedUnary);
    table.put(
        "client_compressed_unary_noprobe", CompressionCases::clientCompressedUnaryWithoutProbe);
    table.put("server_compressed_unary", CompressionCases::serverCompressedUnary);
    table.put("client_compressed_streaming", CompressionCases::clientCompressedStreaming);
    table.put(
        "client_compressed_streaming_noprobe",
        CompressionCases::clientCompressedStreamingWithoutProbe);
    table.put("server_compressed_streaming", CompressionCases::serverCompressedStreaming);
    table.put("pick_first_unary", UnaryCases::pickFirst);
    return table;
  }
}
